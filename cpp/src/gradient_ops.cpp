// Ops on whole arrays. Compiled once per instruction set.
#include "steepest/kernel/gradient.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <class T>
template <bool Stream>
STEEPEST_FLATTEN void GradientOps<T>::apply(const T* gradient, T* parameter, T* out, std::int64_t count) const {
  for (int k = 0; k < count_; ++k) {
    visit(ops_[k].kind, [&]<GradientOp::Kind K>() {
      for_blocks<kBlock<T>>(0, count, [&]<int N>(std::int64_t i) {
        Block<T, N> g, w;
        if constexpr (K != GradientOp::decoupled) g = load<N>(gradient + i);
        if constexpr (K == GradientOp::l2 || K == GradientOp::decoupled) w = load<N>(parameter + i);
        ops_[k].template apply<K>(g, w);
        if constexpr (K != GradientOp::decoupled && Stream) stream<N>(out + i, g);
        if constexpr (K != GradientOp::decoupled && !Stream) store<N>(out + i, g);
        if constexpr (K == GradientOp::decoupled) store<N>(parameter + i, w);
      });
      if constexpr (K != GradientOp::decoupled) gradient = out;
    });
  }
  if (gradient != out) std::copy(gradient, gradient + count, out);
}

template void GradientOps<float>::apply<false>(const float*, float*, float*, std::int64_t) const;
template void GradientOps<float>::apply<true>(const float*, float*, float*, std::int64_t) const;
template void GradientOps<double>::apply<false>(const double*, double*, double*, std::int64_t) const;
template void GradientOps<double>::apply<true>(const double*, double*, double*, std::int64_t) const;

}  // namespace STEEPEST_ISA
}  // namespace steepest
