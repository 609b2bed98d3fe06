// Sizes of items, and how work is cut into tasks. Shared by the files of this folder alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include "steepest/runtime/plan.hpp"
#include "steepest/runtime/pool.hpp"
#include "steepest/runtime/sizes.hpp"

namespace steepest {

inline constexpr std::int64_t kSmallestChunk = 16384, kLargestChunk = 262144;

// Of a dense update: small enough for two threads to end together, large enough that taking a task costs nothing.
inline constexpr std::int64_t kSmallestDenseChunk = 8192;

// Whether a rule asks for norms of whole parameters.
inline bool measures(const RuleInfo& rule) { return rule.kernels[0].measure != nullptr; }

inline std::int64_t size_of(const Item& item) { return item.args.rows * item.args.width; }

// Whether an update goes by groups of rows: those of a batch, or all of a dense gradient whose rows lie apart.
inline bool by_groups(const Item& item) { return item.indices != nullptr || item.args.row_gap != 0; }

// Of one number of the gradient.
inline std::int64_t gradient_bytes(const Item& item) { return item.args.wide_gradient ? 4 : stored_bytes(item.dtype); }

// Duplicates counted. A batch may name more rows than there is memory for, where it is no parameter's.
inline std::int64_t gradient_size(const Item& item) {
  return (item.indices != nullptr ? item.batch : item.args.rows) * item.args.width;
}

// Copies a strided parameter's elements to its copy, or back. Does not throw.
void copy_strided(const Item& item, bool back) noexcept;

// Runs body(k) over tasks: in the calling thread where the work is small.
template <class Body>
void run_tasks(std::int64_t tasks, std::int64_t elements, const Body& body) {
  if (elements < kParallelElements)
    for (std::int64_t k = 0; k < tasks; ++k) body(k);
  else
    Pool::instance().run(tasks, body);
}

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace steepest
