// Lets requests for memory fail in the process that this library is loaded into before all others (LD_PRELOAD): those
// of C++ (operator new) or those of Python's objects, one at a time.
#include <atomic>
#include <cstdlib>
#include <new>

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
std::atomic<long> native_left{-1}, python_left{-1};  // requests before the one that is refused; below 0: none is
std::atomic<bool> has_refused{false};

bool refused(std::atomic<long>& left) {
  if (left.load() < 0 || left.fetch_sub(1) != 0) return false;
  has_refused = true;
  return true;
}

Allocator& of(void* context) { return *static_cast<Allocator*>(context); }

void* request(std::size_t size, std::size_t unit) {
  void* const memory = refused(native_left) ? nullptr : std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

extern "C" {

// The n-th request from now is refused (0: the next), of Python's objects or of C++.
void refuse(long n, bool of_python) {
  has_refused = false;
  native_left = of_python ? -1 : n;
  python_left = of_python ? n : -1;
}

// No request is refused any more; returns whether one was.
bool stop() {
  native_left = python_left = -1;
  return has_refused;
}

// Called once, with the interpreter's lock.
void watch_python() {
  for (int k = 0; k < kDomains; ++k) {
    PyMem_GetAllocator(k, &python_s[k]);
    Allocator watched{
        &python_s[k],
        [](void* own, std::size_t size) -> void* {
          return refused(python_left) ? nullptr : of(own).malloc(of(own).context, size);
        },
        [](void* own, std::size_t count, std::size_t size) -> void* {
          return refused(python_left) ? nullptr : of(own).calloc(of(own).context, count, size);
        },
        [](void* own, void* memory, std::size_t size) -> void* {
          return refused(python_left) ? nullptr : of(own).realloc(of(own).context, memory, size);
        },
        [](void* own, void* memory) { of(own).free(of(own).context, memory); },
    };
    PyMem_SetAllocator(k, &watched);
  }
}
}

void* operator new(std::size_t size) { return request(size > 0 ? size : 1, 16); }
void* operator new(std::size_t size, std::align_val_t unit) { return request(size, static_cast<std::size_t>(unit)); }
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, std::align_val_t unit) { return operator new(size, unit); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
