// Groups the duplicates of a batch of row indices, in batch order.
#pragma once

#include <cstdint>
#include <vector>

#include "steepest/kernels.hpp"

namespace steepest {

// The storage behind Segments; movable, so that a plan keeps one per sparse gradient.
struct Coalesced {
  std::vector<std::int64_t> rows, offsets;
  std::vector<std::uint32_t> positions;

  Segments segments() const {
    return {rows.data(), offsets.data(), positions.empty() ? nullptr : positions.data(), std::int64_t(rows.size())};
  }
};

// Returns the position of the first index outside [0, rows), or -1.
std::int64_t first_out_of_range(const std::int32_t* indices, std::int64_t count, std::int64_t rows);
std::int64_t first_out_of_range(const std::int64_t* indices, std::int64_t count, std::int64_t rows);

// Indices must be in [0, rows) and count below 2^32. Throws std::bad_alloc.
Coalesced coalesce(const std::int32_t* indices, std::int64_t count, std::int64_t rows);
Coalesced coalesce(const std::int64_t* indices, std::int64_t count, std::int64_t rows);

}  // namespace steepest
