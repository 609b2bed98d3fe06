// Sorts the rows of a batch, with all threads where it is large.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "steepest/runtime/allocation.hpp"
#include "steepest/runtime/pool.hpp"

namespace steepest {

// A row in the upper half, its position in the batch in the lower.
using Key = std::uint64_t;
inline constexpr int kRowShift = 32;

inline Key key_of(std::int64_t row, std::int64_t position) { return Key(row) << kRowShift | Key(position); }

// The batch in equal parts, one for each thread. The result does not depend on their number.
class SortParts {
 public:
  explicit SortParts(std::int64_t count) : count_(count) {
    constexpr std::int64_t kWorthAThread = 131072;  // measured: two threads lose at 65,536 ids, gain a third at 1e6
    parts_ = std::clamp<std::int64_t>(count / kWorthAThread, 1, std::min(kMost, Pool::instance().threads()));
  }

  static constexpr int kMost = 16;
  std::int64_t size() const { return parts_; }
  std::int64_t begin(std::int64_t part) const { return count_ * part / parts_; }

  template <class Body>
  void each(const Body& body) const {
    if (parts_ == 1)
      body(std::int64_t{0});
    else
      Pool::instance().run(parts_, body);
  }

 private:
  std::int64_t count_, parts_;
};

// Tables of how often each value of a digit occurs; after scan(), of where the next key with that value goes.
class Counts {
 public:
  Counts(std::int64_t tables, int bits)
      : values_(std::int64_t{1} << bits), memory_(std::size_t(tables * values_) * sizeof(std::uint32_t)) {
    std::memset(memory_.data(), 0, std::size_t(tables * values_) * sizeof(std::uint32_t));
  }

  std::uint32_t* of(std::int64_t table) const { return static_cast<std::uint32_t*>(memory_.data()) + table * values_; }
  // Tables [begin, end) are those of parts, in order.
  void scan(std::int64_t begin, std::int64_t end) const {
    std::uint32_t sum = 0;
    for (std::int64_t value = 0; value < values_; ++value)
      for (std::int64_t table = begin; table < end; ++table) sum += std::exchange(of(table)[value], sum);
  }

 private:
  std::int64_t values_;
  Allocation memory_;
};

// Counts `Digits` digits of the rows, from the `first` one on, into tables that follow each other.
template <int Digits, class KeyAt>
void count_digits(const KeyAt& key_at, std::int64_t count, int bits, std::uint32_t* times, int first = 0) {
  const std::uint32_t mask = (1u << bits) - 1;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::uint32_t row = std::uint32_t(key_at(k) >> kRowShift) >> (first * bits);
    for (int digit = 0; digit < Digits; ++digit) ++times[(digit << bits) + ((row >> (digit * bits)) & mask)];
  }
}

// Sorts `count` keys by row, equal rows in their order. Returns the sorted keys: one of the two arrays. The keys may be
// read from `to`.
template <class KeyAt>
Key* radix_sort(const KeyAt& source, std::int64_t count, std::int64_t rows, const SortParts& parts, Key* from,
                Key* to) {
  const int significant = std::max(1, int(std::bit_width(std::uint64_t(rows - 1))));
  // Of few ids, the counts of wide digits cost more than another pass.
  const int most = count < 256 ? 8 : count < 512 ? 9 : count < 2048 ? 10 : 11;
  const int digits = (significant + most - 1) / most;
  const int bits = (significant + digits - 1) / digits;
  const std::uint32_t mask = (1u << bits) - 1;
  // A table for each digit and part: which part a key belongs to changes with each digit but the first.
  const std::int64_t size = parts.size();
  const Counts counts(digits * size, bits);
  if (size == 1) {
    if (digits == 2)
      count_digits<2>(source, count, bits, counts.of(0));
    else
      for (int digit = 0; digit < digits; ++digit) count_digits<1>(source, count, bits, counts.of(digit), digit);
  }
  const auto pass = [&](int digit, const auto& key_at, Key* out) {
    const int shift = kRowShift + digit * bits;
    if (size > 1)
      parts.each([&](std::int64_t part) {
        std::uint32_t* const times = counts.of(digit * size + part);
        for (std::int64_t k = parts.begin(part), end = parts.begin(part + 1); k < end; ++k)
          ++times[(key_at(k) >> shift) & mask];
      });
    counts.scan(digit * size, (digit + 1) * size);
    parts.each([&](std::int64_t part) {
      std::uint32_t* const next = counts.of(digit * size + part);
      for (std::int64_t k = parts.begin(part), end = parts.begin(part + 1); k < end; ++k) {
        const Key key = key_at(k);
        out[next[(key >> shift) & mask]++] = key;
      }
    });
  };
  pass(0, source, from);
  for (int digit = 1; digit < digits; ++digit) {
    const Key* const sorted = from;
    pass(digit, [&](std::int64_t k) { return sorted[k]; }, to);
    std::swap(from, to);
  }
  return from;
}

}  // namespace steepest
