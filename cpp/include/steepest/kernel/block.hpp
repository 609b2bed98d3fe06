// Register blocks: load and widen, narrow and store.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "steepest/kernel/half.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <class T, int N>
using Block = Eigen::Array<T, N, 1>;

// The type of the arithmetic and of the slots.
template <class Stored>
using Compute = std::conditional_t<std::is_same_v<Stored, double>, double, float>;

// Two packets: enough independent work to hide latency, few enough registers to keep every slot in one.
#ifdef __AVX__
template <class T>
inline constexpr int kBlock = 64 / int(sizeof(T));
#else
template <class T>
inline constexpr int kBlock = 32 / int(sizeof(T));
#endif

// Copies N numbers by whole registers. Eigen's own Map does the same, but is most of what there is to compile.
template <int N, class T>
inline void copy_block(const T* from, T* to) {
  constexpr int kRegisterBytes = 4 * kRegister, kWhole = kRegisterBytes / int(sizeof(T));
  constexpr int kStep = N < kWhole ? N : kWhole;
  static_assert(N % kStep == 0);
  for (int k = 0; k < N; k += kStep) {
    Lanes<T, kStep> lanes;
    std::memcpy(&lanes, from + k, sizeof lanes);
    std::memcpy(to + k, &lanes, sizeof lanes);
  }
}

template <int N, class T>
inline Block<T, N> load(const T* p) {
  Block<T, N> block;
  copy_block<N>(p, block.data());
  return block;
}

template <int N, class T>
inline void store(T* p, const Block<T, N>& block) {
  copy_block<N>(block.data(), p);
}

// A non-temporal store, for outputs that are read only after they left the caches: the line is neither read first nor
// kept. Blocks smaller than a store instruction are stored as usual. A thread that streams calls end_stream() at its
// end.
template <int N, class T>
inline void stream(T* p, const Block<T, N>& block) {
#ifdef __SSE2__
  constexpr int kStep = 16 / int(sizeof(T));
  if (N % kStep == 0 && reinterpret_cast<std::uintptr_t>(p) % 16 == 0) {
    for (int k = 0; k < N; k += kStep)
      _mm_stream_si128(reinterpret_cast<__m128i*>(p + k),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(block.data() + k)));
    return;
  }
#endif
  store<N>(p, block);
}

// Orders the streamed stores before whatever tells another thread that this one is done.
inline void end_stream() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

template <int N, HalfType Stored>
inline Block<float, N> load(const Stored* p) {
  Block<float, N> block;
  widen<N>(p, block.data());
  return block;
}

template <int N, HalfType Stored>
inline void store(Stored* p, const Block<float, N>& block) {
  narrow<N>(block.data(), p);
}

// The larger or smaller of each element and a bound, a number or a block; NaN stays. (The square root is sqrt(block),
// of a dense update's in root.hpp.)
template <class A, class T>
inline auto max_nan(const A& block, const T& bound) {
  return block.template max<Eigen::PropagateNaN>(bound);
}
template <class A, class T>
inline auto min_nan(const A& block, T bound) {
  return block.template min<Eigen::PropagateNaN>(bound);
}

// Compares and selects in the compiler's own vectors: select(values of the block) for each register, in place.
template <class Block, class Select>
inline Block selected(const Block& block, const Select& select) {
  using T = typename Block::Scalar;
  constexpr int kSize = Block::RowsAtCompileTime, kWhole = 4 * kRegister / int(sizeof(T));
  constexpr int kStep = kSize < kWhole ? kSize : kWhole;
  Block out;
  for (int k = 0; k < kSize; k += kStep) {
    Lanes<T, kStep> lanes;
    std::memcpy(&lanes, block.data() + k, sizeof lanes);
    lanes = select(lanes, k);
    std::memcpy(out.data() + k, &lanes, sizeof lanes);
  }
  return out;
}

// Lanes [k, k + size) of a number or a block.
template <class V, class T>
  requires std::is_arithmetic_v<T>
inline V lanes_of(T number, int) {
  return number - V{};
}
template <class V, class T, int N>
inline V lanes_of(const Block<T, N>& block, int k) {
  V lanes;
  std::memcpy(&lanes, block.data() + k, sizeof lanes);
  return lanes;
}

