// Lets requests for memory fail in a Python process that this library is loaded into before all others (LD_PRELOAD):
// those of Python's objects here, those of C++ by cpp/tests/refuse_memory.cpp, which is linked to it. One at a time.
#include <atomic>
#include <cstddef>

#include "refuse_memory.hpp"

extern "C" {

struct Allocator {  // PyMemAllocatorEx
  void* context;
  void* (*malloc)(void*, std::size_t);
  void* (*calloc)(void*, std::size_t, std::size_t);
  void* (*realloc)(void*, void*, std::size_t);
  void (*free)(void*, void*);
};
void PyMem_GetAllocator(int domain, Allocator* allocator);
void PyMem_SetAllocator(int domain, Allocator* allocator);
}

namespace {

constexpr int kDomains = 3;  // raw memory, memory, objects
Allocator python_s[kDomains];
std::atomic<long> requests_left{-1};  // before the one that is refused; below 0: none is
std::atomic<bool> has_refused{false};

bool refused() {
  if (requests_left.load() < 0 || requests_left.fetch_sub(1) != 0) return false;
  has_refused = true;
  return true;
}

Allocator& of(void* context) { return *static_cast<Allocator*>(context); }

}  // namespace

extern "C" {

// The n-th request from now is refused (0: the next), of Python's objects or of C++.
void refuse(long n, bool of_python) {
  has_refused = false;
  refuse_memory(of_python ? -1 : n, false);
  requests_left = of_python ? n : -1;
}

// No request is refused any more; returns whether one was.
bool stop() {
  const bool found = has_refused || has_refused_memory();
  refuse_memory(-1, false);
  requests_left = -1;
  return found;
}

// Called once, with the interpreter's lock.
void watch_python() {
  for (int k = 0; k < kDomains; ++k) {
    PyMem_GetAllocator(k, &python_s[k]);
    Allocator watched{
        &python_s[k],
        [](void* own, std::size_t size) -> void* {
          return refused() ? nullptr : of(own).malloc(of(own).context, size);
        },
        [](void* own, std::size_t count, std::size_t size) -> void* {
          return refused() ? nullptr : of(own).calloc(of(own).context, count, size);
        },
        [](void* own, void* memory, std::size_t size) -> void* {
          return refused() ? nullptr : of(own).realloc(of(own).context, memory, size);
        },
        [](void* own, void* memory) { of(own).free(of(own).context, memory); },
    };
    PyMem_SetAllocator(k, &watched);
  }
}
}
