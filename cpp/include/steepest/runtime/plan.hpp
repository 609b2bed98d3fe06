// Many parameters, one call: duplicates, hooks, norms, then every update in one parallel region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "steepest/runtime/grouping.hpp"
#include "steepest/runtime/kernel_api.hpp"
#include "steepest/runtime/step_history.hpp"

namespace steepest {

// A hook as the user wrote it. Those that need a norm become a GradientOp once the norm is known.
struct Hook {
  enum Kind : int { clip_by_value, l2, decoupled, clip_by_norm, clip_by_global_norm, check_finite };
  Kind kind;
  double a, b;  // clip_by_value: low, high; weight decays: rate; norms: limit
  // Where norms go: one of all items, or one for each item. nullptr: nobody asks.
  double* measured = nullptr;
  // Weight decays: nonzero for the items that decay. nullptr: all.
  const std::uint8_t* decays = nullptr;
};

// A parameter whose elements lie apart, or are not aligned: the update works on a copy in C order.
struct Strided {
  std::byte* data = nullptr;
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // size, stride in bytes; the last moves fastest
  std::unique_ptr<std::byte[]> copy;
};

// One (gradient, parameter) pair. The caller has checked every size, and that indices are in range.
struct Item {
  UpdateArgs args{};  // of a strided parameter, `parameter` is the plan's to set
  DType dtype{};
  int job = 0;                         // which of the plan's rules updates it
  std::unique_ptr<Strided> strided;    // nullptr: the parameter is in C order and aligned
  const void* indices = nullptr;       // nullptr: a dense gradient
  std::int64_t index_step = 1;         // from one index to the next, in indices
  bool wide_indices = false;           // int64 instead of int32
  std::int64_t batch = 0;              // rows of a sparse gradient, duplicates counted
  const std::int32_t* bags = nullptr;  // for each index the row of the gradient that it gets; nullptr: its own
  std::int64_t bag_count = 0;          // rows of the gradient where there are bags
  const void* weights = nullptr;       // for each index a number of the gradient's type that its row is multiplied by
  bool norms_known = false;            // a rule with a ratio takes those in args, and measures nothing
  StepHistory* history = nullptr;      // records the step for rows without a gradient; must have room, and appear once

  // Filled in by the plan.
  std::uintptr_t apart_begin = 0, apart_end = 0;  // where the last gradient lay that is no part of what is written
  Grouping grouping;
  RowGroups groups{};
  std::vector<GradientOp> ops;
  int norm_op = -1;  // the position in ops of a scale whose factor is found just before the item's update, or -1
  double* measured = nullptr;  // where that norm goes
  std::unique_ptr<std::byte[]> gradient_copy, indices_copy;
};

struct NormPart;

class Plan {
 public:
  static constexpr int kAllJobs = -1;

  // Finds which parameters overlap, and prepares the items' gradients. Without rules there are only norms.
  Plan(const KernelTable& kernels, std::vector<Item> items, std::vector<const RuleInfo*> rules = {},
       const std::vector<int>& scopes = {});

  // For another step on the same parameters: set gradients, indices and slots here, say so where slots are others, then
  // call prepare().
  std::vector<Item>& items() { return items_; }
  const std::vector<const RuleInfo*>& rules() const { return rules_; }
  void slots_moved() { written_known_ = false; }

  // Copies gradients and indices that are (views of) what is written, and forgets hooks resolved before.
  void prepare();

  // Frees what only the last step needed.
  void release();

  // Resolves the hooks in order, for the items of one job or for all. Returns the item whose gradient fails a
  // check_finite, or -1. Writes nothing but the plan itself and what hooks measure.
  std::int64_t resolve(const std::vector<Hook>& hooks, int job = kAllJobs);

  // The Euclidean norm of every gradient as it stands after the hooks resolved so far, duplicates summed.
  std::vector<double> norms() { return norms(std::vector<double>(items_.size(), 1)); }

