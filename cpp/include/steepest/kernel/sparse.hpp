// The sparse driver: one visit per unique row, duplicates summed on the way.
#pragma once

#include <algorithm>

#include "steepest/kernel/apply_pending.hpp"
#include "steepest/kernel/rows_ahead.hpp"
#include "steepest/kernel/staged_rows.hpp"
#include "steepest/kernel/update.hpp"
#include "steepest/kernel/whole_rows.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Width: that of the rows, which are worked on where they lie, or 0 where it is only known at run time. Staging:
// nullptr where nothing is to be done to them first.
template <Rule R, class T, int Width>
STEEPEST_FLATTEN void run_sparse(const void* step, const UpdateArgs& args, std::int64_t begin, std::int64_t end,
                                 Staging<T>* staging) {
  const Updater<R, T> update(step, args);
  const std::int64_t width = Width > 0 ? Width : args.width;
  const RowGroups& groups = *args.groups;
  const bool has_ops = Width == 0 && staging != nullptr, copied = has_ops && staging->copies();
  T* const parameter = static_cast<T*>(args.parameter);  // if not copied
  Occurrences<T, Width> occurrences(args);
  T sum[kPanel];

  const std::int64_t row_bytes = width * (copied ? staging->stored_bytes : std::int64_t(sizeof(T)));
  const RowsAhead<R, T> rows_ahead(args, row_bytes);

  const auto touched = [&](std::int64_t u) {
    const std::int64_t row = groups.rows[u];
    const RowMoves<R, T> moves(args, row);
    Piece<T> piece;
    std::int64_t columns = 0;
    const auto open = [&](std::int64_t column) {
      columns = std::min(width - column, kPanel);
      const std::int64_t i = row * width + column;
      if (copied)
        piece = staging->open(u, column, columns);
      else
        piece = {occurrences.panel(u, column, columns, sum), parameter + i};
      moves.make(args, piece.parameter, i, columns);
      if (has_ops) staging->apply_ops(piece, columns);
    };
    open(0);
    RowReduction<R> reduction;
    if constexpr (Reduces<R>) {
      for (std::int64_t column = 0;;) {
        update.reduce(reduction, piece.parameter, piece.gradient, row * width + column, column, columns);
        column += columns;
        if (column >= width) break;
        open(column);
      }
      if (columns < width) open(0);
    }
    const T value = update.row_value(row, reduction, width);
    for (std::int64_t column = 0;;) {
      const std::int64_t i = row * width + column;
      for_padded_blocks<kBlock<T>>(0, Width > 0 ? Width : columns, [&]<int N>(std::int64_t c, auto count) {
        update.template block<N>(piece.parameter + c, i + c, count, value, load<N>(piece.gradient + c, count));
      });
      if (copied) staging->store(i, columns);
      column += columns;
      if (column >= width) return;
      open(column);
    }
  };

  const auto come = [&](std::int64_t first, std::int64_t last) {
    copied ? staging->begin(first, last) : occurrences.begin(first, last);
  };
  if constexpr (!R::every_row) {
    come(begin, end);
    rows_ahead.begin(begin, end);
    for (std::int64_t u = begin; u < end; ++u) {
      rows_ahead.next(u, end);
      touched(u);
    }
  } else {
    // [begin, end) are rows of the table. Rows that are not in the batch have a zero gradient, which ops do not change.
    const auto rest = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last;) {
        const std::int64_t count = copied ? std::min(last - i, kPanel) : last - i;
        T* const piece = copied ? staging->load(i, count) : parameter + i;
        for_padded_blocks<kBlock<T>>(
            0, count, [&]<int N>(std::int64_t c, auto part) { update.template rest<N>(piece + c, i + c, part); });
        if (copied) staging->store(i, count);
        i += count;
      }
    };
    const std::int64_t* const rows_end = groups.rows + groups.count;
    const std::int64_t* next = std::lower_bound(groups.rows, rows_end, begin);
    come(next - groups.rows, std::lower_bound(next, rows_end, end) - groups.rows);
    for (std::int64_t row = begin; row < end;) {
      const std::int64_t stop = next < rows_end ? std::min(*next, end) : end;
      rest(row * width, stop * width);
      row = stop;
      if (row < end) {
        touched(next - groups.rows);
        ++next;
        ++row;
      }
    }
  }
}

template <Rule R, class Stored>
void update_sparse(const void* step, const UpdateArgs& args, std::int64_t begin, std::int64_t end) {
  if constexpr (HasUsual<R>) {
    if (is_usual<R, Compute<Stored>>(step)) return update_sparse<Usual<R>, Stored>(step, args, begin, end);
  }
  using T = Compute<Stored>;
  if constexpr (Common<R> && std::is_same_v<Stored, float> && !R::every_row) {
    if (args.op_count == 0 && args.pending == nullptr) {
      switch (args.width) {
#define STEEPEST_CASE(width) \
  case width:                \
    return run_sparse<R, T, width>(step, args, begin, end, nullptr);
        STEEPEST_WIDTHS(STEEPEST_CASE)
#undef STEEPEST_CASE
      }
    }
  }
  if constexpr (kWholeRows && std::is_same_v<Stored, float> && !R::every_row) {
    if (are_whole_rows(args)) return run_whole_rows<R>(step, args, begin, end);
  }
  // A row of several pieces is read twice where it is reduced.
  const bool keeps = Reduces<R> && args.width > kPanel;
  with_staging<Stored>(args, keeps, [&](Staging<T>* staging) { run_sparse<R, T, 0>(step, args, begin, end, staging); });
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
