// What a rule may ask of a row's gradient before it updates the row.
#pragma once

#include <cmath>

#include "steepest/kernel/square_sum.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// The mean of the squares, summed in double. Column c belongs to lane c % 8.
class MeanOfSquares {
 public:
  // Columns [column, column + count) of a block.
  template <int N, class T, class Count>
  void add(std::int64_t column, const Block<T, N>& g, Count count) {
    if constexpr (N % kSumLanes == 0) {
      constexpr bool kFused = !std::is_same_v<T, double>;  // changes no bit
      for (int k = 0; k < N; k += kSumLanes) sum_.add_all<kFused>(g.data() + k, T(1));
    } else {
      static_assert(2 * N == kSumLanes);
      sum_.add_half(int(column % kSumLanes), g.data(), count);
    }
  }

  template <class T>
  T of(std::int64_t width) const {
    return T(mean(width));
  }

 protected:
  double mean(std::int64_t width) const { return sum_.total() / double(width); }

 private:
  SquareSum sum_;
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
