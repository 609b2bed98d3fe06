// Sums of squares with the same bits on every processor.
#pragma once

#include "steepest/kernel/block.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// They are kept in eight lanes, however wide a register is, and the lanes are added in a fixed tree. In the compiler's
// own vectors: unlike blocks, those of a local sum stay in registers over a loop.
inline constexpr int kSumLanes = 8;

class SquareSum {
 public:
  // One element for each lane. Fused: squares are added by fused multiply-adds, which changes no bit for floats, whose
  // squares are exact in double. Floats need no scale.
  template <bool Fused, class T>
  STEEPEST_INLINE void add_all(const T* values, T scale) {
    add_to<Fused>(low_, values, scale);
    add_to<Fused>(high_, values + kHalf, scale);
  }
  // The first `count` of four elements for the lanes from `lane` on, which is 0 or 4.
  template <class T, class Count>
  STEEPEST_INLINE void add_half(int lane, const T* values, Count count) {
    Lanes wide = {double(values[0]), double(values[1]), double(values[2]), double(values[3])};
    wide *= wide;
    for (int k = 1; k < kHalf; ++k)
      if (k >= count) wide[k] = 0;
    (lane == 0 ? low_ : high_) += wide;
  }
  void add_one(std::int64_t lane, double value) {
    Lanes& half = lane < kHalf ? low_ : high_;
    double lanes[kHalf];
    std::memcpy(lanes, &half, sizeof half);
    lanes[lane % kHalf] += value * value;
    std::memcpy(&half, lanes, sizeof half);
  }

  double total() const {
    const double a = (low_[0] + low_[1]) + (low_[2] + low_[3]);
    const double b = (high_[0] + high_[1]) + (high_[2] + high_[3]);
    return a + b;
  }

 private:
  static constexpr int kHalf = kSumLanes / 2;
  using Lanes [[gnu::vector_size(kHalf * sizeof(double))]] = double;

  template <bool Fused, class T>
  STEEPEST_INLINE static void add_to(Lanes& sum, const T* values, T scale) {
    Lanes wide;
    if constexpr (std::is_same_v<T, double>) {
      std::memcpy(&wide, values, sizeof wide);
      wide *= scale;
    } else {
#ifdef __FMA__
      // Intrinsics: GCC makes several instructions of __builtin_convertvector, and does not always vectorize std::fma.
      wide = _mm256_cvtps_pd(_mm_loadu_ps(values));
      if constexpr (Fused) {
        sum = _mm256_fmadd_pd(wide, wide, sum);
        return;
      }
#else
      wide = Lanes{double(values[0]), double(values[1]), double(values[2]), double(values[3])};
#endif
    }
    sum += wide * wide;
  }

  Lanes low_{}, high_{};
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
