// The gradient of a block on its way to the rule: loaded, duplicates summed, fused hooks applied.
#pragma once

#include <algorithm>

#include "steepest/kernel/block.hpp"
#include "steepest/runtime/kernel_api.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// An op with its operands narrowed.
template <class T>
struct NarrowOp {
  GradientOp::Kind kind;
  T a, b;

  static NarrowOp of(const GradientOp& op) { return {op.kind, T(op.a), T(op.b)}; }

  template <GradientOp::Kind K, class B>
  void apply(B& g, B& w) const {
    if constexpr (K == GradientOp::clamp)
      g = max_nan(min_nan(g, b), a);
    else if constexpr (K == GradientOp::scale)
      g *= a;
    else if constexpr (K == GradientOp::l2)
      g += w * a;
    else
      w -= w * a;
  }
};

// body.operator()<kind>(), for a kind known only now.
template <class Body>
void visit(GradientOp::Kind kind, const Body& body) {
  switch (kind) {
    case GradientOp::clamp:
      return body.template operator()<GradientOp::clamp>();
    case GradientOp::scale:
      return body.template operator()<GradientOp::scale>();
    case GradientOp::l2:
      return body.template operator()<GradientOp::l2>();
    case GradientOp::decoupled:
      return body.template operator()<GradientOp::decoupled>();
  }
}

// For an update without ops. Empty on purpose: GCC does not remove all unused members.
struct NoOps {
  explicit NoOps(const UpdateArgs&) {}
};

// The only op of an update, its kind known when compiling: unlike in a loop over ops, blocks stay in registers.
// Measured: in cache, an update with one clamp takes 15 to 40 % longer without it.
template <class T, GradientOp::Kind K>
class OneOp {
 public:
  explicit OneOp(const UpdateArgs& args) : op_(NarrowOp<T>::of(args.ops[0])) {}

  template <int N>
  void apply(Block<T, N>& g, Block<T, N>& w) const {
    op_.template apply<K>(g, w);
  }

 private:
  NarrowOp<T> op_;
};

// All ops of an update, narrowed once per range. The arrays' functions are compiled once for all rules, in
// src/gradient_ops.cpp.
template <class T>
class GradientOps {
 public:
  explicit GradientOps(const UpdateArgs& args) : count_(args.op_count) {
    for (int k = 0; k < count_; ++k) ops_[k] = NarrowOp<T>::of(args.ops[k]);
  }

  int count() const { return count_; }

  template <int N>
  void apply(Block<T, N>& g, Block<T, N>& w) const {
    for (int k = 0; k < count_; ++k)
      visit(ops_[k].kind, [&]<GradientOp::Kind K>() { ops_[k].template apply<K>(g, w); });
  }

  // The same for arrays, one op after the other: no block goes through memory between loading and storing it, as it
  // would in a loop over ops. `out` has the gradient in the end; it may be `gradient` itself. `parameter` may be
  // nullptr where no op reads it; decoupled decays change it. Stream: `out` is written past the caches.
  template <bool Stream = false>
  void apply(const T* gradient, T* parameter, T* out, std::int64_t count) const;

  bool changes_parameter() const {
    for (int k = 0; k < count_; ++k)
      if (ops_[k].kind == GradientOp::decoupled) return true;
    return false;
  }
  bool reads_parameter() const {
    for (int k = 0; k < count_; ++k)
      if (ops_[k].kind == GradientOp::l2 || ops_[k].kind == GradientOp::decoupled) return true;
    return false;
  }

 private:
  int count_;
  NarrowOp<T> ops_[kMaxGradientOps];
};

// Element i of an array of the gradient's type, in the type of the arithmetic.
template <class Stored, int N>
inline Block<Compute<Stored>, N> load_as_gradient(const UpdateArgs& args, const void* array, std::int64_t i) {
  if constexpr (!std::is_same_v<Stored, Compute<Stored>>) {
    if (args.wide_gradient) return load<N>(static_cast<const Compute<Stored>*>(array) + i);
  }
  return load<N>(static_cast<const Stored*>(array) + i);
}
template <class Stored, int N>
inline Block<Compute<Stored>, N> load_gradient(const UpdateArgs& args, std::int64_t i) {
  return load_as_gradient<Stored, N>(args, args.gradient, i);
}

// What occurrence k is multiplied by, where the groups have weights.
template <class Stored>
inline Compute<Stored> load_weight(const UpdateArgs& args, std::int64_t k) {
  return load_as_gradient<Stored, 1>(args, args.groups->weights, k)[0];
}

// A block of the gradient times a weight, with the bits that an array of such rows would have.
template <class Stored, int N>
inline Block<Compute<Stored>, N> weighted(const UpdateArgs& args, Block<Compute<Stored>, N> g, Compute<Stored> weight) {
  g *= weight;
  if constexpr (!std::is_same_v<Stored, Compute<Stored>>) {
    if (args.wide_gradient) return g;
    Stored rounded[N];
    store<N>(rounded, g);
    return load<N>(rounded);
  }
  return g;
}

template <class Stored>
inline std::int64_t gradient_bytes(const UpdateArgs& args) {
  return std::int64_t(args.wide_gradient ? sizeof(Compute<Stored>) : sizeof(Stored));
}

// Columns [column, column + N) of unique row u: its occurrences summed in batch order, in chunks of kDuplicateChunk.
template <class Stored, int N>
inline Block<Compute<Stored>, N> sum_duplicates(const UpdateArgs& args, std::int64_t u, std::int64_t column) {
  const RowGroups& s = *args.groups;
  const std::int64_t stride = args.width + args.row_gap;
  if (s.positions == nullptr) return load_gradient<Stored, N>(args, u * stride + column);
  const auto at = [&](std::int64_t k) {
    return load_gradient<Stored, N>(args, std::int64_t(s.positions[k]) * stride + column);
  };
  const auto sum_of = [&](const auto& occurrence) {
    const std::int64_t end = s.offsets[u + 1];
    std::int64_t k = s.offsets[u];
    const auto chunk = [&] {
      const std::int64_t stop = end - k > kDuplicateChunk ? k + kDuplicateChunk : end;
      Block<Compute<Stored>, N> sum = occurrence(k);
      for (++k; k < stop; ++k) sum += occurrence(k);
      return sum;
    };
    Block<Compute<Stored>, N> total = chunk();
    while (k < end) total += chunk();
    return total;
  };
  if (s.weights == nullptr) return sum_of(at);
  return sum_of([&](std::int64_t k) { return weighted<Stored, N>(args, at(k), load_weight<Stored>(args, k)); });
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
