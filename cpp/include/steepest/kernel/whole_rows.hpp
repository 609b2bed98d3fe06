// The sparse driver of rows that are whole blocks, as those of most tables are, and that no hook changes: so short
// between two rows that a processor reaches the next row's memory while it still computes.
#pragma once

#include "steepest/kernel/apply_pending.hpp"
#include "steepest/kernel/occurrences.hpp"
#include "steepest/kernel/rows_ahead.hpp"
#include "steepest/kernel/update.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Not for x86's baseline, which is there to be right on old processors and is to compile quickly; but where sanitizers,
// which have the baseline alone, look at it.
#if defined(__SSE2__) && !defined(__AVX2__) && !defined(__SANITIZE_ADDRESS__)
inline constexpr bool kWholeRows = false;
#else
inline constexpr bool kWholeRows = true;
#endif

inline bool are_whole_rows(const UpdateArgs& args) {
  return args.op_count == 0 && args.width % kBlock<float> == 0 && args.width > 0 && args.width <= kPanel;
}

template <Rule R>
STEEPEST_FLATTEN void run_whole_rows(const void* step, const UpdateArgs& args, std::int64_t begin, std::int64_t end) {
  const Updater<R, float> update(step, args);
  const std::int64_t width = args.width;
  const std::int64_t* const rows = args.groups->rows;
  float* const parameter = static_cast<float*>(args.parameter);
  const RowsAhead<R, float> rows_ahead(args, width * std::int64_t(sizeof(float)));
  Occurrences<float, 0> occurrences(args);
  float sums[2][kPanel];  // of this row and the next

  const auto over = [&](const auto& block) {
    constexpr int N = kBlock<float>;
    std::int64_t c = 0;
    for (; c + 4 * N <= width; c += 4 * N)
      for (int k = 0; k < 4; ++k) block.template operator()<N>(c + k * N, Whole<N>());
    for (; c < width; c += N) block.template operator()<N>(c, Whole<N>());
  };
  const auto apply = [&](std::int64_t u, const float* gradient, float value) {
    const std::int64_t first = rows[u] * width;
    RowMoves<R, float>(args, rows[u]).make(args, parameter + first, first, width);
    over([&]<int N>(std::int64_t c, auto count) {
      update.template block<N>(parameter + first + c, first + c, count, value, load<N>(gradient + c, count));
    });
  };

  if (begin >= end) return;
  occurrences.begin(begin, end);
  rows_ahead.begin(begin, end);
  if constexpr (!Reduces<R>) {
    for (std::int64_t u = begin; u < end; ++u) {
      rows_ahead.next(u, end);
      const float* const gradient = occurrences.panel(u, 0, width, sums[0]);
      apply(u, gradient, update.row_value(rows[u], NoReduction(), width));
    }
  } else {
    // A row's reduction is a chain of additions, so the next row's is begun before this row is updated.
    const auto open = [&](std::int64_t u, RowReduction<R>& reduction) {
      const float* const gradient = occurrences.panel(u, 0, width, sums[u & 1]);
      const std::int64_t first = rows[u] * width;
      reduction = RowReduction<R>();
      over([&]<int N>(std::int64_t c, auto count) {
        const Block<float, N> w = load<N>(parameter + first + c, count), g = load<N>(gradient + c, count);
        reduction.template add<N>(c, update.template measured<N>(w, g, first + c, count), count);
      });
      return gradient;
    };
    RowReduction<R> reduction;
    const float* gradient = open(begin, reduction);
    for (std::int64_t u = begin; u < end; ++u) {
      rows_ahead.next(u, end);
      const float value = update.row_value(rows[u], reduction, width);
      const float* const present = gradient;
      if (u + 1 < end) gradient = open(u + 1, reduction);
      apply(u, present, value);
    }
  }
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
