// The sparse driver: one visit per unique row, duplicates summed on the way.
#pragma once

#include <algorithm>

#include "steepest/kernel/occurrences.hpp"
#include "steepest/kernel/update.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <Rule R, class Stored>
STEEPEST_INLINE void prefetch_row(const Tensor& t, std::int64_t row, std::int64_t width) {
  using T = Compute<Stored>;
  const std::int64_t first = row * width;
  prefetch(static_cast<const Stored*>(t.parameter) + first, width * std::int64_t(sizeof(Stored)));
  for (int k = 0; k < slots_of<R>(Extent::element); ++k)
    prefetch(static_cast<const T*>(t.slots[k]) + first, width * std::int64_t(sizeof(T)));
  if constexpr (slots_of<R>(Extent::row) > 0) {
    using RowSlot = typename Updater<R, Stored, NoOps>::RowSlot;
    prefetch(static_cast<const RowSlot*>(t.slots[slots_of<R>(Extent::element)]) + row, sizeof(RowSlot));
  }
  if constexpr (Defers<R>) {
    if (t.debts != nullptr) prefetch(t.debts->last + row, sizeof *t.debts->last);
  }
}

template <Rule R, class Stored, class Ops, bool Deferred, int Width>
STEEPEST_FLATTEN void run_sparse(const void* step, const Tensor& t, std::int64_t begin, std::int64_t end) {
  using Up = Updater<R, Stored, Ops, Deferred>;
  using T = typename Up::T;
  const Up update(step, t);
  const std::int64_t width = Width > 0 ? Width : t.width;
  const Segments& segments = *t.segments;
  Occurrences<Stored, Width> occurrences(t);
  T sum[kPanel];

  const auto touched = [&](std::int64_t u) {
    const std::int64_t row = segments.rows[u];
    const T* g = occurrences.panel(u, 0, std::min(width, kPanel), sum);
    const auto value = update.row_value(row, [&]<int N>(std::int64_t column) -> Block<T, N> {
      return width <= kPanel ? load<N>(g + column) : sum_duplicates<Stored, N>(t, u, column);
    });
    for (std::int64_t column = 0;;) {
      const std::int64_t columns = std::min(width - column, kPanel);
      for_blocks<kBlock<T>>(0, columns, [&]<int N>(std::int64_t c) {
        update.template block<N>(row * width + column + c, value, load<N>(g + c));
      });
      column += columns;
      if (column >= width) return;
      g = occurrences.panel(u, column, std::min(width - column, kPanel), sum);
    }
  };

  if constexpr (!R::every_row) {
    occurrences.begin(begin, end);
    for (std::int64_t u = begin; u < std::min(begin + kRowsAhead, end); ++u)
      prefetch_row<R, Stored>(t, segments.rows[u], width);
    for (std::int64_t u = begin; u < end; ++u) {
      if (u + kRowsAhead < end) prefetch_row<R, Stored>(t, segments.rows[u + kRowsAhead], width);
      touched(u);
    }
  } else {
    // [begin, end) are rows of the table; runs of rows that the batch does not name have a zero gradient, which hooks
    // do not touch.
    const Updater<R, Stored, NoOps> rest(step, t);
    const std::int64_t* const rows_end = segments.rows + segments.count;
    const std::int64_t* next = std::lower_bound(segments.rows, rows_end, begin);
    occurrences.begin(next - segments.rows, std::lower_bound(next, rows_end, end) - segments.rows);
    for (std::int64_t row = begin; row < end;) {
      const std::int64_t stop = next < rows_end ? std::min(*next, end) : end;
      const T value = T(1);  // a rule that moves every row has no row slot
      for_blocks<kBlock<T>>(row * width, stop * width,
                            [&]<int N>(std::int64_t i) { rest.template block<N>(i, value, Block<T, N>::Zero()); });
      row = stop;
      if (row < end) {
        touched(next - segments.rows);
        ++next;
        ++row;
      }
    }
  }
}

template <Rule R, class Stored>
void update_sparse(const void* step, const Tensor& t, std::int64_t begin, std::int64_t end) {
  using AllOps = GradientOps<Compute<Stored>>;
  if constexpr (Defers<R>) {
    if (t.debts != nullptr)
      return (t.op_count > 0 ? run_sparse<R, Stored, AllOps, true, 0>
                             : run_sparse<R, Stored, NoOps, true, 0>)(step, t, begin, end);
  }
  if (t.op_count > 0) return run_sparse<R, Stored, AllOps, false, 0>(step, t, begin, end);
  if constexpr (std::is_same_v<Stored, float> && !R::every_row) {
    // Of narrow rows, what is done for each row and not for each block is a third of the time.
    switch (t.width) {
      case 1:
        return run_sparse<R, Stored, NoOps, false, 1>(step, t, begin, end);
      case 2:
        return run_sparse<R, Stored, NoOps, false, 2>(step, t, begin, end);
      case 3:
        return run_sparse<R, Stored, NoOps, false, 3>(step, t, begin, end);
      case 4:
        return run_sparse<R, Stored, NoOps, false, 4>(step, t, begin, end);
      case 8:
        return run_sparse<R, Stored, NoOps, false, 8>(step, t, begin, end);
      case 16:
        return run_sparse<R, Stored, NoOps, false, 16>(step, t, begin, end);
      case 32:
        return run_sparse<R, Stored, NoOps, false, 32>(step, t, begin, end);
      case 64:
        return run_sparse<R, Stored, NoOps, false, 64>(step, t, begin, end);
    }
  }
  run_sparse<R, Stored, NoOps, false, 0>(step, t, begin, end);
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
