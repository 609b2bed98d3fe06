// The gradient of a block on its way to the rule: loaded, duplicates summed, fused hooks applied.
#pragma once

#include "steepest/block.hpp"
#include "steepest/kernels.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// A tensor's ops with their operands narrowed once per range.
template <class T>
class GradientOps {
 public:
  explicit GradientOps(const Tensor& t) : count_(t.op_count) {
    for (int k = 0; k < count_; ++k) ops_[k] = {t.ops[k].kind, T(t.ops[k].a), T(t.ops[k].b)};
  }

  template <int N>
  void apply(Block<T, N>& g, Block<T, N>& w) const {
    for (int k = 0; k < count_; ++k) {
      const Op& op = ops_[k];
      switch (op.kind) {
        case GradientOp::clamp:
          g = g.template min<Eigen::PropagateNaN>(op.b).template max<Eigen::PropagateNaN>(op.a);
          break;
        case GradientOp::scale:
          g *= op.a;
          break;
        case GradientOp::l2:
          g += w * op.a;
          break;
        case GradientOp::decoupled:
          w -= w * op.a;
          break;
      }
    }
  }

  bool reads_parameter() const {
    for (int k = 0; k < count_; ++k)
      if (ops_[k].kind == GradientOp::l2 || ops_[k].kind == GradientOp::decoupled) return true;
    return false;
  }

 private:
  struct Op {
    GradientOp::Kind kind;
    T a, b;
  };
  int count_;
  Op ops_[kMaxGradientOps];
};

// Element i of the gradient's own array, in the type of the arithmetic.
template <class Stored, int N>
inline Block<Compute<Stored>, N> load_gradient(const Tensor& t, std::int64_t i) {
  if constexpr (!std::is_same_v<Stored, Compute<Stored>>) {
    if (t.wide_gradient) return load<N>(static_cast<const Compute<Stored>*>(t.gradient) + i);
  }
  return load<N>(static_cast<const Stored*>(t.gradient) + i);
}

// Columns [column, column + N) of unique row u: its occurrences summed in batch order, in chunks of kDuplicateChunk.
template <class Stored, int N>
inline Block<Compute<Stored>, N> sum_duplicates(const Tensor& t, std::int64_t u, std::int64_t column) {
  const Segments& s = *t.segments;
  if (s.positions == nullptr) return load_gradient<Stored, N>(t, u * t.width + column);
  const auto at = [&](std::int64_t k) {
    return load_gradient<Stored, N>(t, std::int64_t(s.positions[k]) * t.width + column);
  };
  const std::int64_t end = s.offsets[u + 1];
  std::int64_t k = s.offsets[u];
  const auto chunk = [&] {
    const std::int64_t stop = end - k > kDuplicateChunk ? k + kDuplicateChunk : end;
    auto sum = at(k);
    for (++k; k < stop; ++k) sum += at(k);
    return sum;
  };
  auto total = chunk();
  while (k < end) total += chunk();
  return total;
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
