// Adam's formula for the rows of the batch alone. With a step history the other rows move later, when they are next
// needed.
#pragma once

#include "steepest/kernel/dense.hpp"
#include "steepest/kernel/rules/adam.hpp"
#include "steepest/kernel/rules/adam_pending.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct LazyAdam : Adam {
  static constexpr const char* name = "lazy_adam";
  static constexpr bool every_row = false;
  using Dense = Adam;

  template <class T>
  using PendingUpdate = AdamPendingUpdate<T>;
  double step_rate() const { return alpha(); }
};

// Compiled in Adam's own unit, whose table entry uses them.
extern template void update_dense<Adam, float>(const void*, const UpdateArgs&, std::int64_t, std::int64_t);
extern template void update_dense<Adam, double>(const void*, const UpdateArgs&, std::int64_t, std::int64_t);
extern template void update_dense<Adam, Half>(const void*, const UpdateArgs&, std::int64_t, std::int64_t);
extern template void update_dense<Adam, BFloat16>(const void*, const UpdateArgs&, std::int64_t, std::int64_t);

}  // namespace STEEPEST_ISA
}  // namespace steepest
