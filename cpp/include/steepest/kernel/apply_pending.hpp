// Rows with pending moves make them without a gradient, or before their gradient is applied, or are read as if they had
// made them.
#pragma once

#include <cstring>
#include <optional>
#include <utility>

#include "steepest/kernel/occurrences.hpp"
#include "steepest/kernel/rule.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Loads a block of the parameter and its slots and makes the pending moves; then(w, slot...) gets the result.
template <class Stored, int N, class PendingUpdate, class Then, std::size_t... K>
void pending_block(const UpdateArgs& args, const PendingUpdate& update, const Stored* parameter, std::int64_t i,
                   const Then& then, std::index_sequence<K...>) {
  using T = Compute<Stored>;
  const auto run = [&](auto... slot) {
    Block<T, N> w = load<N>(parameter);
    update.apply(w, slot...);
    then(w, slot...);
  };
  run(load<N>(static_cast<T*>(args.slots[K]) + i)...);
}

// The moves of `count` elements of the parameter, its slots from element i.
template <Rule R, class Stored, class PendingUpdate>
[[gnu::noinline]] STEEPEST_FLATTEN void make_moves(const UpdateArgs& args, const PendingUpdate& update,
                                                   Stored* parameter, std::int64_t i, std::int64_t count) {
  using T = Compute<Stored>;
  constexpr auto kSlots = std::make_index_sequence<slots_of<R>(Extent::element)>{};
  for_blocks<kBlock<T>>(0, count, [&]<int N>(std::int64_t c) {
    const auto store_all = [&]<std::size_t... K>(std::index_sequence<K...>, const auto& w, const auto&... slot) {
      (store<N>(static_cast<T*>(args.slots[K]) + i + c, slot), ...);
      store<N>(parameter + c, w);
    };
    pending_block<Stored, N>(
        args, update, parameter + c, i + c, [&](const auto&... results) { store_all(kSlots, results...); }, kSlots);
  });
}

// The pending moves of a row that is visited; nothing for a rule without them.
template <class R, class T>
struct RowMoves {
  RowMoves(const UpdateArgs&, std::int64_t) {}
  void make(const UpdateArgs&, T*, std::int64_t, std::int64_t) const {}
};
template <HasPending R, class T>
class RowMoves<R, T> {
 public:
  RowMoves(const UpdateArgs& args, std::int64_t row) {
    if (args.pending == nullptr) return;
    update_.emplace(*args.pending, args.pending->last[row]);
    args.pending->last[row] = std::uint16_t(args.pending->now + 1);
  }
  void make(const UpdateArgs& args, T* parameter, std::int64_t i, std::int64_t columns) const {
    if (update_ && update_->has_moves()) make_moves<R>(args, *update_, parameter, i, columns);
  }

 private:
  std::optional<typename R::template PendingUpdate<T>> update_;
};

template <Rule R, class Stored>
void apply_pending(const UpdateArgs& args, std::int64_t begin, std::int64_t end) {
  using PendingUpdate = typename R::template PendingUpdate<Compute<Stored>>;
  const std::uint16_t* const last = args.pending->last;
  for (std::int64_t row = begin; row < end;) {
    const std::int64_t first = row++;
    while (row < end && last[row] == last[first]) ++row;  // narrow rows cost no more than wide ones
    const PendingUpdate update(*args.pending, last[first]);
    const std::int64_t i = first * args.width;
    if (update.has_moves())
      make_moves<R>(args, update, static_cast<Stored*>(args.parameter) + i, i, (row - first) * args.width);
  }
}

template <Rule R, class Stored>
STEEPEST_FLATTEN void read_rows(const UpdateArgs& args, const std::int64_t* ids, void* out, std::int64_t begin,
                                std::int64_t end) {
  using T = Compute<Stored>;
  using PendingUpdate = typename R::template PendingUpdate<T>;
  constexpr int kSlotCount = slots_of<R>(Extent::element);
  const std::int64_t width = args.width;
  const auto* const parameter = static_cast<const Stored*>(args.parameter);
  const auto ahead = [&](std::int64_t row) {
    prefetch(parameter + row * width, width * std::int64_t(sizeof(Stored)));
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
      std::memcpy(target, parameter + row * width, std::size_t(width) * sizeof(Stored));
      continue;
    }
    for_blocks<kBlock<T>>(0, width, [&]<int N>(std::int64_t column) {
      const std::int64_t i = row * width + column;
      pending_block<Stored, N>(
          args, update, parameter + i, i, [&](const auto& w, const auto&...) { store<N>(target + column, w); },
          std::make_index_sequence<kSlotCount>{});
    });
  }
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
