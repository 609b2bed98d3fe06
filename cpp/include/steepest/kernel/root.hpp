// The square root of a block of a dense update, exactly rounded: by the divider, and where that is quicker one half by
// multiplications meanwhile. Both give the same bits.
#pragma once

#include "steepest/kernel/block.hpp"
#include "steepest/runtime/kernel_api.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace steepest {
inline namespace STEEPEST_ISA {

// A block whose update waits for the divider rather than for memory: rows of a sparse update wait for memory, and the
// instructions that roots by multiplications need are in its way.
template <class T, int N>
struct DenseBlock : Block<T, N> {
  using Block<T, N>::Block;
  using Block<T, N>::operator=;
  DenseBlock() = default;
  DenseBlock(const Block<T, N>& block) : Block<T, N>(block) {}
};

#if defined(__AVX2__) && defined(__FMA__)

// Whether all are in [2^-100, infinity). Below, what root_by_multiplication() computes may be subnormal; zeros,
// negative numbers, infinities and NaNs are for the instruction too. As integers: both differences are negative
// outside.
inline bool in_range_of_root(__m256 x) {
  const __m256i bits = _mm256_castps_si256(x), least = _mm256_set1_epi32((127 - 100) << 23),
                infinity_to_sign = _mm256_set1_epi32(1 << 23);
  const __m256i outside = _mm256_or_si256(_mm256_sub_epi32(bits, least), _mm256_add_epi32(bits, infinity_to_sign));
  return _mm256_movemask_ps(_mm256_castsi256_ps(outside)) == 0;
}

// Needs AVX-512VL, for numbers in_range_of_root(). From an estimate of 14 bits of 1 / sqrt(x), one step for both
// s = sqrt(x) and h = 1 / (2 sqrt(x)), and a last correction of s by its exact remainder (docs/numbers.md). The
// instruction is written by its name, because the compiler may use no other one of AVX-512.
inline __m256 root_by_multiplication(__m256 x) {
  __m256 estimate;
  asm("vrsqrt14ps %1, %0" : "=x"(estimate) : "x"(x));
  const __m256 half = _mm256_set1_ps(0.5f);
  __m256 s = _mm256_mul_ps(x, estimate), h = _mm256_mul_ps(estimate, half);
  const __m256 off = _mm256_fnmadd_ps(s, h, half);
  s = _mm256_fmadd_ps(s, off, s);
  h = _mm256_fmadd_ps(h, off, h);
  return _mm256_fmadd_ps(_mm256_fnmadd_ps(s, s, x), h, s);
}

// The other sizes and types are Eigen's.
inline Block<float, 16> sqrt(const DenseBlock<float, 16>& block) {
  __m256 low, high;
  std::memcpy(&low, block.data(), sizeof low);
  std::memcpy(&high, block.data() + 8, sizeof high);
  low = kRootsByMultiplication && in_range_of_root(low) ? root_by_multiplication(low) : _mm256_sqrt_ps(low);
  high = _mm256_sqrt_ps(high);
  Block<float, 16> roots;
  std::memcpy(roots.data(), &low, sizeof low);
  std::memcpy(roots.data() + 8, &high, sizeof high);
  return roots;
}

#endif

}  // namespace STEEPEST_ISA
}  // namespace steepest
