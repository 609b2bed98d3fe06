// The hooks of a plan, and the norms that some of them need.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tasks.hpp"

namespace steepest {
namespace {

// Some chunks of one item's gradient, or some unique rows: what one call of a kernel sums.
struct Part {
  std::size_t item;
  std::int64_t begin, end;
  std::size_t sums;  // where its sums begin
  std::int64_t used = 0;
};

// Parts are cut where chunks end, so that no chunk's sum is split; they depend on sizes and indices alone.
class Parts {
 public:
  void add(std::size_t item, const Tensor& t, std::int64_t size) {
    if (t.segments == nullptr) {
      constexpr std::int64_t kChunks = 8;
      const std::int64_t chunks = divide_up(size, kNormChunk);
      for (std::int64_t c = 0; c < chunks; c += kChunks) {
        const std::int64_t end = std::min(chunks, c + kChunks);
        push(item, c, end, end - c, (end - c) * kNormChunk);
      }
      return;
    }
    const Segments& s = *t.segments;
    const std::int64_t width = std::max<std::int64_t>(1, t.width);
    const std::int64_t grain = std::max<std::int64_t>(1, kSmallestChunk / width);
    std::int64_t begin = 0;
    const auto cut = [&](std::int64_t end) {
      // The most chunks that these rows can touch.
      push(item, begin, end, (end - begin) * (t.width / kNormChunk + 2), (end - begin) * width);
      begin = end;
    };
    for (std::int64_t u = grain; u < s.count; ++u) {
      const bool apart = (s.rows[u] * t.width) / kNormChunk != (s.rows[u - 1] * t.width + t.width - 1) / kNormChunk;
      if (!apart) continue;
      cut(u);
      u += grain - 1;
    }
    if (begin < s.count) cut(s.count);
  }

  // sum(part, where) for every part, in parallel; then the sums of each of `items` items, added in order.
  template <class Sum>
  std::vector<double> totals(std::size_t items, const Sum& sum) {
    std::vector<double> sums(room_), totals(items);
    run_tasks(std::int64_t(tasks_.size()), elements_, [&](std::int64_t k) {
      const auto task = static_cast<std::size_t>(k);
      const std::size_t last = task + 1 < tasks_.size() ? tasks_[task + 1] : parts_.size();
      for (std::size_t p = tasks_[task]; p < last; ++p) parts_[p].used = sum(parts_[p], sums.data() + parts_[p].sums);
    });
    for (const Part& part : parts_)
      for (std::int64_t k = 0; k < part.used; ++k) totals[part.item] += sums[part.sums + static_cast<std::size_t>(k)];
    return totals;
  }

 private:
  void push(std::size_t item, std::int64_t begin, std::int64_t end, std::int64_t room, std::int64_t elements) {
    if (filled_ >= kSmallestChunk || tasks_.empty()) {
      tasks_.push_back(parts_.size());
      filled_ = 0;
    }
    parts_.push_back({item, begin, end, room_});
    room_ += static_cast<std::size_t>(room);
    filled_ += elements;
    elements_ += elements;
  }

  std::vector<Part> parts_;
  std::vector<std::size_t> tasks_;  // where each begins in parts_
  std::size_t room_ = 0;
  std::int64_t filled_ = 0, elements_ = 0;
};

// The sums of squares of the gradients, each times its scale; 0 for an item whose scale is 0.
std::vector<double> sums_of_squares(const KernelTable& kernels, const std::vector<Item>& items,
                                    const std::vector<double>& scales) {
  Parts parts;
  for (std::size_t k = 0; k < items.size(); ++k)
    if (scales[k] != 0) parts.add(k, items[k].tensor, size_of(items[k]));
  return parts.totals(items.size(), [&](const Part& part, double* sums) {
    const Item& item = items[part.item];
    const auto& squares = item.tensor.segments != nullptr ? kernels.squares_sparse : kernels.squares_dense;
    return squares[int(item.dtype)](item.tensor, scales[part.item], part.begin, part.end, sums);
  });
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

std::vector<double> Plan::norms() {
  group(RowOrder::ascending);
  std::vector<double> norms = sums_of_squares(kernels_, items_, std::vector<double>(items_.size(), 1));
  // Squares of float32 neither overflow nor vanish in double; those of float64 may, and are taken again.
  constexpr double kTiny = 1e-200;
  std::vector<double> scales(items_.size());
  bool again = false;
  for (std::size_t k = 0; k < items_.size(); ++k) {
    if (items_[k].dtype == DType::f64 && !(norms[k] >= kTiny && std::isfinite(norms[k]))) {
      scales[k] = std::ldexp(1.0, norms[k] < kTiny ? 600 : -600);
      again = true;
    }
    norms[k] = std::sqrt(norms[k]);
  }
  if (!again) return norms;
  const std::vector<double> scaled = sums_of_squares(kernels_, items_, scales);
  for (std::size_t k = 0; k < items_.size(); ++k)
    if (scales[k] != 0) norms[k] = std::sqrt(scaled[k]) / scales[k];
  return norms;
}

std::int64_t Plan::resolve(const std::vector<Hook>& hooks) {
  const auto append = [](Item& item, GradientOp::Kind kind, double a, double b = 0) {
    item.ops.push_back({kind, a, b});
    item.tensor.ops = item.ops.data();
    item.tensor.op_count = int(item.ops.size());
  };
  for (const Hook& hook : hooks) {
    backwards_ = backwards_ || hook.kind >= Hook::clip_by_norm;
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

}  // namespace steepest
