// The hooks of a plan, and the norms that some of them need.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "norm_parts.hpp"

namespace steepest {
namespace {

// The sums of squares of the gradients, each times its scale; 0 for an item whose scale is 0.
std::vector<double> sums_of_squares(const KernelTable& kernels, std::span<const Item> items,
                                    std::span<const double> scales) {
  std::int64_t elements = 0;
  for (std::size_t k = 0; k < items.size(); ++k)
    if (scales[k] != 0) elements += gradient_size(items[k]);
  NormParts parts(elements);
  for (std::size_t k = 0; k < items.size(); ++k)
    if (scales[k] != 0) parts.add(k, items[k].args, size_of(items[k]));
  std::vector<double> totals(items.size());
  parts.reserve();
  parts.sum(totals, [&](const NormPart& part, double* sums) {
    const Item& item = items[part.item];
    const auto& squares = item.args.groups != nullptr ? kernels.squares_sparse : kernels.squares_dense;
    return squares[int(item.dtype)](item.args, scales[part.item], part.begin, part.end, sums);
  });
  return totals;
}

// At most so many chunks: their sums lie on the stack.
constexpr std::int64_t kNormOpChunks = 128;

// What sums_of_squares returns for one dense item, in this thread and without allocating.
double small_sum(const KernelTable& kernels, const Item& item, double scale) {
  double sums[kNormOpChunks], total = 0;
  const std::int64_t chunks = divide_up(size_of(item), kNormChunk);
  kernels.squares_dense[int(item.dtype)](item.args, scale, 0, chunks, sums);
  for (std::int64_t c = 0; c < chunks; ++c) total += sums[c];
  return total;
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

// 0 for an item whose scale is 0; the other scales are 1.
std::vector<double> Plan::norms(const std::vector<double>& scales) {
  group_all(true);
  std::vector<double> norms = sums_of_squares(kernels_, items_, scales);
  for (std::size_t k = 0; k < items_.size(); ++k)
    if (scales[k] != 0)
      norms[k] = safe_root(items_[k].dtype, norms[k], [&](double scale) {
        return sums_of_squares(kernels_, std::span(&items_[k], 1), std::span(&scale, 1)).front();
      });
  return norms;
}

// The size up to which one task finds an item's norm and then updates it, so that the gradient comes from memory once.
// 0 where an item may write what another's norm reads. Limited so that every thread has work. Measured (Xeon, two
// cores): 20 SGD arrays of 100,000 elements take 20 % longer without it, 500 Adam arrays of 1,000 take 11 % longer.
std::int64_t Plan::norm_op_size() const {
  if (waves_.size() != 1) return 0;
  std::int64_t elements = 0;
  for (const Item& item : items_) elements += size_of(item);
  const int threads = Pool::instance().threads();
  return std::min(kNormOpChunks * kNormChunk, threads == 1 ? elements : elements / (4 * threads));
}

void Plan::resolve_norm(Item& item) const {
  GradientOp& op = item.ops[static_cast<std::size_t>(item.norm_op)];
  item.args.op_count = item.norm_op;
  const auto sum = [&](double scale) { return small_sum(kernels_, item, scale); };
  const double norm = safe_root(item.dtype, sum(1), sum);
  if (item.measured != nullptr) *item.measured = norm;
  op.a = clip_factor(norm, limit_);
  if (op.a == 1) item.ops.erase(item.ops.begin() + item.norm_op);
  item.args.op_count = int(item.ops.size());
  item.norm_op = -1;
}

std::int64_t Plan::resolve(const std::vector<Hook>& hooks, int job) {
  if (hooks.empty()) return -1;
  const Scope& scope = scopes_[rules_.size() > 1 ? static_cast<std::size_t>(job + 1) : 0];
  const std::vector<std::size_t>& chosen = scope.items;
  const auto append = [](Item& item, GradientOp::Kind kind, double a, double b = 0) {
    item.ops.push_back({kind, a, b});
    item.args.ops = item.ops.data();
    item.args.op_count = int(item.ops.size());
  };
  const auto decay = [&](const Hook& hook, GradientOp::Kind kind) {
    for (std::size_t n = 0; n < chosen.size(); ++n)
      if (hook.decays == nullptr || hook.decays[n] != 0) append(items_[chosen[n]], kind, hook.a);
  };
  const Hook* last_norm = nullptr;
  for (const Hook& hook : hooks)
    if (hook.kind >= Hook::clip_by_norm) last_norm = &hook;
  for (const Hook& hook : hooks) {
    switch (hook.kind) {
      case Hook::clip_by_value:
        for (const std::size_t k : chosen) append(items_[k], GradientOp::clamp, hook.a, hook.b);
        break;
      case Hook::l2:
        decay(hook, GradientOp::l2);
        break;
      case Hook::decoupled:
        decay(hook, GradientOp::decoupled);
        break;
      case Hook::clip_by_norm: {
        std::vector<double> scales = scope.ones;
        // Norms that another job's hooks ask for later must see this one resolved.
        const std::int64_t norm_op_size = &hook == last_norm && rules_.size() <= 1 ? this->norm_op_size() : 0;
        limit_ = hook.a;
        for (std::size_t n = 0; n < chosen.size(); ++n)
          if (Item& item = items_[chosen[n]]; !by_groups(item) && size_of(item) <= norm_op_size) {
            item.norm_op = int(item.ops.size());
            item.measured = hook.measured == nullptr ? nullptr : hook.measured + n;
            append(item, GradientOp::scale, 1);
            scales[chosen[n]] = 0;
            has_norm_ops_ = true;
          }
        const std::vector<double> all = norms(scales);
        for (std::size_t n = 0; n < chosen.size(); ++n) {
          const std::size_t k = chosen[n];
          if (scales[k] == 0) continue;
          if (hook.measured != nullptr) hook.measured[n] = all[k];
          if (const double factor = clip_factor(all[k], limit_); factor != 1)
            append(items_[k], GradientOp::scale, factor);
        }
        break;
      }
      case Hook::clip_by_global_norm: {
        const double norm = combine_norms(norms(scope.ones));  // the others' are 0
        if (hook.measured != nullptr) *hook.measured = norm;
        const double factor =
            std::isfinite(norm) ? clip_factor(norm, hook.a) : std::numeric_limits<double>::quiet_NaN();
        if (factor != 1)
          for (const std::size_t k : chosen) append(items_[k], GradientOp::scale, factor);
        break;
      }
      case Hook::check_finite: {
        const std::vector<double> all = norms(scope.ones);
        for (const std::size_t k : chosen)
          if (!std::isfinite(all[k])) return std::int64_t(k);
        break;
      }
    }
  }
  return -1;
}

}  // namespace steepest