// The smaller, or larger, of each element and a bound that is NaN nowhere but where the element is; NaN stays. Written
// so that they are one instruction each: x86's give their second operand where one is NaN.
template <class Block, class Bound>
inline Block at_most(const Block& block, const Bound& bound) {
  return selected(block, [&](auto x, int k) {
    const auto b = lanes_of<decltype(x)>(bound, k);
    return b < x ? b : x;
  });
}
template <class Block, class Bound>
inline Block at_least(const Block& block, const Bound& bound) {
  return selected(block, [&](auto x, int k) {
    const auto b = lanes_of<decltype(x)>(bound, k);
    return b > x ? b : x;
  });
}

// Each element moved towards zero by the threshold, a number or a block, and 0 where it is no farther away; NaN stays.
// The threshold is NaN nowhere but where the element is.
template <class Block, class Threshold>
inline Block shrink(const Block& block, const Threshold& threshold) {
  return block - at_least(at_most(block, threshold), Threshold(-threshold));
}

// One of three numbers, by each element's sign; NaN stays.
template <class Block, class T>
inline Block by_sign(const Block& block, T negative, T zero, T positive) {
  return selected(block, [=](auto x, int) {
    using V = decltype(x);
    const V none{};
    return x > none ? none + positive : x < none ? none + negative : x + zero;
  });
}

// -1, 0 or 1; NaN stays.
template <class Block>
inline Block sign_of(const Block& block) {
  using T = typename Block::Scalar;
  return by_sign(block, T(-1), T(0), T(1));
}

// The block, with the elements of another where it is NaN.
template <class Block>
inline Block replace_nan(const Block& block, const Block& other) {
  return selected(block, [&](auto x, int k) {
    decltype(x) instead;
    std::memcpy(&instead, other.data() + k, sizeof instead);
    return x != x ? instead : x;
  });
}

// The last elements of a range, fewer than kSmall, can be a part of a block of so many; the rest of it is 0.
inline constexpr int kSmall = 4;
template <int N>
using Whole = std::integral_constant<int, N>;

template <int N, class Stored>
inline auto load(const Stored* p, Whole<N>) {
  return load<N>(p);
}
template <int N, class Stored, class T>
inline void store(Stored* p, const Block<T, N>& block, Whole<N>) {
  store<N>(p, block);
}
template <int N, class T>
inline Block<T, N> load(const T* p, int count) {
  static_assert(N == kSmall);
  Lanes<T, N> lanes{};
  lanes[0] = p[0];
  if (count > 1) lanes[1] = p[1];
  if (count > 2) lanes[2] = p[2];
  Block<T, N> block;
  std::memcpy(block.data(), &lanes, sizeof lanes);
  return block;
}
template <int N, class T>
inline void store(T* p, const Block<T, N>& block, int count) {
  static_assert(N == kSmall);
  p[0] = block[0];
  if (count > 1) p[1] = block[1];
  if (count > 2) p[2] = block[2];
}

// Calls body.operator()<N>(i) over [begin, end): whole blocks, then ever smaller ones. Blocks are full, so the
// arithmetic of an element is the same wherever it falls.
template <int N, class Body>
inline void for_blocks(std::int64_t begin, std::int64_t end, Body&& body) {
  for (const std::int64_t last = end - N; begin <= last; begin += N) body.template operator()<N>(begin);
  if constexpr (N > 1) {
    if (begin < end) for_blocks<(N > kSmall ? N / 2 : 1)>(begin, end, body);
  }
}

// The same without blocks of one element: calls body.operator()<N>(i, count), where the last few elements are a part of
// a block, count < N. What a rule's arithmetic makes of the rest of such a block is not stored.
template <int N, class Body>
inline void for_padded_blocks(std::int64_t begin, std::int64_t end, Body&& body) {
  for (const std::int64_t last = end - N; begin <= last; begin += N) body.template operator()<N>(begin, Whole<N>());
  if (begin >= end) return;
  if constexpr (N > kSmall)
    for_padded_blocks<N / 2>(begin, end, body);
  else
    body.template operator()<N>(begin, int(end - begin));
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
