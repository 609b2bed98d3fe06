// Register blocks: load and widen, narrow and store. The only file that knows half-precision types.
#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __F16C__
#include <immintrin.h>
#endif

#include "steepest/isa.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <class T, int N>
using Block = Eigen::Array<T, N, 1>;

struct Half {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

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

// Conversions work on the bits, without branches, so that compilers vectorize the loops over them.
inline std::uint32_t widen(BFloat16 x) { return std::uint32_t(x.bits) << 16; }

// Round to nearest, ties to even; a NaN keeps its sign and upper payload and becomes quiet.
inline BFloat16 narrow_bfloat16(std::uint32_t u) {
  const std::uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
  const std::uint32_t nan = (u >> 16) | 0x40u;
  return {std::uint16_t((u & 0x7fffffffu) > 0x7f800000u ? nan : rounded)};
}

// The two conversions below give the bits of the F16C instructions, NaN included.
inline std::uint32_t widen(Half x) {
  const std::uint32_t sign = std::uint32_t(x.bits & 0x8000u) << 16;
  const std::uint32_t shifted = std::uint32_t(x.bits & 0x7fffu) << 13;
  // Scaling by 2^112 moves the exponent's bias and makes subnormals normal, exactly.
  const float scaled = std::bit_cast<float>(shifted) * std::bit_cast<float>(0x77800000u);
  const std::uint32_t finite = std::bit_cast<std::uint32_t>(scaled);
  const std::uint32_t quiet = shifted > 0x0f800000u ? 0x00400000u : 0u;
  return sign | (shifted >= 0x0f800000u ? shifted | 0x7f800000u | quiet : finite);
}

inline Half narrow_half(std::uint32_t u) {
  const std::uint32_t sign = (u >> 16) & 0x8000u;
  const std::uint32_t magnitude = u & 0x7fffffffu;
  // Subnormal: adding 0.5 puts the half's last bit at the float's last bit, and rounds to even there.
  const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u;
  const std::uint32_t rebiased = magnitude - 0x38000000u;
  const std::uint32_t normal = (rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13;
  const std::uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  std::uint32_t bits = magnitude < 0x38800000u ? subnormal : normal;
  bits = magnitude >= 0x477ff000u ? 0x7c00u : bits;  // rounds to 65536 or more
  bits = magnitude > 0x7f800000u ? nan : bits;
  return {std::uint16_t(sign | bits)};
}

template <int N, class T>
inline Block<T, N> load(const T* p) {
  return Eigen::Map<const Block<T, N>>(p);
}

template <int N, class T>
inline void store(T* p, const Block<T, N>& block) {
  Eigen::Map<Block<T, N>>{p} = block;
}

template <int N, class Stored>
inline Block<float, N> widen_block(const Stored* p) {
  std::uint32_t bits[N];
  for (int k = 0; k < N; ++k) bits[k] = widen(p[k]);
  Block<float, N> block;
  std::memcpy(block.data(), bits, sizeof bits);
  return block;
}

template <int N>
inline Block<float, N> load(const BFloat16* p) {
  return widen_block<N>(p);
}

template <int N>
inline void store(BFloat16* p, const Block<float, N>& block) {
  std::uint32_t bits[N];
  std::memcpy(bits, block.data(), sizeof bits);
  for (int k = 0; k < N; ++k) p[k] = narrow_bfloat16(bits[k]);
}

template <int N>
inline Block<float, N> load(const Half* p) {
#ifdef __F16C__
  if constexpr (N % 8 == 0) {
    Block<float, N> block;
    for (int k = 0; k < N; k += 8)
      _mm256_storeu_ps(block.data() + k, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + k))));
    return block;
  }
#endif
  return widen_block<N>(p);
}

template <int N>
inline void store(Half* p, const Block<float, N>& block) {
#ifdef __F16C__
  if constexpr (N % 8 == 0) {
    for (int k = 0; k < N; k += 8)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p + k),
                       _mm256_cvtps_ph(_mm256_loadu_ps(block.data() + k), _MM_FROUND_TO_NEAREST_INT));
    return;
  }
#endif
  std::uint32_t bits[N];
  std::memcpy(bits, block.data(), sizeof bits);
  for (int k = 0; k < N; ++k) p[k] = narrow_half(bits[k]);
}

// Calls body.operator()<N>(i) over [begin, end): whole blocks, then ever smaller ones. Blocks are full, so the
// arithmetic of an element is the same wherever it falls.
template <int N, class Body>
inline void for_blocks(std::int64_t begin, std::int64_t end, Body&& body) {
  for (; begin + N <= end; begin += N) body.template operator()<N>(begin);
  if constexpr (N > 1) {
    if (begin < end) for_blocks<(N > 4 ? N / 2 : 1)>(begin, end, body);
  }
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
