// The hooks of a plan, and the norms that some of them need.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tasks.hpp"

namespace steepest {
namespace {

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

}  // namespace steepest
