// Every request for memory comes here: operator new is replaced, and the linker sends malloc and mmap (--wrap). A unit
// of its own, or compilers would look into new and delete and miss their match.
#include "refuse_memory.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> requests_left{-1};   // before one is refused; below 0: none is
std::atomic<bool> refuse_rest{false};  // and all that follow
std::atomic<bool> has_refused{false};

bool refused() {
  if (requests_left.load() < 0) return false;
  const long left = requests_left.fetch_sub(1);
  if (left > 0) return false;
  has_refused = true;
  if (refuse_rest) requests_left = 0;
  return true;
}

}  // namespace

void refuse_memory(long after, bool rest) {
  has_refused = false;
  refuse_rest = rest;
  requests_left = after;
}

bool has_refused_memory() { return has_refused; }

extern "C" {
void* __real_malloc(std::size_t size);
void* __wrap_malloc(std::size_t size) { return refused() ? nullptr : __real_malloc(size); }
void* __real_mmap(void* at, std::size_t size, int rights, int flags, int file, off_t offset);
void* __wrap_mmap(void* at, std::size_t size, int rights, int flags, int file, off_t offset) {
  return refused() ? MAP_FAILED : __real_mmap(at, size, rights, flags, file, offset);
}
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return refused() ? nullptr : __real_malloc(size > 0 ? size : 1);
}
void* operator new(std::size_t size) {
  void* const memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  void* const memory = refused() ? nullptr : std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
