// Groups the duplicates of a batch of row indices, in batch order.
#pragma once

#include <cstdint>

#include "steepest/runtime/allocation.hpp"
#include "steepest/runtime/kernel_api.hpp"

namespace steepest {

// Owns the memory of RowGroups: 16 bytes an id.
class Grouping {
 public:
  Grouping() = default;
  Grouping(Allocation memory, const RowGroups& groups) : memory_(std::move(memory)), groups_(groups) {}
  const RowGroups& groups() const { return groups_; }

  // Has each of the batch's `count` occurrences read row places[k] of a gradient of so many rows, not row k. Each place
  // is read once and checked. Throws std::out_of_range.
  void read_from(const std::int32_t* places, std::int64_t count, std::int64_t rows);

  // Has each of the batch's `count` occurrences multiplied by a number of 2, 4 or 8 bytes. To be called before
  // read_from(): the numbers are in batch order. They are copied.
  void weigh(const void* weights, std::int64_t count, std::int64_t bytes);

 private:
  std::uint32_t* positions_of(std::int64_t count);

  Allocation memory_, weights_;
  RowGroups groups_{};
};

// Indices that lie `step` indices apart, as a column of a matrix does.
template <class Index>
struct Indices {
  const Index* data;
  std::int64_t count, step = 1;

  Index operator[](std::int64_t k) const { return data[k * step]; }
};

// Returns the position of the first index outside [0, rows), or -1.
std::int64_t first_out_of_range(const Indices<std::int32_t>& indices, std::int64_t rows);
std::int64_t first_out_of_range(const Indices<std::int64_t>& indices, std::int64_t rows);

// ascending: what norms and rules that move every row need. any: the quickest, which is rows that come once in batch
// order, so that their gradients are read as a stream, then the others.
enum class RowOrder { ascending, any };

// Count must be below 2^32. Takes another 16 bytes an id while it works. Each index is read once and what was read is
// checked: another thread may write to the indices meanwhile. Throws std::out_of_range for one outside [0, rows), and
// std::bad_alloc.
Grouping coalesce(const Indices<std::int32_t>& indices, std::int64_t rows, RowOrder order = RowOrder::ascending);
Grouping coalesce(const Indices<std::int64_t>& indices, std::int64_t rows, RowOrder order = RowOrder::ascending);

// Every row of a parameter, once.
Grouping all_rows(std::int64_t rows);

}  // namespace steepest
