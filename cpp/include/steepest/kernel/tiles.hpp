// Dense updates with ops, and those of half types by whole rows: made ready tile by tile.
#pragma once

#include "steepest/kernel/macros.hpp"
#include "steepest/runtime/kernel_api.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// What a tile asks of a rule: its updates without ops.
struct TileRule {
  UpdateFn dense;   // in the stored type; nullptr for half types by whole rows
  UpdateFn wide;    // dense, in the type of the arithmetic
  UpdateFn sparse;  // nullptr where rows are not updated as a whole
  int element_slots;
  int row_slot_bytes;  // 0 where rows have no slot
};

// Each op runs over a tile's gradient in the first-level cache, then the update without ops. A loop over ops inside the
// loop over blocks would keep every block in memory. Rows that are updated as a whole and are longer than a tile go one
// by one to the sparse update. Compiled once for all rules, in src/tiles.cpp.
template <class Stored>
void run_tiles(const TileRule& rule, const void* step, const UpdateArgs& args, std::int64_t begin, std::int64_t end);

}  // namespace STEEPEST_ISA
}  // namespace steepest
