// Sums of rows of tables: bags of ids, and their results side by side. Nothing here has code, as in kernel_api.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "steepest/runtime/kernel_api.hpp"

namespace steepest {

// What a kernel reads and writes for one table. Rows are checked.
struct BagArgs {
  const void* table;
  std::int64_t width;
  const std::int64_t* rows;     // of all bags, one bag after the other
  const std::int64_t* offsets;  // bag b is rows[offsets[b] .. offsets[b + 1]); nullptr: every bag has `length` rows
  std::int64_t length;
  const void* weights;   // in the type of the arithmetic, one for each of the rows, or nullptr
  const void* divisors;  // the same, one for each bag
  void* out;             // bag b goes to out + b * out_stride elements
  std::int64_t out_stride;
};

// out of bags [begin, end) = the sum of their rows, each times its weight, in order, then divided; 0 for an empty bag.
using CombineFn = void (*)(const BagArgs&, std::int64_t begin, std::int64_t end);

struct BagKernels {
  CombineFn combine[kDTypes];
};

// One table's part of a lookup. ids: a matrix of `bags` times `length`, or a row of them where there are offsets.
struct BagLookup {
  BagArgs args;  // `rows` is where checked ids go
  std::int64_t* rows;
  std::int64_t table_rows, bags, count;  // count: of ids
  const void* ids;
  std::int64_t bag_step, id_step;  // from one bag's first id to the next one's, and from id to id, in ids
  bool wide_ids;                   // int64 instead of int32
};

// Where an id was that is no row of its table.
struct BadId {
  std::int64_t table = -1, position = 0, id = 0;
};

// Checks and copies ids, and combines rows, by all threads. Where an id is bad, the first one of the first table is
// returned; its results are then not written.
BadId combine_rows(DType dtype, const std::vector<BagLookup>& lookups);

}  // namespace steepest
