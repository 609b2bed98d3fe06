#include "steepest/runtime/scratch.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>

namespace steepest {
namespace {

struct Block {
  void* data;
  std::size_t bytes;
};

// Never waited for: a thread that finds it taken, or a child whose parent held it at the fork, does without.
std::mutex mutex;
constexpr int kBlocks = 16;
Block stock[kBlocks];
int count = 0;
std::size_t total = 0;

}  // namespace

Scratch::Scratch(std::size_t bytes) {
  if (bytes == 0) return;
  if (const std::unique_lock lock(mutex, std::try_to_lock); lock) {
    // The smallest block that is large enough.
    int best = -1;
    for (int k = 0; k < count; ++k)
      if (stock[k].bytes >= bytes && (best < 0 || stock[k].bytes < stock[best].bytes)) best = k;
    if (best >= 0) {
      block_ = stock[best].data;
      bytes_ = stock[best].bytes;
      total -= bytes_;
      stock[best] = stock[--count];
      return;
    }
  }
  // Batches of a run are seldom of one size to the last id.
  const std::size_t room = (bytes + bytes / 8 + 63) / 64 * 64;
  block_ = std::aligned_alloc(64, room);
  if (block_ == nullptr) throw std::bad_alloc();
  bytes_ = room;
}

Scratch::~Scratch() {
  if (block_ == nullptr) return;
  if (bytes_ <= kKept) {
    if (const std::unique_lock lock(mutex, std::try_to_lock); lock) {
      // The smallest blocks make way for a larger one.
      while (count > 0 && (count == kBlocks || total + bytes_ > kKept)) {
        Block* const least =
            std::min_element(stock, stock + count, [](const Block& a, const Block& b) { return a.bytes < b.bytes; });
        if (least->bytes >= bytes_) break;
        total -= least->bytes;
        std::free(least->data);
        *least = stock[--count];
      }
      if (count < kBlocks && total + bytes_ <= kKept) {
        stock[count++] = {block_, bytes_};
        total += bytes_;
        return;
      }
    }
  }
  std::free(block_);
}

std::size_t Scratch::kept() {
  const std::lock_guard lock(mutex);
  return total;
}

}  // namespace steepest
