// The sparse driver: one visit per unique row, duplicates summed on the way.
#pragma once

#include <algorithm>

#include "steepest/update.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Rows of a batch lie anywhere in the table, so the processor's own prefetching does not find them.
inline constexpr std::int64_t kRowsAhead = 4;

inline void prefetch(const void* begin, std::int64_t bytes) {
  constexpr std::int64_t kLine = 64, kMost = 1024;  // of wider rows the start: the rest is a stream
  for (std::int64_t offset = 0; offset < (bytes < kMost ? bytes : kMost); offset += kLine)
    __builtin_prefetch(static_cast<const char*>(begin) + offset);
}

template <Rule R, class Stored>
void prefetch_row(const Tensor& t, std::int64_t u) {
  using T = Compute<Stored>;
  const Segments& s = *t.segments;
  const std::int64_t first = s.rows[u] * t.width;
  prefetch(static_cast<const Stored*>(t.parameter) + first, t.width * std::int64_t(sizeof(Stored)));
  for (int k = 0; k < slots_of<R>(Extent::element); ++k)
    prefetch(static_cast<const T*>(t.slots[k]) + first, t.width * std::int64_t(sizeof(T)));
  if constexpr (slots_of<R>(Extent::row) > 0) {
    using RowSlot = typename Updater<R, Stored, false>::RowSlot;
    prefetch(static_cast<const RowSlot*>(t.slots[slots_of<R>(Extent::element)]) + s.rows[u], sizeof(RowSlot));
  }
  const std::int64_t position = s.positions == nullptr ? u : std::int64_t(s.positions[s.offsets[u]]);
  const std::int64_t bytes = t.width * std::int64_t(t.wide_gradient ? sizeof(float) : sizeof(Stored));
  prefetch(static_cast<const char*>(t.gradient) + position * bytes, bytes);
}

// A row's gradient is summed once where it is read twice, up to this many columns.
inline constexpr std::int64_t kSummedColumns = 1024;

template <Rule R, class Stored, bool Fused, bool Deferred>
STEEPEST_FLATTEN void run_sparse(const void* step, const Tensor& t, std::int64_t begin, std::int64_t end) {
  using Up = Updater<R, Stored, Fused, Deferred>;
  using T = typename Up::T;
  const Up update(step, t);
  const std::int64_t width = t.width;
  const Segments& segments = *t.segments;

  const auto touched = [&](std::int64_t u) {
    const std::int64_t row = segments.rows[u];
    const auto visit = [&](const auto& gradient) {
      const auto value = update.row_value(row, gradient);
      for_blocks<kBlock<T>>(0, width, [&]<int N>(std::int64_t column) {
        update.template block<N>(row * width + column, value, gradient.template operator()<N>(column));
      });
    };
    const auto summing = [&]<int N>(std::int64_t column) { return sum_duplicates<Stored, N>(t, u, column); };
    if constexpr (Reduces<R>) {
      if (segments.positions != nullptr && width <= kSummedColumns) {
        T summed[kSummedColumns];
        for_blocks<kBlock<T>>(0, width, [&]<int N>(std::int64_t column) {
          store<N>(summed + column, Block<T, N>(summing.template operator()<N>(column)));
        });
        visit([&]<int N>(std::int64_t column) { return load<N>(summed + column); });
        return;
      }
    }
    visit(summing);
  };

  if constexpr (!R::every_row) {
    for (std::int64_t u = begin; u < end; ++u) {
      if (u + kRowsAhead < end) prefetch_row<R, Stored>(t, u + kRowsAhead);
      touched(u);
    }
  } else {
    // [begin, end) are rows of the table; runs of rows that the batch does not name have a zero gradient, which hooks
    // do not touch.
    const Updater<R, Stored, false> rest(step, t);
    const std::int64_t* const rows_end = segments.rows + segments.count;
    const std::int64_t* next = std::lower_bound(segments.rows, rows_end, begin);
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
  if constexpr (Defers<R>) {
    if (t.debts != nullptr)
      return (t.op_count > 0 ? run_sparse<R, Stored, true, true> : run_sparse<R, Stored, false, true>)(step, t, begin,
                                                                                                       end);
  }
  (t.op_count > 0 ? run_sparse<R, Stored, true, false> : run_sparse<R, Stored, false, false>)(step, t, begin, end);
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
