// Memory for arrays and for the work of one call. Freed memory goes to one stock, which serves later allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace steepest {

inline constexpr std::size_t kLine = 64, kPage = 4096;

// Slots begin so far apart within a page: a quarter of it, and a line.
inline constexpr std::size_t kColourStep = kPage / 4 + kLine;

// One allocation, given to the stock when it goes. Its start is aligned to a cache line.
//
// The stock exists because fresh pages cost several times what the arithmetic on them does, and a training loop makes
// and drops the same arrays at each step. It holds at most cache_limit() bytes; the oldest leave first. Allocations of
// at least kHuge bytes are made of huge pages where the system has any, which are fewer translations to look up.
class Allocation {
 public:
  static constexpr std::size_t kHuge = std::size_t{2} << 20;
  // Smaller ones are left to malloc, which is quick at them, and have no colour.
  static constexpr std::size_t kSmallest = std::size_t{16} << 10;
  // As much as the last level of cache of many processors, or more.
  static constexpr std::size_t kCold = std::size_t{32} << 20;

  Allocation() = default;
  // For the work of one call, with any content. Throws std::bad_alloc, as does the next one.
  explicit Allocation(std::size_t bytes);
  // For an array at `colour` bytes into a page, rounded down to a line. Loads and stores at equal places of different
  // pages look alike to a processor until their addresses are compared in full, and wait for each other; so arrays that
  // are walked side by side should differ in colour.
  Allocation(std::size_t bytes, std::size_t colour, bool zero);
  ~Allocation();

  Allocation(Allocation&& other) noexcept { *this = std::move(other); }
  Allocation& operator=(Allocation&& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    std::swap(age_, other.age_);
    std::swap(cold_, other.cold_);
    return *this;
  }
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  void* data() const { return data_; }

  // Whether caches have likely lost the block: at least kCold bytes were allocated since it was last in use.
  bool cold() const { return cold_; }

  // A colour that differs from those handed out just before.
  static std::size_t next_colour();

 private:
  bool obtain(std::size_t size);  // whether the bytes are fresh from the system

  void* block_ = nullptr;
  std::size_t size_ = 0;  // of the block
  void* data_ = nullptr;
  std::size_t age_ = 0;  // bytes allocated before this one, in all
  bool cold_ = false;
};

// Bytes of freed memory that the stock holds now.
std::size_t cached_bytes();

// The most that it may hold: the environment variable STEEPEST_CACHE_BYTES, read once, else 64 MiB; 0 keeps nothing.
// Throws std::invalid_argument where the variable is no such number.
std::size_t cache_limit();

// Cuts arrays out of one allocation, each at a cache line of its own.
class Carver {
 public:
  explicit Carver(void* begin) : next_(static_cast<std::byte*>(begin)) {}

  template <class T>
  T* take(std::int64_t count) {
    T* const begin = reinterpret_cast<T*>(next_);
    next_ += bytes<T>(count);
    return begin;
  }
  template <class T>
  static std::size_t bytes(std::int64_t count) {
    return (std::size_t(count) * sizeof(T) + kLine - 1) / kLine * kLine;
  }

 private:
  std::byte* next_;
};

}  // namespace steepest
