// Kept memory: whose it is, how much of it, and what many threads make of it.
#include "steepest/runtime/scratch.hpp"

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "check.hpp"

using namespace steepest;

namespace {

void test_a_block_comes_back() {
  void* first;
  {
    const Scratch block(100000);
    first = block.data();
    std::memset(first, 1, 100000);
  }
  const Scratch again(90000);
  CHECK(again.data() == first, "a smaller block is cut from the one that is kept");
  const Scratch other(90000);
  CHECK(other.data() != first, "two blocks share memory");
  CHECK(reinterpret_cast<std::uintptr_t>(other.data()) % 64 == 0, "a block begins at a line");
  void* kept;
  {
    const Scratch block(300000);
    kept = block.data();
  }
  CHECK(Scratch(500000).data() != kept, "a block that is too small");
  CHECK(Scratch(0).data() == nullptr, "no bytes need no block");
}

void test_the_stock_is_bounded() {
  {
    std::vector<Scratch> blocks;
    for (int k = 0; k < 40; ++k) blocks.emplace_back(std::size_t{4} << 20);
  }
  CHECK(Scratch::kept() <= Scratch::kKept, "%zu bytes", Scratch::kept());
  {
    const Scratch large(2 * Scratch::kKept);
  }
  CHECK(Scratch::kept() <= Scratch::kKept, "%zu bytes", Scratch::kept());
}

void test_threads_never_share_a_block() {
  std::vector<std::thread> threads;
  std::vector<int> bad(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &bad] {
      for (int round = 0; round < 2000; ++round) {
        const std::size_t bytes = 64 + std::size_t(round * 37 + t) % 5000;
        const Scratch block(bytes);
        std::memset(block.data(), t, bytes);
        const auto* const data = static_cast<const unsigned char*>(block.data());
        for (std::size_t k = 0; k < bytes; ++k) bad[std::size_t(t)] += data[k] != t;
      }
    });
  for (auto& thread : threads) thread.join();
  for (const int count : bad) CHECK(count == 0, "%d bytes of another thread", count);
}

}  // namespace

int main() {
  test_a_block_comes_back();
  test_the_stock_is_bounded();
  test_threads_never_share_a_block();
  return report("scratch");
}
