#include "steepest/runtime/allocation.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

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
bool is_mapped(std::size_t size) { return size >= Allocation::kHuge; }
#else
bool is_mapped(std::size_t) { return false; }
#endif

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

// try_lock only: on contention, and in the child of a fork whose parent held the lock, fall through to the system.
class Stock {
 public:
  struct Entry {
    void* start;
    std::size_t size, age;
  };

  // The smallest block that has room and is not much larger, of equals the one freed last; without a start where there
  // is none.
  Entry take(std::size_t size) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return {};
    const std::size_t most = size + size / 2;
    auto best = entries_.rend();
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
      if (entry->size >= size && entry->size <= most && (best == entries_.rend() || entry->size < best->size)) {
        best = entry;
        if (entry->size == size) break;
      }
    if (best == entries_.rend()) return {};
    const Entry taken = *best;
    entries_.erase(std::next(best).base());
    bytes_ -= taken.size;
    return taken;
  }

  bool give(const Entry& entry) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    while (bytes_ + entry.size > limit_ && !entries_.empty()) {
      free_block(entries_.front().start, entries_.front().size);
      bytes_ -= entries_.front().size;
      entries_.pop_front();
    }
    try {
      entries_.push_back(entry);
    } catch (const std::bad_alloc&) {
      return false;
    }
    bytes_ += entry.size;
    return true;
  }

  void clear() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    for (const Entry& entry : entries_) free_block(entry.start, entry.size);
    entries_.clear();
    bytes_ = 0;
  }

  // malloc is quick at small blocks; blocks beyond the limit would drive out all others.
  bool takes(std::size_t size) const { return size >= Allocation::kSmallest && size <= limit_; }
  std::size_t bytes() const { return bytes_; }

 private:
  const std::size_t limit_ = cache_limit();
  std::mutex mutex_;
  std::deque<Entry> entries_;  // in the order in which they were freed
  std::atomic<std::size_t> bytes_{0};
};

// Never destroyed: arrays may outlive every static object.
Stock& stock() {
  static Stock* const instance = new Stock;
  return *instance;
}

std::size_t parse_limit(const char* text) {
  if (text == nullptr || *text == '\0') return std::size_t{64} << 20;
  std::size_t bytes = 0;
  for (const char* c = text; *c != '\0'; ++c)
    if (*c < '0' || *c > '9' || __builtin_mul_overflow(bytes, std::size_t{10}, &bytes) ||
        __builtin_add_overflow(bytes, std::size_t(*c - '0'), &bytes))
      throw std::invalid_argument("steepest: STEEPEST_CACHE_BYTES must be a number of bytes (0 keeps nothing), got '" +
                                  std::string(text) + "'");
  return bytes;
}

}  // namespace

std::size_t cache_limit() {
  static const std::size_t limit = parse_limit(std::getenv("STEEPEST_CACHE_BYTES"));
  return limit;
}

std::size_t cached_bytes() { return stock().bytes(); }

bool Allocation::obtain(std::size_t size) {
  static std::atomic<std::size_t> allocated{0};
  size_ = size;
  age_ = allocated.fetch_add(size, std::memory_order_relaxed);
  if (stock().takes(size)) {
    if (const Stock::Entry entry = stock().take(size); entry.start != nullptr) {
      block_ = entry.start;
      size_ = entry.size;
      cold_ = age_ - entry.age >= kCold;
      return false;
    }
  }
  block_ = new_block(size);
  if (block_ == nullptr) {
    stock().clear();
    block_ = new_block(size);
    if (block_ == nullptr) throw std::bad_alloc();
  }
  return true;
}

Allocation::Allocation(std::size_t bytes) {
  if (bytes == 0) return;
  // An eighth more: batches of a run are seldom of one size to the last id.
  obtain(round_up(bytes + bytes / 8 + kLine, bytes < kSmallest ? kLine : kPage));
  data_ = reinterpret_cast<void*>(round_up(reinterpret_cast<std::uintptr_t>(block_), kLine));
}

Allocation::Allocation(std::size_t bytes, std::size_t colour, bool zero) {
  if (bytes > std::size_t(std::numeric_limits<std::ptrdiff_t>::max()) - 2 * kHugePage) throw std::bad_alloc();
  const bool small = bytes < kSmallest;
  const bool fresh = obtain(small ? bytes + kLine : round_up(bytes + kPage, kPage));
  const auto begin = reinterpret_cast<std::uintptr_t>(block_);
  // The first place of the colour; for a small block the first line.
  colour = colour % kPage / kLine * kLine;
  const std::uintptr_t place = small ? round_up(begin, kLine) : begin + (colour + kPage - begin % kPage) % kPage;
  data_ = reinterpret_cast<void*>(place);
  if (zero && !(fresh && is_mapped(size_))) std::memset(data_, 0, bytes);
}

Allocation::~Allocation() {
  if (block_ == nullptr) return;
  if (!(stock().takes(size_) && stock().give({block_, size_, age_}))) free_block(block_, size_);
}

std::size_t Allocation::next_colour() {
  // Steps of about the golden section: any few in a row are far apart.
  constexpr std::size_t kStep = 39 * kLine;
  static std::atomic<std::size_t> count{0};
  return count.fetch_add(1, std::memory_order_relaxed) * kStep % kPage;
}

}  // namespace steepest
