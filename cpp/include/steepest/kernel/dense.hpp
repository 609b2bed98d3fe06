// The dense driver: a gradient for every element.
#pragma once

#include "steepest/kernel/ahead.hpp"
#include "steepest/kernel/sparse.hpp"
#include "steepest/kernel/tiles.hpp"
#include "steepest/kernel/update.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// The rows of a rule that works by rows may be short, with more to do for each than a root takes.
template <class R, class Stored, class Ops>
using DenseUpdater = std::conditional_t<by_row<R>(), Updater<R, Stored, Ops>, Updater<R, Stored, Ops, DenseBlock>>;

// Of half types whole blocks alone, and rules that do not work by rows.
template <Rule R, class Stored, class Ops = NoOps>
STEEPEST_FLATTEN void run_dense(const void* step, const UpdateArgs& args, std::int64_t begin, std::int64_t end) {
  using Up = DenseUpdater<R, Stored, Ops>;
  using T = typename Up::T;
  const Up update(step, args);
  Stored* const parameter = static_cast<Stored*>(args.parameter);
  const UpdateArgs* const later = Ahead<Stored, Up::kElementSlots>::of(args);
  const auto run = [&](std::int64_t from, std::int64_t to, T value) {
    // From the updater's own copy of the arguments: no store can change it, so it is read once.
    const auto block = [&]<int N>(std::int64_t i, auto count) {
      Block<T, N> g;
      if constexpr (std::is_same_v<Stored, T>)
        g = load<N>(static_cast<const T*>(update.args.gradient) + i, count);
      else
        g = load_gradient<Stored, N>(update.args, i);
      update.template block<N>(parameter + i, i, count, value, g);
    };
    if (later != nullptr) {
      const Ahead<Stored, Up::kElementSlots> next(*later, args);
      for (const auto both = std::min(to, next.end()); from + kBlock<T> <= both; from += kBlock<T>) {
        next.fetch(from);
        block.template operator()<kBlock<T>>(from, Whole<kBlock<T>>());
      }
    }
    if constexpr (std::is_same_v<Stored, T>)
      for_padded_blocks<kBlock<T>>(from, to, block);
    else
      for (; from < to; from += kBlock<T>) block.template operator()<kBlock<T>>(from, Whole<kBlock<T>>());
  };
  const std::int64_t width = args.width;
  if constexpr (!by_row<R>()) {
    run(begin, end, update.common_value());
  } else if (width == 0) {
    return;
  } else if constexpr (Reduces<R>) {
    const auto reduce = [&](std::int64_t first, RowReduction<R>& reduction) {
      reduction = RowReduction<R>();
      update.reduce(reduction, parameter + first, static_cast<const T*>(args.gradient) + first, first, 0, width);
    };
    // As in whole_rows.hpp, where the next row leaves this one in the first level of cache.
    const bool early = width <= kPanel;
    RowReduction<R> reduction;
    if (begin < end) reduce(begin, reduction);
    for (std::int64_t first = begin; first < end; first += width) {
      const T value = update.row_value(first / width, reduction, width);
      const bool more = first + width < end;
      if (early && more) reduce(first + width, reduction);
      run(first, first + width, value);
      if (!early && more) reduce(first + width, reduction);
    }
  } else {
    const auto value_of = [&](std::int64_t row) { return update.row_value(row, NoReduction(), width); };
    // Consecutive rows with the same value are one run, so narrow rows cost no more than wide ones.
    std::int64_t row = begin / width;
    const std::int64_t last = end / width;
    while (row < last) {
      const std::int64_t first = row;
      const T value = value_of(row++);
      T next = value;
      while (row < last && (next = value_of(row)) == value) ++row;
      run(first * width, row * width, value);
      if (row < last) {
        // The row that ended the run has been visited, and its counter has advanced: it is a run of its own. (Beginning
        // the next run with it instead needs one call of run() less and was 10 % slower.)
        run(row * width, (row + 1) * width, next);
        ++row;
      }
    }
  }
}

template <Rule R, class Stored>
void update_dense(const void* step, const UpdateArgs& args, std::int64_t begin, std::int64_t end) {
  if constexpr (HasUsual<R>) {
    if (is_usual<R, Compute<Stored>>(step)) return update_dense<Usual<R>, Stored>(step, args, begin, end);
  }
  using T = Compute<Stored>;
  constexpr bool kNarrow = !std::is_same_v<Stored, T>;
  TileRule rule{nullptr, run_dense<R, T>, nullptr, slots_of<R>(Extent::element), 0};
  if constexpr (by_row<R>()) rule.sparse = update_sparse<R, Stored>;
  if constexpr (slots_of<R>(Extent::row) > 0) rule.row_slot_bytes = sizeof(typename Updater<R, T>::RowSlot);
  if constexpr (!kNarrow) {
    rule.dense = run_dense<R, Stored>;
    if (args.op_count == 0) return rule.dense(step, args, begin, end);
    if constexpr (Common<R> && !Reduces<R>) {
      if (args.op_count == 1)
        return visit(args.ops[0].kind,
                     [&]<GradientOp::Kind K>() { run_dense<R, Stored, OneOp<Stored, K>>(step, args, begin, end); });
    }
  } else if constexpr (!by_row<R>()) {
    if (args.op_count == 0) {  // the tile has the last few, in the type of the arithmetic
      const std::int64_t rest = (end - begin) % kBlock<T>;
      run_dense<R, Stored>(step, args, begin, end - rest);
      begin = end - rest;
    } else {
      rule.dense = update_dense<R, Stored>;
    }
  }
  if (begin < end) run_tiles<Stored>(rule, step, args, begin, end);
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
