// Memory for arrays, placed where the streams of one update do not get into each other's way.
#pragma once

#include <cstddef>

namespace steepest {

inline constexpr std::size_t kLine = 64, kPage = 4096;

// One allocation. Its start is aligned to a cache line and has a colour: its place within a page. Loads and stores at
// equal places of different pages look alike to a processor until their addresses are compared in full, and wait for
// each other; arrays that are walked side by side should therefore differ in colour. An allocation of at least
// kHuge bytes is made of huge pages where the system has any: fewer translations to look up.
//
// Freed blocks are kept for the next array of about the same size, up to kKept bytes in all, the oldest leaving first:
// a loop that makes and drops the same arrays would else pay for fresh pages, several times what it does with them.
class Memory {
 public:
  static constexpr std::size_t kHuge = std::size_t{2} << 20;
  // Below this size a colour would cost more memory than it is worth, and malloc's own places vary.
  static constexpr std::size_t kColoured = std::size_t{16} << 10;
  static constexpr std::size_t kKept = std::size_t{64} << 20;
  // As much as the last level of cache of many processors, or more.
  static constexpr std::size_t kCold = std::size_t{32} << 20;

  // Throws std::bad_alloc. `colour` counts in bytes and is rounded down to a line. With `zero` all bytes are 0.
  Memory(std::size_t bytes, std::size_t colour, bool zero);
  ~Memory();

  void* data() const { return data_; }

  // Whether caches are likely to have lost the block: it was last made into an array kCold bytes of arrays ago.
  bool cold() const { return cold_; }

  // A colour that differs from those handed out just before.
  static std::size_t next_colour();

  // Bytes of freed blocks that are kept.
  static std::size_t kept();

  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

 private:
  void* block_ = nullptr;
  std::size_t size_ = 0;  // of the block
  std::size_t made_;      // bytes of arrays made before this one, in all
  bool cold_ = false;
  void* data_ = nullptr;
};

}  // namespace steepest
