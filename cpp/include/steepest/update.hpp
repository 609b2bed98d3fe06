// One register block of one parameter: load, hooks, rule, store. Both drivers end here.
#pragma once

#include <utility>

#include "steepest/gradient.hpp"
#include "steepest/rule.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Fused: whether the tensor has ops. They are a loop over memory, and without them every block stays in registers.
template <class R, class Stored, bool Fused>
struct Updater {
  using T = Compute<Stored>;
  using Step = typename R::template Step<T>;
  static constexpr int kElementSlots = slots_of<R>(Extent::element);
  static constexpr bool kHasRowSlot = slots_of<R>(Extent::row) > 0;

  const Step step;
  const Tensor t;
  GradientOps<T> ops;

  Updater(const void* s, const Tensor& tensor) : step(*static_cast<const Step*>(s)), t(tensor), ops(tensor) {}

  // Evaluated once per row and visit; the counter behind it advances.
  T row_value(std::int64_t row) const {
    if constexpr (kHasRowSlot)
      return R::template row<T>(step, static_cast<std::int64_t*>(t.slots[kElementSlots])[row]);
    else
      return T(1);
  }

  template <int N>
  void block(std::int64_t i, T row, Block<T, N> g) const {
    block_with(i, row, g, std::make_index_sequence<kElementSlots>{});
  }

 private:
  template <int N, std::size_t... K>
  void block_with(std::int64_t i, T row, Block<T, N>& g, std::index_sequence<K...>) const {
    Stored* const parameter = static_cast<Stored*>(t.parameter) + i;
    const auto run = [&](auto... slot) {
      Block<T, N> w = load<N>(parameter);
      if constexpr (Fused) ops.apply(g, w);
      if constexpr (kHasRowSlot)
        R::template apply<T>(step, row, w, g, slot...);
      else
        R::template apply<T>(step, w, g, slot...);
      (store<N>(static_cast<T*>(t.slots[K]) + i, slot), ...);
      store<N>(parameter, w);
    };
    run(load<N>(static_cast<T*>(t.slots[K]) + i)...);
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
