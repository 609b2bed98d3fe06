// Adam's formula for the rows of the batch alone. With a step history the other rows move later, when they are next
// needed.
#pragma once

#include "steepest/kernel/rules/adam.hpp"
#include "steepest/kernel/rules/adam_pending.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct LazyAdam : Adam {
  static constexpr const char* name = "lazy_adam";
  static constexpr bool every_row = false;

  template <class T>
  using PendingUpdate = AdamPendingUpdate<T>;
  double step_rate() const { return alpha(); }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
