// The roofline of sparse rows: every gradient row read in order, every distinct row of the tables read and written
// once, and what it has of its own, a counter or an accumulator, at addresses known beforehand, prefetched; duplicates
// are read and dropped. No search, no sum, no arithmetic.
#include <cstdint>

#include "parallel.hpp"

namespace {

using Word = std::uint32_t;

template <int Width>
void touch(Word* __restrict to, const Word* __restrict from, long width) {
  if constexpr (Width > 0) width = Width;
  for (long k = 0; k < width; ++k) to[k] ^= from[k];
}

inline void fetch(const void* at, long bytes) {
  for (long b = 0; b < bytes; b += 64) __builtin_prefetch(static_cast<const char*>(at) + b, 1);
  if (bytes % 64 != 0) __builtin_prefetch(static_cast<const char*>(at) + bytes - 1, 1);  // such rows lie across lines
}

template <int Width>
void visit(int tables, void* const* arrays, long own, const std::int64_t* ids, const std::uint8_t* first,
           const Word* gradient, long count, long width, long ahead, long begin, long end) {
  Word* const owned = own > 0 ? static_cast<Word*>(arrays[tables]) : nullptr;
  if constexpr (Width > 0) width = Width;
  const long fetched = width * 4 < 1024 ? width * 4 : 1024;  // the rest of a wide row is a stream
  for (long i = begin; i < end; ++i) {
    const long next = i + ahead < count ? i + ahead : i;
    if (first[next]) {
      for (int t = 0; t < tables; ++t) fetch(static_cast<Word*>(arrays[t]) + ids[next] * width, fetched);
      if (own > 0) __builtin_prefetch(owned + ids[next] * own, 1);
    }
    const Word* g = gradient + i * width;
    if (first[i]) {
      for (int t = 0; t < tables; ++t) touch<Width>(static_cast<Word*>(arrays[t]) + ids[i] * width, g, width);
      for (long k = 0; k < own; ++k) owned[ids[i] * own + k] ^= g[0];
    } else {
      Word seen = 0;
      for (long k = 0; k < width; ++k) seen ^= g[k];
      asm volatile("" ::"r"(seen));
    }
  }
}

}  // namespace

// `own`: words that a row has of its own, in one more array.
extern "C" void bench_rows(int tables, void* const* arrays, long own, const std::int64_t* ids,
                           const std::uint8_t* first, const void* gradient, long count, long width, long ahead,
                           int threads) {
  const auto* g = static_cast<const Word*>(gradient);
  in_parts(count, threads, [&](long begin, long end) {
    const auto run = [&]<int Width>() {
      visit<Width>(tables, arrays, own, ids, first, g, count, width, ahead, begin, end);
    };
    switch (width) {
      case 8:
        return run.template operator()<8>();
      case 16:
        return run.template operator()<16>();
      case 64:
        return run.template operator()<64>();
      case 128:
        return run.template operator()<128>();
      default:
        return run.template operator()<0>();
    }
  });
}
