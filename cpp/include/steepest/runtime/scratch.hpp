// Memory that a call needs for its own sake, kept for the next call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace steepest {

// A block of bytes with any content, given back to a small stock when it goes. Fresh memory costs a page fault for each
// 4 KiB, which is as much as sorting the ids that lie in it.
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(std::size_t bytes);  // throws std::bad_alloc
  ~Scratch();

  Scratch(Scratch&& other) noexcept { *this = std::move(other); }
  Scratch& operator=(Scratch&& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  void* data() const { return block_; }

  // Bytes that the stock holds at most; what is beyond goes back to the system.
  static constexpr std::size_t kKept = std::size_t{64} << 20;
  static std::size_t kept();

 private:
  void* block_ = nullptr;
  std::size_t bytes_ = 0;
};

// Cuts arrays out of one block, each at a cache line of its own.
class Carver {
 public:
  explicit Carver(void* block) : next_(static_cast<std::byte*>(block)) {}

  template <class T>
  T* take(std::int64_t count) {
    T* const begin = reinterpret_cast<T*>(next_);
    next_ += bytes<T>(count);
    return begin;
  }
  template <class T>
  static std::size_t bytes(std::int64_t count) {
    constexpr std::size_t kLine = 64;
    return (std::size_t(count) * sizeof(T) + kLine - 1) / kLine * kLine;
  }

 private:
  std::byte* next_;
};

}  // namespace steepest
