// What a rule may ask of a row's gradient before it updates the row.
#pragma once

#include "steepest/kernel/block.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// The mean of the squares. Column c belongs to lane c % 8; lanes are summed in double in ascending order and added in a
// fixed tree, so the bits do not depend on the width of a register.
class MeanOfSquares {
 public:
  static constexpr int kLanes = 8;

  // Columns [column, column + N).
  template <int N, class T>
  void add(std::int64_t column, const Block<T, N>& g) {
    if constexpr (N % kLanes == 0) {
      for (int k = 0; k < N; k += kLanes) {
        const Block<double, kLanes> wide = g.template segment<kLanes>(k).template cast<double>();
        lanes_ += wide * wide;
      }
    } else {
      for (int k = 0; k < N; ++k) lanes_[(column + k) % kLanes] += double(g[k]) * double(g[k]);
    }
  }

  template <class T>
  T of(std::int64_t width) const {
    const double a = (lanes_[0] + lanes_[1]) + (lanes_[2] + lanes_[3]);
    const double b = (lanes_[4] + lanes_[5]) + (lanes_[6] + lanes_[7]);
    return T((a + b) / double(width));
  }

 private:
  Block<double, kLanes> lanes_ = Block<double, kLanes>::Zero();
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
