// The dense driver: a gradient for every element.
#pragma once

#include "steepest/kernel/update.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Where the driver finds the arrays of the tensor that comes next.
template <class Stored, int Slots>
class Ahead {
 public:
  explicit Ahead(const Tensor& t) : elements_(t.rows * t.width), gradient_bytes_(t.wide_gradient ? 4 : sizeof(Stored)) {
    gradient_ = static_cast<const char*>(t.gradient);
    parameter_ = static_cast<const Stored*>(t.parameter);
    for (int k = 0; k < Slots; ++k) slots_[k] = static_cast<const Compute<Stored>*>(t.slots[k]);
  }

  std::int64_t elements() const { return elements_; }

  // Asks for element i of each, to be in the second-level cache by the time that it is read. In the first level it
  // would drive out what the present tensor needs.
  void fetch(std::int64_t i) const {
    constexpr int kRead = 0, kSecondLevel = 2;
    __builtin_prefetch(gradient_ + i * gradient_bytes_, kRead, kSecondLevel);
    __builtin_prefetch(parameter_ + i, kRead, kSecondLevel);
    for (int k = 0; k < Slots; ++k) __builtin_prefetch(slots_[k] + i, kRead, kSecondLevel);
  }

 private:
  std::int64_t elements_, gradient_bytes_;
  const char* gradient_;
  const Stored* parameter_;
  const Compute<Stored>* slots_[kMaxSlots];
};

template <Rule R, class Stored, class Ops>
STEEPEST_FLATTEN void run_dense(const void* step, const Tensor& t, std::int64_t begin, std::int64_t end) {
  using Up = Updater<R, Stored, Ops>;
  using T = typename Up::T;
  const Up update(step, t);
  const auto run = [&](std::int64_t from, std::int64_t to, T row) {
    const auto block = [&]<int N>(std::int64_t i) {
      // The updater's tensor is its own, which no store can change: what it says is asked once.
      update.template block<N>(i, row, load_gradient<Stored, N>(update.t, i));
    };
    if (t.next != nullptr) {
      const Ahead<Stored, Up::kElementSlots> next(*t.next);
      for (const auto both = std::min(to, next.elements()); from + kBlock<T> <= both; from += kBlock<T>) {
        next.fetch(from);
        block.template operator()<kBlock<T>>(from);
      }
    }
    for_blocks<kBlock<T>>(from, to, block);
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

// The tensor without its first `skipped` elements.
template <class Stored, int Slots>
Tensor elements_from(Tensor t, std::int64_t skipped) {
  t.width = t.rows * t.width - skipped;
  t.rows = 1;
  t.parameter = static_cast<Stored*>(t.parameter) + skipped;
  t.gradient = static_cast<const char*>(t.gradient) + skipped * gradient_bytes<Stored>(t);
  for (int k = 0; k < Slots; ++k) t.slots[k] = static_cast<Compute<Stored>*>(t.slots[k]) + skipped;
  return t;
}

// Updates the tensor's first `count` elements, at most a tile.
template <Rule R, class Stored>
void update_tile(const void* step, Tensor part, const GradientOps<Compute<Stored>>& ops, Tile<Stored>& tile,
                 std::int64_t count) {
  using T = Compute<Stored>;
  apply_ops<Stored>(part, ops, count, tile);
  part.gradient = tile.gradient;
  part.op_count = 0;
  if constexpr (!std::is_same_v<Stored, T>) {
    part.wide_gradient = true;
    if (ops.changes_parameter()) {  // which is not to be rounded before the rule has seen it
      auto* const parameter = static_cast<Stored*>(part.parameter);
      part.parameter = tile.parameter;
      part.next = nullptr;
      run_dense<R, T, NoOps>(step, part, 0, count);
      narrow_all(tile.parameter, count, parameter);
      return;
    }
  }
  run_dense<R, Stored, NoOps>(step, part, 0, count);
}

// With ops, a dense update goes tile by tile: each op runs over the tile's gradient in the first-level cache, then the
// plain update. A loop over ops inside the loop over blocks would keep every block in memory.
template <Rule R, class Stored>
void run_tiles(const void* step, const Tensor& t, std::int64_t begin, std::int64_t end) {
  constexpr int kSlots = slots_of<R>(Extent::element);
  const GradientOps<Compute<Stored>> ops(t);
  Tile<Stored> tile;
  for (std::int64_t i = begin; i < end; i += kTile<Stored>) {
    const std::int64_t count = std::min(kTile<Stored>, end - i);
    Tensor part = elements_from<Stored, kSlots>(t, i);
    Tensor next;
    if (t.next != nullptr) {
      const bool more = i < t.next->rows * t.next->width;
      if (more) next = elements_from<Stored, kSlots>(*t.next, i);
      part.next = more ? &next : nullptr;
    }
    update_tile<R, Stored>(step, part, ops, tile, count);
  }
}

template <Rule R, class Stored>
void update_dense(const void* step, const Tensor& t, std::int64_t begin, std::int64_t end) {
  if (t.op_count == 0) return run_dense<R, Stored, NoOps>(step, t, begin, end);
  if constexpr (std::is_same_v<Stored, Compute<Stored>>) {
    if (t.op_count == 1)
      return visit(t.ops[0].kind,
                   [&]<GradientOp::Kind K>() { run_dense<R, Stored, OneOp<Stored, K>>(step, t, begin, end); });
  }
  // A rule with row slots asks for whole rows.
  if constexpr (slots_of<R>(Extent::row) > 0)
    run_dense<R, Stored, GradientOps<Compute<Stored>>>(step, t, begin, end);
  else
    run_tiles<R, Stored>(step, t, begin, end);
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
