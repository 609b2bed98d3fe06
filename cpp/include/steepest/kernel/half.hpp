// Half-precision types: their formats, and blocks of them to float32 and back.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#ifdef __F16C__
#include <immintrin.h>
#endif

#include "steepest/kernel/macros.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// N numbers as one of the compiler's own vectors, one number as itself. A loop over the few elements of a block is
// unrolled before it could be vectorized, and its selections become branches; vectors leave the compiler no choice.
template <class T, int N>
struct LanesOf {
  using type [[gnu::vector_size(N * sizeof(T))]] = T;
};
template <class T>
struct LanesOf<T, 1> {
  using type = T;
};
template <class T, int N>
using Lanes = typename LanesOf<T, N>::type;

// The formats work on words, a uint32 or lanes of them. A half's bits are the upper half of its word; what narrow()
// leaves in the lower half has no meaning. Words are compared as floats, which every instruction set can do.
template <class U>
using Floats = Lanes<float, sizeof(U) / sizeof(float)>;

struct BFloat16 {
  std::uint16_t bits;

  template <class U>
  static U widen(U u) {
    return u;
  }

  // Round to nearest, ties to even; a NaN keeps its sign and upper payload and becomes quiet.
  template <class U>
  static U narrow(U u) {
    const auto x = std::bit_cast<Floats<U>>(u);
    const U even = U{} + 0x7fffu, odd = U{} + 0x8000u;
    const U rounded = u + ((u & 0x10000u) == 0 ? even : odd);
    const U nan = u | 0x400000u;
    return x != x ? nan : rounded;
  }
};

// Gives the bits of the F16C instructions, NaN included.
struct Half {
  std::uint16_t bits;

  template <class U>
  static U widen(U u) {
    const U sign = u & 0x80000000u;
    const U magnitude = (u & 0x7fff0000u) >> 3;
    // Scaling by 2^112 moves the exponent's bias and makes subnormals normal, exactly.
    const auto x = std::bit_cast<Floats<U>>(magnitude);
    const U finite = std::bit_cast<U>(x * 0x1p112f);
    const float infinity = 0x1p-96f;
    const U special = magnitude | 0x7f800000u;
    const U quiet = special | 0x400000u;
    const U infinite = x > infinity ? quiet : special;
    return sign | (x < infinity ? finite : infinite);
  }

  template <class U>
  static U narrow(U u) {
    const U sign = u & 0x80000000u;
    const U magnitude = u & 0x7fffffffu;
    const auto x = std::bit_cast<Floats<U>>(magnitude);
    // Subnormal: adding 0.5 puts the half's last bit at the float's last bit, and rounds to even there.
    const U subnormal = std::bit_cast<U>(x + 0.5f) << 16;
    const U even = U{} + (0xfffu - 0x38000000u), odd = U{} + (0x1000u - 0x38000000u);
    const U normal = (magnitude + ((magnitude & 0x2000u) == 0 ? even : odd)) << 3;
    const U infinity = U{} + 0x7c000000u;
    const U nan = ((magnitude << 3) & 0x3ff0000u) | 0x7e000000u;
    const U small = x < 0x1p-14f ? subnormal : normal;
    const U finite = x < 65520.0f ? small : infinity;  // that and more rounds to 65536
    return sign | (x != x ? nan : finite);
  }
};

template <class T>
concept HalfType = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// Blocks are converted by whole registers: two of words for one of half words.
#ifdef __AVX__
inline constexpr int kRegister = 8;
#else
inline constexpr int kRegister = 4;
#endif
using Words = Lanes<std::uint32_t, kRegister>;
using HalfWords = Lanes<std::uint16_t, 2 * kRegister>;
// The upper half of word i is half word 2 * i + kUpper.
inline constexpr int kUpper = std::endian::native == std::endian::little ? 1 : 0;
inline constexpr auto kHalfWords = std::make_integer_sequence<int, 2 * kRegister>{};

