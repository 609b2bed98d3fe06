// Sums of rows of a table, bag by bag.
#pragma once

#include "steepest/kernel/occurrences.hpp"
#include "steepest/runtime/bags.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <class Stored>
class Bags {
 public:
  using T = Compute<Stored>;

  explicit Bags(const BagArgs& args) : args_(args) {}

  void combine(std::int64_t begin, std::int64_t end) {
    if (args_.offsets == nullptr && args_.length == 1 && args_.weights == nullptr && args_.divisors == nullptr)
      return copy(begin, end);
    const std::int64_t first = offset(begin);
    last_ = offset(end);
    for (std::int64_t k = first; k < std::min(first + kOccurrencesAhead, last_); ++k) fetch(k);
    for (std::int64_t b = begin; b < end; ++b) {
      Stored* const out = static_cast<Stored*>(args_.out) + b * args_.out_stride;
      const std::int64_t k = offset(b), stop = offset(b + 1);
      const T divisor = args_.divisors == nullptr ? T(1) : static_cast<const T*>(args_.divisors)[b];
      constexpr int kWide = 4;  // blocks that fit into registers together
      std::int64_t c = 0;
      for (; c + kWide * kBlock<T> <= args_.width; c += kWide * kBlock<T>)
        strip<kBlock<T>, kWide>(k, stop, c, divisor, out);
      for_blocks<kBlock<T>>(c, args_.width, [&]<int N>(std::int64_t at) { strip<N, 1>(k, stop, at, divisor, out); });
    }
  }

 private:
  std::int64_t offset(std::int64_t b) const { return args_.offsets == nullptr ? b * args_.length : args_.offsets[b]; }
  const Stored* row(std::int64_t k) const {
    return static_cast<const Stored*>(args_.table) + args_.rows[k] * args_.width;
  }
  STEEPEST_INLINE void fetch(std::int64_t k) const { prefetch(row(k), args_.width * std::int64_t(sizeof(Stored))); }
  STEEPEST_INLINE void ahead(std::int64_t k, std::int64_t column) const {
    if (column == 0 && k + kOccurrencesAhead < last_) fetch(k + kOccurrencesAhead);
  }

  // Bags of one row each.
  void copy(std::int64_t begin, std::int64_t end) const {
    using Bits = std::conditional_t<sizeof(Stored) == 2, std::uint16_t, Stored>;
    for (std::int64_t k = begin; k < std::min(begin + kOccurrencesAhead, end); ++k) fetch(k);
    for (std::int64_t k = begin; k < end; ++k) {
      if (k + kOccurrencesAhead < end) fetch(k + kOccurrencesAhead);
      const auto* const from = reinterpret_cast<const Bits*>(row(k));
      auto* const to = static_cast<Bits*>(args_.out) + k * args_.out_stride;
      for_blocks<kBlock<T>>(0, args_.width, [&]<int N>(std::int64_t c) { copy_block<N>(from + c, to + c); });
    }
  }

  // M blocks of N columns. The first strip of a bag asks for the rows of later ones.
  template <int N, int M>
  STEEPEST_INLINE void strip(std::int64_t k, std::int64_t stop, std::int64_t column, T divisor, Stored* out) const {
    Block<T, N> sum[M];
    const auto weight = [&] { return args_.weights == nullptr ? T(1) : static_cast<const T*>(args_.weights)[k]; };
    const auto at = [&](int m) { return load<N>(row(k) + column + m * N); };
    if (k == stop) {
      for (int m = 0; m < M; ++m) sum[m].setZero();
    } else if (args_.weights == nullptr) {
      ahead(k, column);
      for (int m = 0; m < M; ++m) sum[m] = at(m);
      for (++k; k < stop; ++k) {
        ahead(k, column);
        for (int m = 0; m < M; ++m) sum[m] += at(m);
      }
    } else {
      ahead(k, column);
      for (int m = 0; m < M; ++m) sum[m] = at(m) * weight();
      for (++k; k < stop; ++k) {
        ahead(k, column);
        for (int m = 0; m < M; ++m) sum[m] += at(m) * weight();
      }
    }
    if (args_.divisors != nullptr)
      for (int m = 0; m < M; ++m) sum[m] /= divisor;
    for (int m = 0; m < M; ++m) store<N>(out + column + m * N, sum[m]);
  }

  const BagArgs& args_;
  std::int64_t last_ = 0;
};

template <class Stored>
STEEPEST_FLATTEN void combine_bags(const BagArgs& args, std::int64_t begin, std::int64_t end) {
  Bags<Stored>(args).combine(begin, end);
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
