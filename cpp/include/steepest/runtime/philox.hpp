// Random words of a key and a counter: Philox 4x32, ten rounds (J. Salmon and others, Parallel random numbers: as easy
// as 1, 2, 3, 2011).
#pragma once

#include <array>
#include <cstdint>

namespace steepest {

struct Counter {
  std::uint64_t low, high;  // one number of 128 bits, which wraps around
};

inline Counter plus(Counter counter, std::uint64_t steps) {
  const std::uint64_t low = counter.low + steps;
  return {low, counter.high + (low < steps)};
}

inline std::array<std::uint32_t, 4> philox(std::uint64_t key, Counter counter) {
  std::uint32_t k0 = std::uint32_t(key), k1 = std::uint32_t(key >> 32);
  std::array<std::uint32_t, 4> x{std::uint32_t(counter.low), std::uint32_t(counter.low >> 32),
                                 std::uint32_t(counter.high), std::uint32_t(counter.high >> 32)};
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
    const std::uint64_t left = std::uint64_t{0xD2511F53} * x[0], right = std::uint64_t{0xCD9E8D57} * x[2];
    x = {std::uint32_t(right >> 32) ^ x[1] ^ k0, std::uint32_t(right), std::uint32_t(left >> 32) ^ x[3] ^ k1,
         std::uint32_t(left)};
  }
  return x;
}

// Writes the four words of each of `groups * blocks` counters: groups lie `skip` apart, the blocks of one follow each
// other.
inline void philox_words(std::uint64_t key, Counter counter, std::int64_t groups, std::int64_t blocks,
                         std::uint64_t skip, std::uint32_t* out) {
  for (std::int64_t group = 0; group < groups; ++group, counter = plus(counter, skip)) {
    Counter at = counter;
    for (std::int64_t block = 0; block < blocks; ++block, at = plus(at, 1))
      for (const std::uint32_t word : philox(key, at)) *out++ = word;
  }
}

}  // namespace steepest