// The lanes K of two registers, counted through both.
template <int... K>
inline HalfWords pick(HalfWords a, HalfWords b) {
#if defined(__clang__) || __GNUC__ >= 12
  return __builtin_shufflevector(a, b, K...);
#else
  return __builtin_shuffle(a, b, HalfWords{K...});
#endif
}

// Processors interleave within 16 bytes: the first and second halves of `bits` are spread over those.
template <int... I>
inline HalfWords spread(HalfWords bits, std::integer_sequence<int, I...>) {
  return pick<(I % 8 / 4 * kRegister + I / 8 * 4 + I % 4)...>(bits, bits);
}

// Words whose upper halves are the first or second half of what was spread; their lower halves are zero.
template <int Second, int... I>
inline Words raise(HalfWords bits, std::integer_sequence<int, I...>) {
  return std::bit_cast<Words>(
      pick<((I % 2 == kUpper ? 2 * kRegister : 0) + I / 8 * 8 + 4 * Second + I % 8 / 2)...>(HalfWords{}, bits));
}

template <int... I>
inline HalfWords upper_halves(Words low, Words high, std::integer_sequence<int, I...>) {
  return pick<(2 * I + kUpper)...>(std::bit_cast<HalfWords>(low), std::bit_cast<HalfWords>(high));
}

// out[k] = p[k] for N elements: a whole block, or at the end of a range a smaller one.
template <int N, class Stored>
inline void widen(const Stored* p, float* out) {
  static_assert(N <= 2 * kRegister);
  if constexpr (N == 2 * kRegister) {
    HalfWords bits;
    std::memcpy(&bits, p, sizeof bits);
    bits = spread(bits, kHalfWords);
    const Words low = Stored::widen(raise<0>(bits, kHalfWords));
    const Words high = Stored::widen(raise<1>(bits, kHalfWords));
    std::memcpy(out, &low, sizeof low);
    std::memcpy(out + kRegister, &high, sizeof high);
  } else if constexpr (N > 1) {
    Lanes<std::uint16_t, N> bits;
    std::memcpy(&bits, p, sizeof bits);
    const auto words = Stored::widen(__builtin_convertvector(bits, Lanes<std::uint32_t, N>) << 16);
    std::memcpy(out, &words, sizeof words);
  } else {
    *out = std::bit_cast<float>(Stored::widen(std::uint32_t(p->bits) << 16));
  }
}

// p[k] = x[k], rounded.
template <int N, class Stored>
inline void narrow(const float* x, Stored* p) {
  static_assert(N <= 2 * kRegister);
  if constexpr (N == 2 * kRegister) {
    Words low, high;
    std::memcpy(&low, x, sizeof low);
    std::memcpy(&high, x + kRegister, sizeof high);
    const HalfWords bits = upper_halves(Stored::narrow(low), Stored::narrow(high), kHalfWords);
    std::memcpy(p, &bits, sizeof bits);
  } else if constexpr (N > 1) {
    Lanes<std::uint32_t, N> words;
    std::memcpy(&words, x, sizeof words);
    const auto bits = __builtin_convertvector(Stored::narrow(words) >> 16, Lanes<std::uint16_t, N>);
    std::memcpy(p, &bits, sizeof bits);
  } else {
    p->bits = std::uint16_t(Stored::narrow(std::bit_cast<std::uint32_t>(*x)) >> 16);
  }
}

#ifdef __F16C__
template <int N>
  requires(N % 8 == 0)
inline void widen(const Half* p, float* out) {
  for (int k = 0; k < N; k += 8)
    _mm256_storeu_ps(out + k, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + k))));
}

template <int N>
  requires(N % 8 == 0)
inline void narrow(const float* x, Half* p) {
  for (int k = 0; k < N; k += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p + k),
                     _mm256_cvtps_ph(_mm256_loadu_ps(x + k), _MM_FROUND_TO_NEAREST_INT));
}
#endif

}  // namespace STEEPEST_ISA
}  // namespace steepest
