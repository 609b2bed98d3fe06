// The stock of freed memory: whose a block is, how much is held, and what many threads make of it.
#include "steepest/runtime/allocation.hpp"

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "check.hpp"

using namespace steepest;

namespace {

void test_freed_memory_comes_back() {
  void* first;
  {
    const Allocation memory(100000);
    first = memory.data();
    std::memset(first, 1, 100000);
  }
  const Allocation again(90000);
  CHECK(again.data() == first, "a smaller allocation is cut from the block that was freed");
  const Allocation other(90000);
  CHECK(other.data() != first, "two allocations share memory");
  CHECK(reinterpret_cast<std::uintptr_t>(other.data()) % kLine == 0, "an allocation begins at a line");
  void* freed;
  {
    const Allocation memory(300000);
    freed = memory.data();
  }
  CHECK(Allocation(500000).data() != freed, "a block that is too small");
  CHECK(Allocation(0).data() == nullptr, "no bytes need no block");
}

void test_arrays_and_calls_share_the_stock() {
  {
    const Allocation array(1000000, 0, false);
  }
  const std::size_t before = cached_bytes();
  const Allocation work(850000);
  CHECK(cached_bytes() < before, "the array's memory serves the call");
}

void test_the_stock_is_bounded() {
  {
    std::vector<Allocation> many;
    for (int k = 0; k < 40; ++k) many.emplace_back(std::size_t{4} << 20);
  }
  CHECK(cached_bytes() <= cache_limit(), "%zu bytes", cached_bytes());
  {
    const Allocation large(2 * cache_limit());
  }
  CHECK(cached_bytes() <= cache_limit(), "%zu bytes", cached_bytes());
}

void test_zeros_are_zero_and_colours_hold() {
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{20000}, std::size_t{3} << 20})
    for (int round = 0; round < 3; ++round) {
      const Allocation array(bytes, 1088, true);
      const auto* const data = static_cast<const unsigned char*>(array.data());
      for (std::size_t k = 0; k < bytes; ++k) CHECK(data[k] == 0, "byte %zu of %zu", k, bytes);
      if (bytes >= Allocation::kSmallest)
        CHECK(reinterpret_cast<std::uintptr_t>(data) % kPage == 1088, "colour of %zu bytes", bytes);
      std::memset(array.data(), 1, bytes);
    }
}

void test_threads_never_share_a_block() {
  std::vector<std::thread> threads;
  std::vector<int> bad(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &bad] {
      for (int round = 0; round < 2000; ++round) {
        const std::size_t bytes = 64 + std::size_t(round * 37 + t) % 5000;
        const Allocation memory(bytes);
        std::memset(memory.data(), t, bytes);
        const auto* const data = static_cast<const unsigned char*>(memory.data());
        for (std::size_t k = 0; k < bytes; ++k) bad[std::size_t(t)] += data[k] != t;
      }
    });
  for (auto& thread : threads) thread.join();
  for (const int count : bad) CHECK(count == 0, "%d bytes of another thread", count);
}

}  // namespace

int main() {
  test_freed_memory_comes_back();
  test_arrays_and_calls_share_the_stock();
  test_zeros_are_zero_and_colours_hold();
  test_the_stock_is_bounded();
  test_threads_never_share_a_block();
  return report("allocation");
}
