// The group lasso of a row: what is left of a vector whose root mean square has been moved towards 0 by l21.
//
// The root mean square is the norm divided by the root of the width, so l21 means the same for rows of any width.
#pragma once

#include "steepest/kernel/row_reduction.hpp"
#include "steepest/kernel/rule.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// The step of a rule with l21 beside what it has without.
template <class T, class Plain>
struct GroupStep : Plain {
  T l21;

  GroupStep() = default;
  GroupStep(const Plain& plain, T third) : Plain(plain), l21(third) {}
  template <class Other>
  GroupStep(const GroupStep<T, Other>& other) : Plain(other), l21(other.l21) {}

  // By what the row is to be multiplied; NaN stays.
  T kept(T root_mean_square) const { return root_mean_square <= l21 ? T(0) : T(1) - l21 / root_mean_square; }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
