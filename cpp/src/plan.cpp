#include "steepest/runtime/plan.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "tasks.hpp"

namespace steepest {
Plan::Plan(const KernelTable& kernels, std::vector<Item> items, std::vector<const RuleInfo*> rules,
           const std::vector<int>& scopes)
    : kernels_(kernels), items_(std::move(items)), rules_(std::move(rules)), steps_(rules_.size()) {
  for (Item& item : items_)
    if (item.strided != nullptr) {
      strided_ = true;
      item.strided->copy = std::make_unique<std::byte[]>(std::size_t(size_of(item) * stored_bytes(item.dtype)));
      item.args.parameter = item.strided->copy.get();
    }
  scopes_.resize(rules_.size() > 1 ? rules_.size() + 1 : 1);
  for (std::size_t scope = 0; scope < scopes_.size(); ++scope) {
    scopes_[scope].ones.resize(items_.size());
    for (std::size_t k = 0; k < items_.size(); ++k) {
      const int job = items_[k].job;
      if (scope > 0 && (scopes.empty() ? job : scopes[std::size_t(job)]) != int(scope) - 1) continue;
      scopes_[scope].items.push_back(k);
      scopes_[scope].ones[k] = 1;
    }
  }
  lay_out();
  prepare();
}

void Plan::prepare() {
  bool sparse = false;
  has_norm_ops_ = false;
  if (!written_known_) find_written();
  for (Item& item : items_) {
    item.norm_op = -1;
    if (item.args.op_count > 0) {
      item.ops.clear();
      item.args.op_count = 0;
    }
    if (by_groups(item)) {
      sparse = heavy_ = true;
      if (item.history != nullptr) {
        item.history->reserve();
        item.args.pending = &item.history->pending();
      }
    }
    item.args.groups = nullptr;
    copy_if_aliased(item);
    if (item.strided != nullptr) copy_strided(item, false);
  }
  steady_ = steady_ && !sparse;
}

void Plan::group(Item& item, RowOrder order) {
  if (!by_groups(item) || item.args.groups != nullptr) return;
  const auto grouped = [&]<class Index>(const Index* indices) {
    return coalesce(Indices<Index>{indices, item.batch, item.index_step}, item.args.rows, order);
  };
  item.grouping = item.indices == nullptr ? all_rows(item.args.rows)
                  : item.wide_indices     ? grouped(static_cast<const std::int64_t*>(item.indices))
                                          : grouped(static_cast<const std::int32_t*>(item.indices));
  if (item.weights != nullptr) item.grouping.weigh(item.weights, item.batch, gradient_bytes(item));
  if (item.bags != nullptr) item.grouping.read_from(item.bags, item.batch, item.bag_count);
  item.groups = item.grouping.groups();
  item.args.groups = &item.groups;
}

// Tables by all threads, where there are several and ids enough. Rows are ascending at least where a rule wants them
// so; without `ascending` the plan must have rules.
void Plan::group_all(bool ascending) {
  const auto ordered = [&](const RuleInfo& rule) { return rule.every_row || measures(rule); };
  const auto group_item = [&](Item& item) {
    group(item, ascending || ordered(rule_of(item)) ? RowOrder::ascending : RowOrder::any);
  };
  constexpr std::int64_t kWorthThreads = 16384;  // ids: more than 100 us of one thread
  std::int64_t tables = 0, ids = 0;
  for (const Item& item : items_)
    if (by_groups(item) && item.args.groups == nullptr) {
      ++tables;
      ids += item.batch;
    }
  if (tables < 2 || ids < kWorthThreads || Pool::instance().threads() < 2) {
    for (Item& item : items_) group_item(item);
    return;
  }
  std::vector<std::exception_ptr> errors(items_.size());  // tasks must not throw
  Pool::instance().run(std::int64_t(items_.size()), [&](std::int64_t k) {
    const auto position = static_cast<std::size_t>(k);
    try {
      group_item(items_[position]);
    } catch (...) {
      errors[position] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : errors)
    if (error != nullptr) std::rethrow_exception(error);
}

void Plan::release() {
  if (!heavy_) return;
  heavy_ = false;
  for (Item& item : items_) {
    if (item.args.groups != nullptr) {
      item.grouping = {};
      item.args.groups = nullptr;
    }
    item.gradient_copy.reset();
    item.indices_copy.reset();
  }
}

std::int64_t work_of(const Item& item, const RuleInfo& rule) {
  return item.indices != nullptr && !rule.every_row ? item.batch * item.args.width : size_of(item);
}

static std::int64_t occurrences(const RowGroups& s, std::int64_t begin, std::int64_t end) {
  return s.positions == nullptr ? end - begin : std::int64_t(s.offsets[end]) - std::int64_t(s.offsets[begin]);
}

// Where a chunk that begins at unique row `begin` ends. Occurrences count as well as rows, for some rows come often.
static std::int64_t cut_rows(const RowGroups& s, std::int64_t begin, std::int64_t work) {
  if (s.positions == nullptr) return std::min(s.count, begin + work);
  // Reading and writing a row and its slots takes as long as reading so many gradients.
  constexpr std::int64_t kRow = 2;
  const auto before = [&](std::int64_t u) { return std::int64_t(s.offsets[u]) + kRow * u; };
  const std::int64_t target = before(begin) + (kRow + 1) * work;
  std::int64_t low = begin + 1, high = s.count;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (before(middle) < target)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Cuts every wave into chunks, and groups these to tasks. Both depend on sizes alone.
void Plan::cut() {
  if (steady_) return;
  bool steady = true;  // the plan's own once all is cut: what gets no memory here is cut anew
  chunks_.clear();
  tasks_.clear();
  for (Wave& wave : waves_) {
    wave.first_chunk = chunks_.size();
    wave.first_task = tasks_.size();
    wave.elements = 0;
    std::int64_t filled = kSmallestDenseChunk;  // elements in the task so far; a full one makes way for the first
    for (std::size_t position = wave.first_item; position < wave.last_item; ++position) {
      const Item& item = items_[order_[position]];
      const UpdateArgs& args = item.args;
      const std::int64_t size = size_of(item);
      steady = steady && args.groups == nullptr;
      if (size == 0) continue;
      const RuleInfo& rule = rule_of(item);
      const bool by_rows = args.groups != nullptr || rule.by_row;
      const std::int64_t unit = by_rows ? args.width : 1;
      const bool batch_only = args.groups != nullptr && !rule.every_row;
      const std::int64_t count = batch_only ? args.groups->count : by_rows ? args.rows : size;
      const std::int64_t least = batch_only ? kSmallestChunk : kSmallestDenseChunk;
      const std::int64_t share = divide_up(work_of(item, rule) / 64, least) * least;  // chunks begin with a cache line
      const std::int64_t grain = std::max<std::int64_t>(1, std::clamp(share, least, kLargestChunk) / unit);
      // Dense drivers count in elements, sparse drivers in rows.
      const std::int64_t stride = args.groups == nullptr ? unit : 1;
      for (std::int64_t begin = 0, end; begin < count; begin = end) {
        end = batch_only ? cut_rows(*args.groups, begin, grain) : std::min(count, begin + grain);
        if (filled >= kSmallestDenseChunk) {
          tasks_.push_back(chunks_.size());
          filled = 0;
        }
        chunks_.push_back({order_[position], begin * stride, end * stride});
        filled += (batch_only ? occurrences(*args.groups, begin, end) : end - begin) * unit;
      }
      wave.elements += work_of(item, rule);
    }
    wave.last_chunk = chunks_.size();
    wave.last_task = tasks_.size();
  }
  prefetch_next();
  steady_ = steady;
}

// Where tasks begin in chunks_, and the end. An item with a norm_op is in one task as a whole, with as many others as a
// cache holds from their norms to their updates.
std::vector<std::size_t> Plan::norm_tasks(const Wave& wave) const {
  constexpr std::int64_t kGroup = 262144;
  const std::int64_t room = std::min(kGroup, wave.elements / (4 * Pool::instance().threads()));
  std::vector<std::size_t> groups;
  std::int64_t filled = room;
  for (std::size_t c = wave.first_chunk; c < wave.last_chunk; ++c) {
    const Item& item = items_[chunks_[c].item];
    const bool within = c > wave.first_chunk && chunks_[c - 1].item == chunks_[c].item && item.norm_op >= 0;
    if (!within && filled >= room) {
      groups.push_back(c);
      filled = 0;
    }
    const std::int64_t length = chunks_[c].end - chunks_[c].begin;
    filled += item.args.groups != nullptr ? length * item.args.width : length;
  }
  groups.push_back(wave.last_chunk);
  return groups;
}

// Everything that may fail, before the first write.
void Plan::begin(std::span<const double* const> values) {
  for (std::size_t k = 0; k < rules_.size(); ++k) {
    rules_[k]->kernels[int(DType::f32)].step(values[k], steps_[k].narrow);
    rules_[k]->kernels[int(DType::f64)].step(values[k], steps_[k].wide);
  }
  group_all(false);
  cut();
  prepare_measurements();
}

void Plan::run(std::span<const double* const> values) {
  begin(values);
  const auto update = [chunks = chunks_.data(), items = items_.data(), rules = rules_.data(),
                       all_steps = steps_.data()](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      const Chunk& chunk = chunks[c];
      const Item& item = items[chunk.item];
      const RuleKernels& kernel = rules[item.job]->kernels[int(item.dtype)];
      const Steps& steps = all_steps[item.job];
      const auto& update_item = item.args.groups != nullptr ? kernel.sparse : kernel.dense;
      update_item(steps.of(item.dtype), item.args, chunk.begin, chunk.end);
    }
  };
  const auto copy_wave = [&](const Wave& wave, bool back) {
    if (!strided_) return;
    for (std::size_t k = wave.first_item; k < wave.last_item; ++k)
      if (const Item& item = items_[order_[k]]; item.strided != nullptr) copy_strided(item, back);
  };
  for (std::size_t w = 0; w < waves_.size(); ++w) {
    const Wave& wave = waves_[w];
    if (wave.first_item > 0) copy_wave(wave, false);  // an earlier wave may have written there
    measure(w);
    if (has_norm_ops_) {
      const std::vector<std::size_t> groups = norm_tasks(wave);
      run_tasks(std::int64_t(groups.size()) - 1, wave.elements, [&](std::int64_t k) {
        const std::size_t first = groups[static_cast<std::size_t>(k)], last = groups[static_cast<std::size_t>(k) + 1];
        for (std::size_t c = first; c < last; ++c)
          if (Item& item = items_[chunks_[c].item]; item.norm_op >= 0) resolve_norm(item);
        update(first, last);
      });
    } else if (wave.elements < kParallelElements) {
      update(wave.first_chunk, wave.last_chunk);
    } else {
      Pool::instance().run(std::int64_t(wave.last_task - wave.first_task), [&](std::int64_t k) {
        const std::size_t task = wave.first_task + static_cast<std::size_t>(k);
        update(tasks_[task], task + 1 < wave.last_task ? tasks_[task + 1] : wave.last_chunk);
      });
    }
    copy_wave(wave, true);
  }
  for (Item& item : items_)
    if (item.history != nullptr)
      item.history->record(rule_of(item).step_rate(values[static_cast<std::size_t>(item.job)]));
}

void transform_gradient(const KernelTable& kernels, DType dtype, const UpdateArgs& args, void* out, bool cold) {
  const std::int64_t width = std::max<std::int64_t>(1, args.width);
  const std::int64_t count = args.groups != nullptr ? args.groups->count : args.rows * args.width;
  const std::int64_t grain =
      args.groups != nullptr ? std::max<std::int64_t>(1, kSmallestChunk / width) : kSmallestChunk;
  run_tasks(divide_up(count, grain), args.groups != nullptr ? count * width : count, [&](std::int64_t k) {
    kernels.transform[int(dtype)](args, out, cold, k * grain, std::min(count, (k + 1) * grain));
  });
}

}  // namespace steepest
