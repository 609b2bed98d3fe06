// Tells which rows of a batch may come more than once, if these are few.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace steepest {

// A set of rows: a bit for each, or for all of one hash value.
class RowBits {
 public:
  RowBits() = default;

  // At most max(most, 64) bits of `memory`, which begins at a cache line; cleared.
  RowBits(void* memory, std::uint64_t rows, std::uint64_t most) : words_(static_cast<std::uint64_t*>(memory)) {
    const std::uint64_t hashed = std::bit_floor(std::max(kWord, most));
    exact_ = rows <= hashed;
    shift_ = 64 - std::countr_zero(hashed);
    std::memset(memory, 0, std::size_t(((exact_ ? rows : hashed) + kWord - 1) / kWord * sizeof *words_));
  }

  bool exact() const { return exact_; }  // which has() and add() are to be told

  template <bool Exact>
  bool has(std::int64_t row) const {
    const std::uint64_t at = place<Exact>(row);
    return words_[at / kWord] >> (at % kWord) & 1;
  }

  // Returns whether it was there.
  template <bool Exact>
  bool add(std::int64_t row) {
    const std::uint64_t at = place<Exact>(row), word = words_[at / kWord];
    words_[at / kWord] = word | std::uint64_t{1} << (at % kWord);
    return word >> (at % kWord) & 1;
  }

 private:
  static constexpr std::uint64_t kWord = 64;

  template <bool Exact>
  std::uint64_t place(std::int64_t row) const {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: neighbours land far apart
    return Exact ? std::uint64_t(row) : std::uint64_t(row) * kGolden >> shift_;
  }

  std::uint64_t* words_ = nullptr;
  bool exact_ = false;
  int shift_ = 0;
};

// The rows that come again are found in one set, and then kept in a second one, small enough for the first level of
// cache. Rows that share a hash value are taken for repeated; one that is repeated is never missed. It gives up where
// more than an eighth of the ids repeat others.
class Repeated {
 public:
  static constexpr std::int64_t kBytesAnId = 8;

  // `memory` and `list`: kBytesAnId for each id, whole cache lines, at the beginning of one. The list is free again
  // afterwards.
  Repeated(const std::int64_t* indices, std::int64_t count, std::int64_t rows, void* memory, std::int64_t* list) {
    const RowBits seen(memory, std::uint64_t(rows), std::uint64_t(count * kBytesAnId * 8));
    const std::int64_t repeats =
        seen.exact() ? list_repeats<true>(seen, indices, count, list) : list_repeats<false>(seen, indices, count, list);
    constexpr std::uint64_t kEveryRow = ~std::uint64_t{0}, kBitsARow = 64;
    if (few_) again_ = RowBits(memory, kEveryRow, std::uint64_t(repeats) * kBitsARow);
    for (std::int64_t k = 0; few_ && k < repeats; ++k) again_.add<false>(list[k]);
  }

  bool few() const { return few_; }
  bool operator()(std::int64_t row) const { return again_.has<false>(row); }

 private:
  template <bool Exact>
  std::int64_t list_repeats(RowBits seen, const std::int64_t* indices, std::int64_t count, std::int64_t* list) {
    constexpr std::int64_t kStretch = 128;  // without a branch for each id
    std::int64_t repeats = 0;
    for (std::int64_t begin = 0; begin < count && few_; begin += kStretch) {
      const std::int64_t end = std::min(count, begin + kStretch);
      for (std::int64_t k = begin; k < end; ++k) {
        list[repeats] = indices[k];
        repeats += std::int64_t(seen.add<Exact>(indices[k]));
      }
      few_ = repeats * 8 <= std::max(end, kStretch);
    }
    return repeats;
  }

  RowBits again_;
  bool few_ = true;
};

}  // namespace steepest
