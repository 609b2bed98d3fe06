// The tiles of dense updates. Compiled once per instruction set.
#include "steepest/kernel/tiles.hpp"
#include "steepest/kernel/gradient.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {
namespace {

// So many elements are worked on together in the first-level cache.
template <class Stored>
inline constexpr std::int64_t kTile = 2048 / sizeof(Compute<Stored>);

// A stretch of a gradient after its ops; and of the parameter, where that is of a half type.
template <class Stored>
struct Tile {
  alignas(64) Compute<Stored> gradient[kTile<Stored>];
  alignas(64) Compute<Stored> parameter[std::is_same_v<Stored, Compute<Stored>> ? 1 : kTile<Stored>];
};

template <class From, class To>
STEEPEST_FLATTEN void convert(const From* from, std::int64_t count, To* to) {
  for_blocks<kBlock<float>>(0, count, [&]<int N>(std::int64_t i) { store<N>(to + i, load<N>(from + i)); });
}

// The arguments from their first `skipped` elements on; where rows are updated as a whole these are whole rows.
template <class Stored>
UpdateArgs elements_from(UpdateArgs args, const TileRule& rule, std::int64_t skipped) {
  using T = Compute<Stored>;
  args.parameter = static_cast<Stored*>(args.parameter) + skipped;
  args.gradient = static_cast<const char*>(args.gradient) + skipped * gradient_bytes<Stored>(args);
  for (int k = 0; k < rule.element_slots; ++k) args.slots[k] = static_cast<T*>(args.slots[k]) + skipped;
  if (rule.sparse != nullptr) {
    const std::int64_t rows = skipped / args.width;
    args.rows -= rows;
    if (rule.row_slot_bytes > 0) {
      void*& slot = args.slots[rule.element_slots];
      slot = static_cast<char*>(slot) + rows * rule.row_slot_bytes;
    }
  } else {
    args.width = args.rows * args.width - skipped;
    args.rows = 1;
  }
  return args;
}

// Updates the first `count` elements, at most a tile.
template <class Stored>
void update_tile(const TileRule& rule, const void* step, UpdateArgs part, const GradientOps<Compute<Stored>>& ops,
                 Tile<Stored>& tile, std::int64_t count) {
  using T = Compute<Stored>;
  auto* const parameter = static_cast<Stored*>(part.parameter);
  const T* gradient = static_cast<const T*>(part.gradient);
  part.gradient = tile.gradient;
  part.op_count = 0;
  if constexpr (std::is_same_v<Stored, T>) {
    ops.apply(gradient, parameter, tile.gradient, count);
    rule.dense(step, part, 0, count);
  } else {
    // A parameter that ops change is not to be rounded before the rule has seen it.
    const bool wide = rule.dense == nullptr || ops.changes_parameter();
    if (wide || ops.reads_parameter()) convert(parameter, count, tile.parameter);
    if (!part.wide_gradient) {
      convert(static_cast<const Stored*>(static_cast<const void*>(gradient)), count, tile.gradient);
      gradient = tile.gradient;
    }
    ops.apply(gradient, tile.parameter, tile.gradient, count);
    part.wide_gradient = true;
    if (wide) {
      part.parameter = tile.parameter;
      part.next = nullptr;
      rule.wide(step, part, 0, count);
      convert(tile.parameter, count, parameter);
    } else {
      rule.dense(step, part, 0, count);
    }
  }
}

}  // namespace

template <class Stored>
void run_tiles(const TileRule& rule, const void* step, const UpdateArgs& args, std::int64_t begin, std::int64_t end) {
  std::int64_t most = kTile<Stored>;
  if (rule.sparse != nullptr) {
    if (args.width == 0) return;
    most -= most % args.width;
    if (most == 0) {
      for (std::int64_t i = begin; i < end; i += args.width) {
        const std::int64_t row = i / args.width;
        const RowGroups groups{&row, nullptr, nullptr, 1};
        UpdateArgs part = args;
        part.gradient = static_cast<const char*>(args.gradient) + i * gradient_bytes<Stored>(args);
        part.groups = &groups;
        rule.sparse(step, part, 0, 1);
      }
      return;
    }
  }
  const GradientOps<Compute<Stored>> ops(args);
  Tile<Stored> tile;
  for (std::int64_t i = begin; i < end; i += most) {
    const std::int64_t count = std::min(most, end - i);
    UpdateArgs part = elements_from<Stored>(args, rule, i);
    UpdateArgs next;
    if (args.next != nullptr) {
      const bool more = i < args.next->rows * args.next->width;
      if (more) next = elements_from<Stored>(*args.next, rule, i);
      part.next = more ? &next : nullptr;
    }
    update_tile<Stored>(rule, step, part, ops, tile, count);
  }
}

template void run_tiles<float>(const TileRule&, const void*, const UpdateArgs&, std::int64_t, std::int64_t);
template void run_tiles<double>(const TileRule&, const void*, const UpdateArgs&, std::int64_t, std::int64_t);
template void run_tiles<Half>(const TileRule&, const void*, const UpdateArgs&, std::int64_t, std::int64_t);
template void run_tiles<BFloat16>(const TileRule&, const void*, const UpdateArgs&, std::int64_t, std::int64_t);

}  // namespace STEEPEST_ISA
}  // namespace steepest
