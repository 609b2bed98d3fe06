// Asking for rows before they are read: they lie anywhere, so the processor's own prefetching does not find them.
#pragma once

#include <cstdint>

#include "steepest/kernel/macros.hpp"
#include "steepest/runtime/kernel_api.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// How far ahead of their use rows of a table, and of a batch, are asked for. Where they come to the second level, so
// many bytes with their slots. Measured (Zen 3, 64 columns, over the same rows without arithmetic; 4, 8, 16 rows):
// SGD 1.14, 1.04, 1.00; Adagrad 1.05, 1.02, 1.10; lazy Adam 1.12, 1.14, 1.20; FTRL 1.13, 1.17, 1.28.
inline constexpr std::int64_t kRowsAhead = 16, kFewestRowsAhead = 4, kBytesAhead = 4096, kOccurrencesAhead = 48;

enum class Level : int { second = 2, first = 3 };  // of cache

// GCC takes a function that only prefetches for pure and may drop its calls, even one that it inlines later.
STEEPEST_INLINE void keep_call() { asm volatile(""); }

template <Level Where = Level::second>
STEEPEST_INLINE void prefetch(const void* begin, std::int64_t bytes) {
  keep_call();
  constexpr std::int64_t kLine = 64, kMost = 1024;  // only the start of wider rows: the rest is a stream
  const char* const first = static_cast<const char*>(begin);
  const std::int64_t stop = bytes < kMost ? bytes : kMost;
  for (std::int64_t offset = 0; offset < stop; offset += kLine) __builtin_prefetch(first + offset, 0, int(Where));
  // Rows need not begin at a line.
  if (stop % kLine != 0 || reinterpret_cast<std::uintptr_t>(first) % kLine != 0)
    __builtin_prefetch(first + stop - 1, 0, int(Where));
}

// A number, which lies in one line.
template <Level Where, class T>
STEEPEST_INLINE void prefetch_number(const T* number) {
  keep_call();
  __builtin_prefetch(number, 0, int(Where));
}

// What is asked for ahead has so much room in the first level, beside what the update works on. Measured (Xeon, 48 KiB;
// bytes of a row with its slots): 512, a fifth to a quarter sooner than in the second level; 768, no difference; 1,024,
// a tenth to a fifth later.
inline constexpr std::int64_t kFirstLevelBytes = 12 << 10;

// Calls `ask` with the level of cache that rows which are updated soon should come to. `bytes`: of a row with its
// slots.
template <class Ask>
STEEPEST_INLINE void prefetch_rows(std::int64_t bytes, const Ask& ask) {
  if (kRowsToFirstLevel && bytes * kRowsAhead <= kFirstLevelBytes)
    ask.template operator()<Level::first>();
  else
    ask.template operator()<Level::second>();
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
