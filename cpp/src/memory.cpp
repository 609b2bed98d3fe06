#include "steepest/memory.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace steepest {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

#ifdef __linux__
// `bytes` of fresh zeros that begin where a huge page can, or nullptr.
void* map_huge(std::size_t bytes) {
  void* const mapped = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(mapped);
  const std::size_t before = round_up(begin, kHugePage) - begin;
  char* const aligned = static_cast<char*>(mapped) + before;
  if (before > 0) munmap(mapped, before);
  munmap(aligned + bytes, kHugePage - before);
  madvise(aligned, bytes, MADV_HUGEPAGE);  // advice: a system without huge pages does without
  return aligned;
}
#endif

}  // namespace

Memory::Memory(std::size_t bytes, std::size_t colour, bool zero) {
  if (bytes > std::size_t(std::numeric_limits<std::ptrdiff_t>::max()) - 2 * kHugePage) throw std::bad_alloc();
  colour = colour % kPage / kLine * kLine;
#ifdef __linux__
  if (bytes >= kHuge) {
    const std::size_t size = round_up(bytes + colour, kPage);
    block_ = map_huge(size);
    if (block_ == nullptr) throw std::bad_alloc();
    mapped_ = size;
    data_ = static_cast<char*>(block_) + colour;
    return;
  }
#endif
  const std::size_t slack = bytes < kColoured ? kLine : kPage;
  block_ = zero ? std::calloc(bytes + slack, 1) : std::malloc(bytes + slack);
  if (block_ == nullptr) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(block_);
  // The first place of the wanted colour; for a small block the first line.
  const std::uintptr_t place =
      bytes < kColoured ? round_up(begin, kLine) : begin + (colour + kPage - begin % kPage) % kPage;
  data_ = reinterpret_cast<void*>(place);
}

Memory::~Memory() {
#ifdef __linux__
  if (mapped_ > 0) {
    munmap(block_, mapped_);
    return;
  }
#endif
  std::free(block_);
}

std::size_t Memory::next_colour() {
  // Steps of about the golden section: any few in a row are far apart.
  constexpr std::size_t kStep = 39 * kLine;
  static std::atomic<std::size_t> count{0};
  return count.fetch_add(1, std::memory_order_relaxed) * kStep % kPage;
}

}  // namespace steepest
