// Sums over whole gradients, cut into parts for threads; their bits do not depend on the parts. Shared by the files of
// this folder alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks.hpp"

namespace steepest {

// What one call of a kernel sums: some chunks of one item's gradient, or some unique rows.
struct NormPart {
  std::size_t item;
  std::int64_t begin, end;
  std::size_t sums;  // where its sums begin
  std::int64_t used = 0;
};

// NormParts are cut where chunks end, so that no chunk's sum is split; they depend on sizes and indices alone.
class NormParts {
 public:
  // Long parts are read faster, many parts keep threads busy: the number of elements decides.
  // `numbers`: so many are summed side by side.
  explicit NormParts(std::int64_t elements, int numbers = 1)
      : dense_chunks_(std::clamp<std::int64_t>(elements / kNormChunk / 16, 8, 32)), numbers_(numbers) {}

  void add(std::size_t item, const UpdateArgs& args, std::int64_t size) {
    if (args.groups == nullptr) {
      const std::int64_t chunks = divide_up(size, kNormChunk);
      for (std::int64_t c = 0; c < chunks; c += dense_chunks_) {
        const std::int64_t end = std::min(chunks, c + dense_chunks_);
        push(item, c, end, end - c, (end - c) * kNormChunk);
      }
      return;
    }
    const RowGroups& s = *args.groups;
    const std::int64_t width = std::max<std::int64_t>(1, args.width);
    const std::int64_t grain = std::max<std::int64_t>(1, kSmallestChunk / width);
    std::int64_t begin = 0;
    const auto cut = [&](std::int64_t end) {
      // The most chunks that these rows can touch.
      push(item, begin, end, (end - begin) * (args.width / kNormChunk + 2), (end - begin) * width);
      begin = end;
    };
    for (std::int64_t u = grain; u < s.count; ++u) {
      const bool apart =
          (s.rows[u] * args.width) / kNormChunk != (s.rows[u - 1] * args.width + args.width - 1) / kNormChunk;
      if (!apart) continue;
      cut(u);
      u += grain - 1;
    }
    if (begin < s.count) cut(s.count);
  }

  // To be called once all items are added; nothing is allocated after it.
  void reserve() { sums_.resize(room_); }

  // one(part, where) for every part, in parallel; then put(item, number, sum) for every sum, in order.
  template <class One, class Put>
  void each(const One& one, const Put& put) {
    run_tasks(std::int64_t(tasks_.size()), elements_, [&](std::int64_t k) {
      const auto task = static_cast<std::size_t>(k);
      const std::size_t last = task + 1 < tasks_.size() ? tasks_[task + 1] : parts_.size();
      for (std::size_t p = tasks_[task]; p < last; ++p) parts_[p].used = one(parts_[p], sums_.data() + parts_[p].sums);
    });
    const auto numbers = static_cast<std::size_t>(numbers_);
    for (const NormPart& part : parts_)
      for (std::size_t k = 0; k < static_cast<std::size_t>(part.used); ++k)
        put(part.item, k % numbers, sums_[part.sums + k]);
  }

  // Adds the sums of each item to its totals.
  template <class One>
  void sum(std::span<double> totals, const One& one) {
    const auto numbers = static_cast<std::size_t>(numbers_);
    each(one, [&](std::size_t item, std::size_t number, double sum) { totals[item * numbers + number] += sum; });
  }

 private:
  void push(std::size_t item, std::int64_t begin, std::int64_t end, std::int64_t room, std::int64_t elements) {
    if (filled_ >= kSmallestChunk || tasks_.empty()) {
      tasks_.push_back(parts_.size());
      filled_ = 0;
    }
    parts_.push_back({item, begin, end, room_});
    room_ += static_cast<std::size_t>(room * numbers_);
    filled_ += elements;
    elements_ += elements;
  }

  std::int64_t dense_chunks_;  // in one part of a dense gradient
  std::int64_t numbers_;
  std::vector<double> sums_;
  std::vector<NormPart> parts_;
  std::vector<std::size_t> tasks_;  // where each begins in parts_
  std::size_t room_ = 0;
  std::int64_t filled_ = 0, elements_ = 0;
};

// The root of a sum of squares. Squares of float32 neither overflow nor vanish in double; those of float64 may, and are
// then taken once more: again(scale) sums the squares of the elements times `scale`.
template <class Again>
double safe_root(DType dtype, double squares, const Again& again) {
  constexpr double kTiny = 1e-200;
  if (dtype != DType::f64 || (squares >= kTiny && std::isfinite(squares))) return std::sqrt(squares);
  const double scale = std::ldexp(1.0, squares < kTiny ? 600 : -600);
  return std::sqrt(again(scale)) / scale;
}

}  // namespace steepest
