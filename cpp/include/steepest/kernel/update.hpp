// One register block of one parameter: load, op, rule, store. Both drivers end here.
#pragma once

#include <utility>

#include "steepest/kernel/gradient.hpp"
#include "steepest/kernel/root.hpp"
#include "steepest/kernel/rule.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Ops: NoOps or OneOp. InUpdate: what the rule is given, Block or DenseBlock.
template <class R, class Stored, class Ops = NoOps, template <class, int> class InUpdate = Block>
struct Updater {
  using T = Compute<Stored>;
  using Step = typename R::template Step<T>;
  static constexpr int kElementSlots = slots_of<R>(Extent::element);
  static constexpr bool kHasRowSlot = slots_of<R>(Extent::row) > 0;
  static constexpr bool kHasValue = by_row<R>() || HasRatio<R>;
  using RowSlot = std::conditional_t<row_slot_kind<R>() == SlotKind::integer, std::int64_t, T>;

  const Step step;
  const UpdateArgs args;
  Ops ops;

  Updater(const void* s, const UpdateArgs& a) : step(step_of<R, T>(s)), args(a), ops(a) {}

  // The value of every row, where rows are not asked one by one.
  T common_value() const {
    if constexpr (HasRatio<R>)
      return R::template ratio<T>(step, args.parameter_norm, args.measured_norm);
    else
      return T(1);
  }

  // Adds columns [column, column + columns) of a row to what the rule reduces; slots from element i.
  template <class Reduction>
  void reduce(Reduction& reduction, const T* parameter, const T* gradient, std::int64_t i, std::int64_t column,
              std::int64_t columns) const {
    for_padded_blocks<kBlock<T>>(0, columns, [&]<int N>(std::int64_t c, auto count) {
      const Block<T, N> w = load<N>(parameter + c, count), g = load<N>(gradient + c, count);
      reduction.template add<N>(column + c, measured<N>(w, g, i + c, count), count);
    });
  }

  // The value of one row. To be called once per row and visit: it changes the row's slot. `reduction` has all of the
  // row, and is not looked at by a rule without one. `width`: that of the row, told where the compiler may know it.
  template <class Reduction>
  T row_value(std::int64_t row, const Reduction& reduction, std::int64_t width) const {
    if constexpr (Reduces<R> && kHasRowSlot)
      return R::template row<T>(step, slot_of(row), reduction.template of<T>(width));
    else if constexpr (Reduces<R>)
      return R::template row<T>(step, reduction.template of<T>(width));
    else if constexpr (kHasRowSlot)
      return R::template row<T>(step, slot_of(row));
    else
      return common_value();
  }

  // The first `count` elements of a block: of the parameter from `parameter` on, of its slots from element i on.
  template <int N, class Count>
  void block(Stored* parameter, std::int64_t i, Count count, T value, Block<T, N> g) const {
    block_with(parameter, i, count, value, g, std::make_index_sequence<kElementSlots>{});
  }

  // A block of a row without a gradient.
  template <int N, class Count>
  void rest(Stored* parameter, std::int64_t i, Count count) const {
    rest_with<N>(parameter, i, count, std::make_index_sequence<kElementSlots>{});
  }

  // What the rule measures of a block with parameter w and gradient g. To be called once per block and visit where its
  // slots take the gradient first.
  template <int N, class Count>
  Block<T, N> measured(const Block<T, N>& w, const Block<T, N>& g, std::int64_t i, Count count) const {
    return measured_with(w, g, i, count, std::make_index_sequence<kElementSlots>{});
  }

 private:
  RowSlot& slot_of(std::int64_t row) const { return static_cast<RowSlot*>(args.slots[kElementSlots])[row]; }

  template <int N, class Count, std::size_t... K>
  Block<T, N> measured_with(const Block<T, N>& w, const Block<T, N>& g, std::int64_t i, Count count,
                            std::index_sequence<K...>) const {
    if constexpr (Measures<R>) {
      const auto run = [&](auto... slot) {
        const Block<T, N> out = R::template measured<T, Block<T, N>>(step, w, g, slot...);
        if constexpr (SlotsFirst<R>) (store<N>(static_cast<T*>(args.slots[K]) + i, slot, count), ...);
        return out;
      };
      return run(load<N>(static_cast<const T*>(args.slots[K]) + i, count)...);
    } else {
      return g;
    }
  }

  template <int N, class Count, std::size_t... K>
  void rest_with(Stored* parameter, std::int64_t i, Count count, std::index_sequence<K...> all) const {
    if constexpr (HasRest<R>) {
      const auto run = [&](auto... slot) {
        Block<T, N> w = load<N>(parameter, count);
        R::template rest<T>(step, w, slot...);
        (store<N>(static_cast<T*>(args.slots[K]) + i, slot, count), ...);
        store<N>(parameter, w, count);
      };
      run(load<N>(static_cast<T*>(args.slots[K]) + i, count)...);
    } else {
      Block<T, N> g = Block<T, N>::Zero();
      block_with(parameter, i, count, T(1), g, all);  // a rule that moves every row has no value
    }
  }

  template <int N, class Count, std::size_t... K>
  void block_with(Stored* parameter, std::int64_t i, Count count, T value, Block<T, N>& gradient,
                  std::index_sequence<K...>) const {
    const auto run = [&](auto... slot) {
      InUpdate<T, N> w = load<N>(parameter, count);
      if constexpr (!std::is_same_v<Ops, NoOps>) ops.apply(gradient, w);
      const InUpdate<T, N> g = gradient;
      if constexpr (kHasValue)
        R::template apply<T>(step, value, w, g, slot...);
      else
        R::template apply<T>(step, w, g, slot...);
      if constexpr (!SlotsFirst<R>) (store<N>(static_cast<T*>(args.slots[K]) + i, slot, count), ...);
      store<N>(parameter, w, count);
    };
    run(InUpdate<T, N>(load<N>(static_cast<T*>(args.slots[K]) + i, count))...);
  }
};

// The reduction of a rule that has none.
struct NoReduction {};
template <class R>
struct ReductionOf {
  using type = NoReduction;
};
template <Reduces R>
struct ReductionOf<R> {
  using type = typename R::Reduction;
};
template <class R>
using RowReduction = typename ReductionOf<R>::type;

}  // namespace STEEPEST_ISA
}  // namespace steepest
