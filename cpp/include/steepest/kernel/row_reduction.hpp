// What a rule may ask of a row's gradient before it updates the row.
#pragma once

#include <cmath>

#include "steepest/kernel/block.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// The mean of the squares, summed in double. Column c belongs to lane c % 8.
class MeanOfSquares {
 public:
  // Columns [column, column + count) of a block.
  template <int N, class T, class Count>
  void add(std::int64_t column, const Block<T, N>& g, Count count) {
    if constexpr (N % kSumLanes == 0) {
      for (int k = 0; k < N; k += kSumLanes) {
        const Block<double, kSumLanes> wide = g.template segment<kSumLanes>(k).template cast<double>();
        lanes_ += wide * wide;
      }
    } else {
      static_assert(2 * N == kSumLanes);
      Block<double, N> squares = g.template cast<double>();
      squares *= squares;
      for (int k = 1; k < N; ++k)
        if (k >= count) squares[k] = 0;
      if (column % kSumLanes == 0)
        lanes_.template head<N>() += squares;
      else
        lanes_.template tail<N>() += squares;
    }
  }

  template <class T>
  T of(std::int64_t width) const {
    return T(mean(width));
  }

 protected:
  double mean(std::int64_t width) const { return add_lanes(lanes_) / double(width); }

 private:
  Block<double, kSumLanes> lanes_ = Block<double, kSumLanes>::Zero();
};

// Its root, where squares would leave the range of T.
class RootMeanSquare : public MeanOfSquares {
 public:
  template <class T>
  T of(std::int64_t width) const {
    return T(std::sqrt(mean(width)));
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
