#include "steepest/runtime/allocation.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <limits>
#include <mutex>
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

#ifdef __linux__
bool is_mapped(std::size_t size) { return size >= Memory::kHuge; }
#else
bool is_mapped(std::size_t) { return false; }
#endif

// Whether a block of this size is worth keeping: malloc is quick at smaller ones.
bool is_kept(std::size_t size) { return size >= Memory::kColoured && size <= Memory::kKept; }

void* new_block(std::size_t size) {
#ifdef __linux__
  if (is_mapped(size)) return map_huge(size);
#endif
  return std::malloc(size);
}

void free_block(void* block, std::size_t size) {
#ifdef __linux__
  if (is_mapped(size)) {
    munmap(block, size);
    return;
  }
#endif
  std::free(block);
}

// Nobody waits for the lock: who does not get it goes without. So a fork while it is held does no harm either.
class Kept {
 public:
  struct Block {
    void* start;
    std::size_t size, made;
  };

  // The smallest block that has room and is not much larger, of equals the one freed last; without a start where there
  // is none.
  Block take(std::size_t size) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return {};
    const std::size_t most = size + size / 2;
    auto best = blocks_.rend();
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
      if (block->size >= size && block->size <= most && (best == blocks_.rend() || block->size < best->size)) {
        best = block;
        if (block->size == size) break;
      }
    if (best == blocks_.rend()) return {};
    const Block found = *best;
    blocks_.erase(std::next(best).base());
    bytes_ -= found.size;
    return found;
  }

  bool give(const Block& block) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    while (bytes_ + block.size > Memory::kKept && !blocks_.empty()) {
      free_block(blocks_.front().start, blocks_.front().size);
      bytes_ -= blocks_.front().size;
      blocks_.pop_front();
    }
    try {
      blocks_.push_back(block);
    } catch (const std::bad_alloc&) {
      return false;
    }
    bytes_ += block.size;
    return true;
  }

  void clear() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    for (const Block& block : blocks_) free_block(block.start, block.size);
    blocks_.clear();
    bytes_ = 0;
  }

  std::size_t bytes() const { return bytes_; }

 private:
  std::mutex mutex_;
  std::deque<Block> blocks_;  // in the order in which they were freed
  std::atomic<std::size_t> bytes_{0};
};

// Never destroyed: arrays may outlive every static object.
Kept& kept_blocks() {
  static Kept* const kept = new Kept;
  return *kept;
}

}  // namespace

Memory::Memory(std::size_t bytes, std::size_t colour, bool zero) {
  if (bytes > std::size_t(std::numeric_limits<std::ptrdiff_t>::max()) - 2 * kHugePage) throw std::bad_alloc();
  colour = colour % kPage / kLine * kLine;
  const bool small = bytes < kColoured;
  size_ = small ? bytes + kLine : round_up(bytes + kPage, kPage);
  static std::atomic<std::size_t> made{0};
  made_ = made.fetch_add(size_, std::memory_order_relaxed);
  if (is_kept(size_)) {
    const Kept::Block kept = kept_blocks().take(size_);
    if (kept.start != nullptr) {
      block_ = kept.start;
      size_ = kept.size;
      cold_ = made_ - kept.made >= kCold;
    }
  }
  const bool fresh = block_ == nullptr;
  if (fresh) block_ = new_block(size_);
  if (block_ == nullptr) {
    kept_blocks().clear();
    block_ = new_block(size_);
    if (block_ == nullptr) throw std::bad_alloc();
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(block_);
  // The first place of the wanted colour; for a small block the first line.
  const std::uintptr_t place = small ? round_up(begin, kLine) : begin + (colour + kPage - begin % kPage) % kPage;
  data_ = reinterpret_cast<void*>(place);
  if (zero && !(fresh && is_mapped(size_))) std::memset(data_, 0, bytes);
}

Memory::~Memory() {
  if (!(is_kept(size_) && kept_blocks().give({block_, size_, made_}))) free_block(block_, size_);
}

std::size_t Memory::kept() { return kept_blocks().bytes(); }

std::size_t Memory::next_colour() {
  // Steps of about the golden section: any few in a row are far apart.
  constexpr std::size_t kStep = 39 * kLine;
  static std::atomic<std::size_t> count{0};
  return count.fetch_add(1, std::memory_order_relaxed) * kStep % kPage;
}

}  // namespace steepest