  // The sums of squares that the norms of rules with a ratio are made of, before the step: of each item two numbers for
  // each touched chunk, elements times `scale`. So are norms found of parameters that lie in several processes.
  std::vector<std::vector<double>> chunk_sums(std::span<const double* const> values, double scale);

  // Updates everything; items that share a parameter in list order. Does not throw once it has begun to write.
  // `values`: the numbers of each rule.
  void run(std::span<const double* const> values);

  Plan(const Plan&) = delete;  // arguments point into their items
  Plan& operator=(const Plan&) = delete;

 private:
  struct Chunk {
    std::size_t item;
    std::int64_t begin, end;
  };
  // Items of one wave touch different memory. Chunks are grouped to tasks, each large enough for a thread.
  struct Wave {
    std::size_t first_item, last_item;  // positions in order_
    std::size_t first_chunk, last_chunk, first_task, last_task;
    std::int64_t elements;
  };
  struct alignas(64) Steps {  // one for each type of arithmetic
    std::byte narrow[kStepBytes], wide[kStepBytes];
    const void* of(DType dtype) const { return dtype == DType::f64 ? wide : narrow; }
  };
  struct Scope {  // what hooks work on
    std::vector<std::size_t> items;
    std::vector<double> ones;  // a scale for each item of the plan: 1, or 0 where it is not in the scope
  };
  const RuleInfo& rule_of(const Item& item) const { return *rules_[static_cast<std::size_t>(item.job)]; }
  struct Measurement;
  void lay_out();
  void find_written();
  bool is_written(std::uintptr_t begin, std::uintptr_t end) const;
  void copy_if_aliased(Item& item);
  // Groups the duplicates of a sparse item that is not grouped yet.
  static void group(Item& item, RowOrder order);
  void group_all(bool ascending);
  void cut();
  void prefetch_next();
  std::vector<double> norms(const std::vector<double>& scales);
  std::int64_t norm_op_size() const;
  void resolve_norm(Item& item) const;
  void begin(std::span<const double* const> values);
  void prepare_measurements();
  std::int64_t measure_part(const NormPart& part, double scale, double* sums) const;
  void resolve_measured(const Measurement& m);
  void measure(std::size_t wave);
  std::vector<std::size_t> norm_tasks(const Wave& wave) const;

  const KernelTable& kernels_;
  std::vector<Item> items_;
  std::vector<const RuleInfo*> rules_;
  std::vector<Steps> steps_;   // of each rule
  std::vector<Scope> scopes_;  // everything, then where there are several those of each job
  // Where parameters and slots lie, sorted by begin; ends_[k] is the farthest end of the first k + 1.
  std::vector<std::uintptr_t> begins_, ends_;
  bool written_known_ = false;
  std::vector<std::size_t> order_;  // items by wave
  std::vector<Wave> waves_;
  std::vector<Chunk> chunks_;
  std::vector<std::size_t> tasks_;                          // where each begins in chunks_
  std::vector<std::shared_ptr<Measurement>> measurements_;  // of each wave, where a rule has a ratio
  bool steady_ = false;                                     // all gradients are dense: the same chunks serve every step
  bool heavy_ = false;                                      // the last step has memory to free
  bool strided_ = false;                                    // some parameter is strided
  bool has_norm_ops_ = false;                               // some item has a norm_op
  double limit_ = 0;                                        // what the norms of those items are clipped to
};

// Elements that an update of the item visits.
std::int64_t work_of(const Item& item, const RuleInfo& rule);

// Below this many elements in all, waking a second thread costs more than it saves.
inline constexpr std::int64_t kParallelElements = 32768;

// sqrt(sum of squares over all norms), safe where the squares themselves would overflow.
double combine_norms(const std::vector<double>& norms);

// The factor by which clipping to `limit` scales; 1 where nothing is clipped, NaN for a NaN norm.
double clip_factor(double norm, double limit);

// out = the gradient after its ops, duplicates summed where it has groups; in parallel. `cold` as for
// TransformFn.
void transform_gradient(const KernelTable& kernels, DType dtype, const UpdateArgs& args, void* out, bool cold = false);

}  // namespace steepest
