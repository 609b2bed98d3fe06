// Tells which rows of a batch may come more than once, if these are few.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace steepest {

// Two bits for each row, or for all rows of one hash value where the table is large. Rows that share a hash value are
// taken for repeated; one that is repeated is never missed. It gives up where more than an eighth of the ids repeat
// others.
class Repeated {
 public:
  static constexpr std::int64_t kBytesAnId = 8;

  // `memory`: kBytesAnId for each id, whole cache lines, at the beginning of one.
  Repeated(const std::int64_t* indices, std::int64_t count, std::int64_t rows, void* memory)
      : words_(static_cast<Word*>(memory)) {
    const std::uint64_t hashed = std::bit_floor(std::uint64_t(count) * (kBytesAnId * 8 / 2));
    exact_ = std::uint64_t(rows) <= hashed;
    shift_ = 64 - std::countr_zero(hashed);
    std::memset(memory, 0, ((exact_ ? std::uint64_t(rows) : hashed) + 63) / 64 * sizeof(Word));
    constexpr std::int64_t kStretch = 128;  // without a branch for each id
    std::int64_t repeats = 0;
    for (std::int64_t begin = 0; begin < count && few_; begin += kStretch) {
      const std::int64_t end = std::min(count, begin + kStretch);
      for (std::int64_t k = begin; k < end; ++k) {
        const std::uint64_t at = place(indices[k]);
        Word& word = words_[at / 64];
        const std::uint64_t seen = word.seen >> (at % 64) & 1;
        word.again |= seen << (at % 64);
        word.seen |= std::uint64_t{1} << (at % 64);
        repeats += std::int64_t(seen);
      }
      few_ = repeats * 8 <= std::max(end, kStretch);
    }
  }

  bool few() const { return few_; }
  bool operator()(std::int64_t row) const {
    const std::uint64_t at = place(row);
    return words_[at / 64].again >> (at % 64) & 1;
  }

 private:
  struct Word {
    std::uint64_t seen, again;
  };
  std::uint64_t place(std::int64_t row) const {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: neighbours land far apart
    return exact_ ? std::uint64_t(row) : std::uint64_t(row) * kGolden >> shift_;
  }

  Word* words_;
  bool exact_, few_ = true;
  int shift_;
};

}  // namespace steepest
