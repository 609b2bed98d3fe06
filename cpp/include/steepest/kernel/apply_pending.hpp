// Rows with pending moves make them without a gradient, or are read as if they had made them.
#pragma once

#include <cstring>
#include <utility>

#include "steepest/kernel/sparse.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Loads a block of the parameter and its slots and makes the pending moves; then(w, slot...) gets the result.
template <class R, class Stored, int N, class PendingUpdate, class Then, std::size_t... K>
void pending_block(const UpdateArgs& args, const PendingUpdate& update, std::int64_t i, const Then& then,
                   std::index_sequence<K...>) {
  using T = Compute<Stored>;
  const auto run = [&](auto... slot) {
    Block<T, N> w = load<N>(static_cast<const Stored*>(args.parameter) + i);
    update.apply(w, slot...);
    then(w, slot...);
  };
  run(load<N>(static_cast<T*>(args.slots[K]) + i)...);
}

template <Rule R, class Stored>
STEEPEST_FLATTEN void apply_pending(const UpdateArgs& args, std::int64_t begin, std::int64_t end) {
  using T = Compute<Stored>;
  using PendingUpdate = typename R::template PendingUpdate<T>;
  constexpr auto kSlots = std::make_index_sequence<slots_of<R>(Extent::element)>{};
  const std::uint16_t* const last = args.pending->last;
  for (std::int64_t row = begin; row < end;) {
    const std::int64_t first = row++;
    while (row < end && last[row] == last[first]) ++row;  // narrow rows cost no more than wide ones
    const PendingUpdate update(*args.pending, last[first]);
    if (!update.has_moves()) continue;
    for_blocks<kBlock<T>>(first * args.width, row * args.width, [&]<int N>(std::int64_t i) {
      const auto store_all = [&]<std::size_t... K>(std::index_sequence<K...>, const auto& w, const auto&... slot) {
        (store<N>(static_cast<T*>(args.slots[K]) + i, slot), ...);
        store<N>(static_cast<Stored*>(args.parameter) + i, w);
      };
      pending_block<R, Stored, N>(
          args, update, i, [&](const auto&... results) { store_all(kSlots, results...); }, kSlots);
    });
  }
}

template <Rule R, class Stored>
STEEPEST_FLATTEN void read_rows(const UpdateArgs& args, const std::int64_t* ids, void* out, std::int64_t begin,
                                std::int64_t end) {
  using T = Compute<Stored>;
  using PendingUpdate = typename R::template PendingUpdate<T>;
  constexpr int kSlotCount = slots_of<R>(Extent::element);
  const std::int64_t width = args.width;
  const auto ahead = [&](std::int64_t row) {
    prefetch(static_cast<const Stored*>(args.parameter) + row * width, width * std::int64_t(sizeof(Stored)));
    if (args.pending->last[row] >= args.pending->now) return;
    for (int k = 0; k < kSlotCount; ++k)
      prefetch(static_cast<const T*>(args.slots[k]) + row * width, width * std::int64_t(sizeof(T)));
  };
  for (std::int64_t k = begin; k < end; ++k) {
    if (k + kRowsAhead < end) ahead(ids[k + kRowsAhead]);
    const std::int64_t row = ids[k];
    Stored* const target = static_cast<Stored*>(out) + k * width;
    const PendingUpdate update(*args.pending, args.pending->last[row]);
    if (!update.has_moves()) {
      std::memcpy(target, static_cast<const Stored*>(args.parameter) + row * width,
                  std::size_t(width) * sizeof(Stored));
      continue;
    }
    for_blocks<kBlock<T>>(0, width, [&]<int N>(std::int64_t column) {
      pending_block<R, Stored, N>(
          args, update, row * width + column, [&](const auto& w, const auto&...) { store<N>(target + column, w); },
          std::make_index_sequence<kSlotCount>{});
    });
  }
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
