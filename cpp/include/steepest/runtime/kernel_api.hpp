// What a kernel translation unit offers to the rest of the core: plain data and function pointers.
//
// One such unit exists per instruction set. Nothing in this header has code, so units compiled for
// different processors share no function that a linker could merge.
#pragma once

#include <cstddef>
#include <cstdint>

namespace steepest {

enum class DType : int { f32, f64, f16, bf16 };
enum class Extent : int { element, row };
enum class SlotKind : int { real, integer };  // real: the type of the arithmetic; integer: int64

inline constexpr int kDTypes = 4;
inline constexpr int kMaxSlots = 4;
inline constexpr int kMaxGradientOps = 16;
inline constexpr std::size_t kStepBytes = 128;

// Sums of squares and sums of duplicates are cut at these fixed places, so that neither the number of
// threads nor the width of a register shows in the result.
inline constexpr std::int64_t kNormChunk = 4096;      // elements, counted from the start of the parameter
inline constexpr std::int64_t kDuplicateChunk = 256;  // occurrences of one row

// What happens to a gradient between compute and apply, fused into the update.
// In order of the list: each sees what the one before it left.
struct GradientOp {
  enum Kind : int {
    clamp,      // g = max(min(g, b), a); NaN stays
    scale,      // g = g * a
    l2,         // g = g + w * a
    decoupled,  // w = w - w * a, before the rule
  };
  Kind kind;
  double a, b;
};

// The rows of a sparse gradient, duplicates grouped: unique row u is rows[u], and its occurrences in the
// batch are positions[offsets[u] .. offsets[u + 1]), ascending. positions == nullptr means that row u is the
// batch's u-th, without repeats, so that offsets are not needed either.
struct RowGroups {
  const std::int64_t* rows;
  const std::uint32_t* offsets;
  const std::uint32_t* positions;
  std::int64_t count;
  // For each of `positions` a number of the gradient's type that the row is multiplied by, the product rounded to that
  // type; nullptr: rows as they are. Only where there are positions.
  const void* weights = nullptr;
};

// What is needed to make the moves that rows have missed. step_history.hpp keeps it and says what the numbers mean.
struct PendingState {
  std::int64_t now;               // steps on record
  std::uint16_t* last;            // for each row: the step up to which it has moved
  const double* sums;             // for each step as `last`, each range of ages: `terms` numbers
  const double* centers;          // for each range
  const int* first_ages;          // for each range: the first age in it, from 1
  const double *decay1, *decay2;  // powers of beta1 and beta2, by age
  double epsilon;
  int age_ranges, terms;
};
inline constexpr int kMaxAgeRanges = 32;                       // at most
inline constexpr int kSeriesTerms = 6, kWideSeriesTerms = 13;  // where the arithmetic is float, double

// One parameter and everything that its update reads and writes. All arrays are C-contiguous, but for the rows of a
// gradient with groups, which may lie apart.
struct UpdateArgs {
  void* parameter;
  const void* gradient;  // dense: like the parameter; sparse: one row of `width` per batch position
  std::int64_t row_gap;  // elements from the end of such a row to the next one; below 0 where rows go backwards
  void* slots[kMaxSlots];
  std::int64_t rows, width;
  const RowGroups* groups;  // nullptr: dense
  PendingState* pending;    // nullptr: rows that are left out do not move
  const GradientOp* ops;
  const UpdateArgs* next;  // where both are dense: what is updated next and may be prefetched meanwhile, or nullptr
  double parameter_norm, measured_norm;  // for a rule with a ratio
  int op_count;
  bool wide_gradient;  // half types only: the gradient is float32 instead of the parameter's type
};

// Dense: elements [begin, end), whole rows for a rule that is `by_row`.
// Sparse: unique rows [begin, end) of the groups, or rows of the table where the rule moves every row.
using UpdateFn = void (*)(const void* step, const UpdateArgs&, std::int64_t begin, std::int64_t end);

// Sums of squares of the gradient after its ops, times `scale` squared; one value per touched chunk
// of kNormChunk elements, in order. Returns how many values were written to `sums`.
// Dense: chunks [begin, end). Sparse: unique rows [begin, end).
using SquaresFn = std::int64_t (*)(const UpdateArgs&, double scale, std::int64_t begin, std::int64_t end, double* sums);

// Writes the gradient after its ops to `out`. Dense: elements [begin, end). Sparse: one row, duplicates
// summed, for each of the unique rows [begin, end). `cold`: `out` is likely in no cache, and is streamed to memory:
// else its lines would be read first, which costs as much as writing them.
using TransformFn = void (*)(const UpdateArgs&, void* out, bool cold, std::int64_t begin, std::int64_t end);

// Rows [begin, end) of the table make their pending moves. The caller clears the history afterwards.
using ApplyPendingFn = void (*)(const UpdateArgs&, std::int64_t begin, std::int64_t end);

// out[k] = row ids[k] of the parameter as it stands after its pending moves, for k in [begin, end). Changes nothing.
using ReadFn = void (*)(const UpdateArgs&, const std::int64_t* ids, void* out, std::int64_t begin, std::int64_t end);

// Sums of squares of the parameter and of what the rule measures, times `scale` squared: two numbers for each touched
// chunk of kNormChunk elements, in order. Returns how many numbers were written to `sums`.
// Dense: chunks [begin, end). Sparse: unique rows [begin, end), ascending.
using MeasureFn = std::int64_t (*)(const void* step, const UpdateArgs&, double scale, std::int64_t begin,
                                   std::int64_t end, double* sums);

struct RuleKernels {
  void (*step)(const double* values, void* step);  // values: hyper-parameters, then scalars, in schema order
  UpdateFn dense;
  UpdateFn sparse;
  ApplyPendingFn apply_pending;  // these two: nullptr for a rule without pending moves
  ReadFn read;
  MeasureFn measure;  // nullptr for a rule without a ratio
};

struct Range {
  double low, high;
  bool low_open, high_open, integer;
  const char* text;  // completes "must ..."
};

struct HyperInfo {
  const char* name;
  double initial;
  Range range;
};

struct ScalarInfo {  // one value per optimizer, set anew for each step
  const char* name;
  Range range;
};

struct SlotInfo {
  const char* name;
  Extent extent;
  SlotKind kind;
  double initial;
  const char* initial_hyper;    // name of the hyper-parameter it starts at, or nullptr: at `initial`
  bool from_parameter = false;  // it starts at the parameter's values instead
};

struct RuleInfo {
  const char* name;
  const HyperInfo* hyper;
  int hyper_count;
  const ScalarInfo* scalars;
  int scalar_count;
  const SlotInfo* slots;
  int slot_count;
  bool every_row;   // sparse gradients move every row of the table, not only the batch's
  bool by_row;      // dense updates are made of whole rows
  bool needs_rows;  // it asks for a number of each row, which a scalar does not have
  double (*step_rate)(
      const double* values);  // what a step history records of a step; nullptr for a rule without pending moves
  RuleKernels kernels[kDTypes];
};

struct KernelTable {
  const char* isa;
  const RuleInfo* const* rules;
  int rule_count;
  SquaresFn squares_dense[kDTypes];
  SquaresFn squares_sparse[kDTypes];
  TransformFn transform[kDTypes];
};

// Whether this processor makes square roots sooner by multiplications: kernels ask (root.hpp), isa_select.cpp answers
// when the module is loaded.
extern const bool kRootsByMultiplication;

// Whether rows that are updated soon are asked for in the first level of cache (prefetch.hpp), likewise.
extern const bool kRowsToFirstLevel;

// From how many slots on large dense updates ask for their own arrays some way ahead (ahead.hpp), likewise.
extern const int kFewestSlotsAhead;

}  // namespace steepest
