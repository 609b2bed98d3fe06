// Which arrays of a plan share memory: what must be copied, and what must wait.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include "tasks.hpp"

namespace steepest {
namespace {

struct Interval {
  std::uintptr_t begin, end;
  bool overlaps(const Interval& other) const { return begin < other.end && other.begin < end; }
};

Interval interval(const void* data, std::int64_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  return {begin, begin + std::uintptr_t(bytes)};
}

// From the first byte to the last: strided parameters may lie between each other's elements.
Interval parameter_interval(const Item& item) {
  // Where a norm alone is asked for, rows have numbers as large as anybody likes.
  if (item.args.parameter == nullptr && item.strided == nullptr) return {0, 0};
  const std::int64_t bytes = stored_bytes(item.dtype);
  if (item.strided == nullptr) return interval(item.args.parameter, size_of(item) * bytes);
  std::int64_t low = 0, high = bytes;
  for (const auto& [size, stride] : item.strided->axes) {
    if (size == 0) return interval(item.strided->data, 0);
    (stride < 0 ? low : high) += (size - 1) * stride;
  }
  return interval(item.strided->data + low, high - low);
}

// `count` runs of so many bytes, each `stride` after the one before it, forwards or backwards.
Interval runs_interval(const void* first, std::int64_t count, std::int64_t bytes, std::int64_t stride) {
  if (count == 0) return interval(first, 0);
  const std::int64_t last = (count - 1) * stride;
  return interval(static_cast<const std::byte*>(first) + std::min<std::int64_t>(last, 0), std::abs(last) + bytes);
}

Interval gradient_interval(const Item& item) {
  const std::int64_t rows = item.bags != nullptr      ? item.bag_count
                            : item.indices != nullptr ? item.batch
                                                      : item.args.rows;
  const std::int64_t bytes = gradient_bytes(item);
  return runs_interval(item.args.gradient, rows, item.args.width * bytes,
                       (item.args.width + item.args.row_gap) * bytes);
}

Interval indices_interval(const Item& item) {
  const std::int64_t bytes = item.wide_indices ? 8 : 4;
  return runs_interval(item.indices, item.batch, bytes, item.index_step * bytes);
}

// Where a pointer into memory points in its copy.
const void* moved(const void* pointer, const Interval& memory, const std::byte* copy) {
  return copy + (reinterpret_cast<std::uintptr_t>(pointer) - memory.begin);
}

std::unique_ptr<std::byte[]> copy_of(const Interval& memory) {
  const std::size_t bytes = memory.end - memory.begin;
  auto copy = std::make_unique<std::byte[]>(bytes);
  if (bytes > 0) std::memcpy(copy.get(), reinterpret_cast<const void*>(memory.begin), bytes);
  return copy;
}

}  // namespace

bool Plan::is_written(std::uintptr_t begin, std::uintptr_t end) const {
  const auto after = std::lower_bound(begins_.begin(), begins_.end(), end) - begins_.begin();
  return after != 0 && ends_[static_cast<std::size_t>(after - 1)] > begin;
}

// A gradient, or indices, that are (a view of) a parameter or a slot mean its values before the call.
void Plan::copy_if_aliased(Item& item) {
  if (item.indices != nullptr)
    if (const Interval indices = indices_interval(item); is_written(indices.begin, indices.end)) {
      item.indices_copy = copy_of(indices);
      item.indices = moved(item.indices, indices, item.indices_copy.get());
    }
  const Interval gradient = gradient_interval(item);
  if (gradient.begin == item.apart_begin && gradient.end == item.apart_end) return;
  if (!is_written(gradient.begin, gradient.end)) {
    item.apart_begin = gradient.begin;
    item.apart_end = gradient.end;
    return;
  }
  heavy_ = true;
  item.gradient_copy = copy_of(gradient);
  item.args.gradient = moved(item.args.gradient, gradient, item.gradient_copy.get());
}

void Plan::find_written() {
  std::vector<Interval> written;
  for (Item& item : items_) {
    item.apart_begin = item.apart_end = 0;
    written.push_back(parameter_interval(item));
    if (rules_.empty()) continue;
    const RuleInfo& rule = rule_of(item);
    for (int k = 0; k < rule.slot_count; ++k) {
      const std::int64_t elements = rule.slots[k].extent == Extent::row ? item.args.rows : size_of(item);
      const std::int64_t bytes = rule.slots[k].kind == SlotKind::integer ? 8 : slot_bytes(item.dtype);
      if (item.args.slots[k] != nullptr) written.push_back(interval(item.args.slots[k], elements * bytes));
    }
  }
  std::sort(written.begin(), written.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  begins_.clear();
  ends_.clear();
  std::uintptr_t reach = 0;
  for (const Interval& memory : written) {
    reach = std::max(reach, memory.end);
    begins_.push_back(memory.begin);
    ends_.push_back(reach);
  }
  written_known_ = true;
}

// An item that shares memory with an earlier one waits for the wave after it.
void Plan::lay_out() {
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
  std::vector<std::size_t> wave(items_.size(), 0);
  if (shared)
    for (std::size_t k = 0; k < items_.size(); ++k)
      for (std::size_t before = 0; before < k; ++before)
        if (parameter_interval(items_[before]).overlaps(parameter_interval(items_[k])))
          wave[k] = std::max(wave[k], wave[before] + 1);
  order_.resize(items_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return wave[a] < wave[b]; });
  for (std::size_t k = 0; k < order_.size(); ++k) {
    if (k == 0 || wave[order_[k]] != wave[order_[k - 1]]) waves_.push_back({k, k, 0, 0, 0, 0, 0});
    waves_.back().last_item = k + 1;
  }
}

}  // namespace steepest
