// The dense driver: a gradient for every element.
#pragma once

#include "steepest/update.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <Rule R, class Stored, bool Fused>
STEEPEST_FLATTEN void run_dense(const void* step, const Tensor& t, std::int64_t begin, std::int64_t end) {
  using Up = Updater<R, Stored, Fused>;
  using T = typename Up::T;
  const Up update(step, t);
  const auto run = [&](std::int64_t from, std::int64_t to, T row) {
    for_blocks<kBlock<T>>(
        from, to, [&]<int N>(std::int64_t i) { update.template block<N>(i, row, load_gradient<Stored, N>(t, i)); });
  };
  const std::int64_t width = t.width;
  const auto value_of = [&](std::int64_t row) {
    return update.row_value(row, [&]<int N>(std::int64_t k) { return load_gradient<Stored, N>(t, row * width + k); });
  };
  if constexpr (!Up::kHasRowSlot) {
    run(begin, end, T(1));
  } else if (width == 0) {
    return;
  } else if constexpr (Reduces<R>) {
    for (std::int64_t first = begin; first < end; first += width) run(first, first + width, value_of(first / width));
  } else {
    // Consecutive rows that owe the same are one run, so narrow rows cost no more than wide ones.
    std::int64_t row = begin / width;
    const std::int64_t last = end / width;
    while (row < last) {
      const std::int64_t first = row;
      const T value = value_of(row++);
      T next = value;
      while (row < last && (next = value_of(row)) == value) ++row;
      run(first * width, row * width, value);
      if (row < last) {
        // The row that broke the run has been visited: its value is in hand, its counter has advanced.
        run(row * width, (row + 1) * width, next);
        ++row;
      }
    }
  }
}

template <Rule R, class Stored>
void update_dense(const void* step, const Tensor& t, std::int64_t begin, std::int64_t end) {
  (t.op_count > 0 ? run_dense<R, Stored, true> : run_dense<R, Stored, false>)(step, t, begin, end);
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
