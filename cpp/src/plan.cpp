#include "steepest/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "steepest/pool.hpp"

namespace steepest {
namespace {

// Below this many elements in all, waking a second thread costs more than it saves.
constexpr std::int64_t kParallelElements = 32768;
constexpr std::int64_t kSmallestChunk = 16384, kLargestChunk = 262144;

std::int64_t stored_bytes(DType dtype) { return dtype == DType::f64 ? 8 : dtype == DType::f32 ? 4 : 2; }

std::int64_t gradient_bytes(const Item& item) {
  const std::int64_t rows = item.indices != nullptr ? item.batch : item.tensor.rows;
  return rows * item.tensor.width * (item.tensor.wide_gradient ? 4 : stored_bytes(item.dtype));
}

std::int64_t size_of(const Item& item) { return item.tensor.rows * item.tensor.width; }

struct Interval {
  std::uintptr_t begin, end;
  bool overlaps(const Interval& other) const { return begin < other.end && other.begin < end; }
};

Interval parameter_interval(const Item& item) {
  const auto begin = reinterpret_cast<std::uintptr_t>(item.tensor.parameter);
  return {begin, begin + std::uintptr_t(size_of(item) * stored_bytes(item.dtype))};
}

Interval gradient_interval(const Item& item) {
  const auto begin = reinterpret_cast<std::uintptr_t>(item.tensor.gradient);
  return {begin, begin + std::uintptr_t(gradient_bytes(item))};
}

// Runs body(k) over tasks: in the calling thread where the work is small.
template <class Body>
void run_tasks(std::int64_t tasks, std::int64_t elements, const Body& body) {
  if (elements < kParallelElements)
    for (std::int64_t k = 0; k < tasks; ++k) body(k);
  else
    Pool::instance().run(tasks, body);
}

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

double sum(const std::vector<double>& values, std::size_t count) {
  double total = 0;
  for (std::size_t k = 0; k < count; ++k) total += values[k];
  return total;
}

double sum_of_squares(const KernelTable& kernels, const Item& item, double scale) {
  const Tensor& t = item.tensor;
  const int dtype = int(item.dtype);
  if (t.segments == nullptr) {
    constexpr std::int64_t kChunksPerTask = 32;
    const std::int64_t chunks = divide_up(size_of(item), kNormChunk);
    std::vector<double> sums(static_cast<std::size_t>(chunks));
    run_tasks(divide_up(chunks, kChunksPerTask), size_of(item), [&](std::int64_t k) {
      const std::int64_t begin = k * kChunksPerTask;
      kernels.squares_dense[dtype](t, scale, begin, std::min(chunks, begin + kChunksPerTask), sums.data() + begin);
    });
    return sum(sums, sums.size());
  }
  // Tasks are cut between rows that lie in different chunks, so that no chunk's sum is split.
  const Segments& s = *t.segments;
  const std::int64_t grain = std::max<std::int64_t>(1, kSmallestChunk / std::max<std::int64_t>(1, t.width));
  std::vector<std::int64_t> cuts{0};
  for (std::int64_t u = grain; u < s.count; ++u) {
    const bool apart = (s.rows[u] * t.width) / kNormChunk != (s.rows[u - 1] * t.width + t.width - 1) / kNormChunk;
    if (apart) {
      cuts.push_back(u);
      u += grain - 1;
    }
  }
  cuts.push_back(s.count);
  const auto tasks = std::int64_t(cuts.size()) - 1;
  std::vector<std::vector<double>> sums(static_cast<std::size_t>(tasks));
  for (std::int64_t k = 0; k < tasks; ++k)  // the most chunks that these rows can touch
    sums[k].resize(static_cast<std::size_t>((cuts[k + 1] - cuts[k]) * (t.width / kNormChunk + 2)));
  run_tasks(tasks, item.batch * t.width, [&](std::int64_t k) {
    const auto used = kernels.squares_sparse[dtype](t, scale, cuts[k], cuts[k + 1], sums[k].data());
    sums[k].resize(static_cast<std::size_t>(used));
  });
  double total = 0;
  for (const auto& part : sums)
    for (const double value : part) total += value;
  return total;
}

double norm_of(const KernelTable& kernels, const Item& item) {
  const double squares = sum_of_squares(kernels, item, 1);
  if (item.dtype != DType::f64) return std::sqrt(squares);  // squares of float32 neither overflow nor vanish in double
  constexpr double kTiny = 1e-200;
  const double exponent = !std::isfinite(squares) ? -600 : squares < kTiny ? 600 : 0;
  if (exponent == 0) return std::sqrt(squares);
  const double scale = std::ldexp(1.0, int(exponent));
  return std::sqrt(sum_of_squares(kernels, item, scale)) / scale;
}

}  // namespace

double combine_norms(const std::vector<double>& norms) {
  double largest = 0;
  for (const double norm : norms) {
    if (std::isnan(norm)) return norm;
    largest = std::max(largest, norm);
  }
  if (largest == 0 || std::isinf(largest)) return largest;
  // A power of two: dividing by it is exact, so it changes no bit where nothing overflows.
  const double scale = std::ldexp(1.0, std::ilogb(largest));
  double squares = 0;
  for (const double norm : norms) squares += (norm / scale) * (norm / scale);
  return std::sqrt(squares) * scale;
}

double clip_factor(double norm, double limit) { return norm <= limit ? 1 : limit / norm; }

Plan::Plan(const KernelTable& kernels, std::vector<Item> items) : kernels_(kernels), items_(std::move(items)) {
  for (Item& item : items_) {
    if (item.indices == nullptr) continue;
    item.coalesced = item.wide_indices
                         ? coalesce(static_cast<const std::int64_t*>(item.indices), item.batch, item.tensor.rows)
                         : coalesce(static_cast<const std::int32_t*>(item.indices), item.batch, item.tensor.rows);
    item.segments = item.coalesced.segments();
    item.tensor.segments = &item.segments;
    if (item.ledger == nullptr) continue;
    item.ledger->reserve();
    item.tensor.debts = &item.ledger->debts();
  }
  isolate_gradients();
}

// A gradient may be a view of a parameter that this very call changes: it means the values before the call.
void Plan::isolate_gradients() {
  std::vector<Interval> parameters;
  parameters.reserve(items_.size());
  for (const Item& item : items_) parameters.push_back(parameter_interval(item));
  const auto by_begin = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  std::sort(parameters.begin(), parameters.end(), by_begin);
  std::uintptr_t reach = 0;  // ends ascend too, so that one search finds any overlap
  for (Interval& interval : parameters) interval.end = reach = std::max(reach, interval.end);
  for (Item& item : items_) {
    const Interval gradient = gradient_interval(item);
    const auto after = std::lower_bound(parameters.begin(), parameters.end(), Interval{gradient.end, 0}, by_begin);
    if (after == parameters.begin() || std::prev(after)->end <= gradient.begin) continue;
    const auto bytes = static_cast<std::size_t>(gradient_bytes(item));
    item.gradient_copy = std::make_unique<std::byte[]>(bytes);
    std::memcpy(item.gradient_copy.get(), item.tensor.gradient, bytes);
    item.tensor.gradient = item.gradient_copy.get();
  }
}

std::vector<double> Plan::norms() const {
  std::vector<double> out;
  out.reserve(items_.size());
  for (const Item& item : items_) out.push_back(norm_of(kernels_, item));
  return out;
}

std::int64_t Plan::resolve(const std::vector<Hook>& hooks) {
  const auto append = [](Item& item, GradientOp::Kind kind, double a, double b = 0) {
    item.ops.push_back({kind, a, b});
    item.tensor.ops = item.ops.data();
    item.tensor.op_count = int(item.ops.size());
  };
  for (const Hook& hook : hooks) {
    switch (hook.kind) {
      case Hook::clip_by_value:
        for (Item& item : items_) append(item, GradientOp::clamp, hook.a, hook.b);
        break;
      case Hook::l2:
        for (Item& item : items_) append(item, GradientOp::l2, hook.a);
        break;
      case Hook::decoupled:
        for (Item& item : items_) append(item, GradientOp::decoupled, hook.a);
        break;
      case Hook::clip_by_norm: {
        const std::vector<double> all = norms();
        for (std::size_t k = 0; k < items_.size(); ++k)
          if (const double factor = clip_factor(all[k], hook.a); factor != 1)
            append(items_[k], GradientOp::scale, factor);
        break;
      }
      case Hook::clip_by_global_norm: {
        const double norm = combine_norms(norms());
        const double factor =
            std::isfinite(norm) ? clip_factor(norm, hook.a) : std::numeric_limits<double>::quiet_NaN();
        if (factor != 1)
          for (Item& item : items_) append(item, GradientOp::scale, factor);
        break;
      }
      case Hook::check_finite: {
        const std::vector<double> all = norms();
        for (std::size_t k = 0; k < all.size(); ++k)
          if (!std::isfinite(all[k])) return std::int64_t(k);
        break;
      }
    }
  }
  return -1;
}

// Items of one wave touch different memory; an item that shares a parameter with an earlier one waits for its wave.
std::vector<int> Plan::waves() const {
  std::vector<int> wave(items_.size(), 0);
  std::vector<std::pair<Interval, std::size_t>> sorted;
  sorted.reserve(items_.size());
  for (std::size_t k = 0; k < items_.size(); ++k) sorted.emplace_back(parameter_interval(items_[k]), k);
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
  std::uintptr_t reach = 0;
  bool shared = false;
  for (const auto& [interval, k] : sorted) {
    shared = shared || (interval.begin < reach && interval.begin < interval.end);
    reach = std::max(reach, interval.end);
  }
  if (!shared) return wave;
  for (std::size_t k = 0; k < items_.size(); ++k)
    for (std::size_t before = 0; before < k; ++before)
      if (parameter_interval(items_[before]).overlaps(parameter_interval(items_[k])))
        wave[k] = std::max(wave[k], wave[before] + 1);
  return wave;
}

void Plan::run(const RuleInfo& rule, const double* values) {
  alignas(64) std::byte steps[2][kStepBytes];  // one for each type of arithmetic
  rule.kernels[int(DType::f32)].step(values, steps[0]);
  rule.kernels[int(DType::f64)].step(values, steps[1]);

  bool row_slots = false;
  for (int k = 0; k < rule.slot_count; ++k) row_slots = row_slots || rule.slots[k].extent == Extent::row;

  const std::vector<int> wave = waves();
  const int last_wave = wave.empty() ? -1 : *std::max_element(wave.begin(), wave.end());
  std::vector<std::vector<Chunk>> chunks(static_cast<std::size_t>(last_wave + 1));
  std::vector<std::int64_t> elements(chunks.size(), 0);
  for (std::size_t k = 0; k < items_.size(); ++k) {
    const Item& item = items_[k];
    const Tensor& t = item.tensor;
    if (size_of(item) == 0) continue;
    const bool by_rows = t.segments != nullptr || row_slots;
    const std::int64_t unit = by_rows ? t.width : 1;
    const bool batch_only = t.segments != nullptr && !rule.every_row;
    const std::int64_t count = batch_only ? t.segments->count : by_rows ? t.rows : size_of(item);
    const std::int64_t grain =
        std::max<std::int64_t>(1, std::clamp(size_of(item) / 64, kSmallestChunk, kLargestChunk) / unit);
    // Dense drivers count in elements, sparse drivers in rows.
    const std::int64_t stride = t.segments == nullptr ? unit : 1;
    auto& list = chunks[static_cast<std::size_t>(wave[k])];
    for (std::int64_t begin = 0; begin < count; begin += grain)
      list.push_back({k, begin * stride, std::min(count, begin + grain) * stride});
    elements[static_cast<std::size_t>(wave[k])] += batch_only ? item.batch * t.width : size_of(item);
  }

  for (std::size_t w = 0; w < chunks.size(); ++w) {
    run_tasks(std::int64_t(chunks[w].size()), elements[w], [&](std::int64_t c) {
      const Chunk& chunk = chunks[w][static_cast<std::size_t>(c)];
      const Item& item = items_[chunk.item];
      const RuleKernels& kernel = rule.kernels[int(item.dtype)];
      const void* step = steps[item.dtype == DType::f64];
      (item.tensor.segments != nullptr ? kernel.sparse : kernel.dense)(step, item.tensor, chunk.begin, chunk.end);
    });
  }
  for (Item& item : items_)
    if (item.ledger != nullptr) item.ledger->record(rule.owed(values));
}

void transform_gradient(const KernelTable& kernels, DType dtype, const Tensor& t, void* out) {
  const std::int64_t width = std::max<std::int64_t>(1, t.width);
  const std::int64_t count = t.segments != nullptr ? t.segments->count : t.rows * t.width;
  const std::int64_t grain = t.segments != nullptr ? std::max<std::int64_t>(1, kSmallestChunk / width) : kSmallestChunk;
  run_tasks(divide_up(count, grain), t.segments != nullptr ? count * width : count, [&](std::int64_t k) {
    kernels.transform[int(dtype)](t, out, k * grain, std::min(count, (k + 1) * grain));
  });
}

}  // namespace steepest
