// The gradient of a batch, read by row: where a row's occurrences are, and their sum.
#pragma once

#include <algorithm>

#include "steepest/kernel/gradient.hpp"
#include "steepest/kernel/prefetch.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Rows are summed in panels of so many columns.
inline constexpr std::int64_t kPanel = 1024;

// Reads a batch row by row and asks for what comes next. Width: that of the rows, or 0 where it is only known at
// run time.
template <class Stored, int Width>
class Occurrences {
 public:
  using T = Compute<Stored>;

  explicit Occurrences(const UpdateArgs& args)
      : args_(args),
        width_(Width > 0 ? Width : args.width),
        stride_(width_ + args.row_gap),
        item_bytes_(std::int64_t(args.wide_gradient ? sizeof(float) : sizeof(Stored))),
        offsets_(args.groups->offsets),
        positions_(args.groups->positions),
        as_it_is_(args.groups->weights == nullptr ? 1 : 0) {}

  // Unique rows [begin, end) come next, in this order.
  STEEPEST_INLINE void begin(std::int64_t begin, std::int64_t end) {
    if (positions_ == nullptr || begin >= end) return;
    limit_ = offsets_[end];
    const std::int64_t first = offsets_[begin];
    for (std::int64_t k = first; k < std::min(first + kOccurrencesAhead, limit_); ++k) fetch(k);
  }

  // Columns [column, column + columns) of row u's gradient, at most kPanel: where they lie in the batch, or in `sum`.
  STEEPEST_INLINE const T* panel(std::int64_t u, std::int64_t column, std::int64_t columns, T* sum) const {
    std::int64_t position = u;
    if (positions_ != nullptr) {
      const std::int64_t k = offsets_[u], end = offsets_[u + 1];
      if (k + as_it_is_ != end || !std::is_same_v<Stored, T>) {
        add_up(args_, limit_, k, end, column, columns, sum);
        return sum;
      }
      ahead(k);
      position = positions_[k];
    }
    if constexpr (std::is_same_v<Stored, T>) return static_cast<const T*>(args_.gradient) + position * stride_ + column;
    widen(position, column, columns, sum);
    return sum;
  }

 private:
  STEEPEST_INLINE void fetch(std::int64_t k) const {
    prefetch(static_cast<const char*>(args_.gradient) + std::int64_t(positions_[k]) * stride_ * item_bytes_,
             width_ * item_bytes_);
  }
  // Of occurrences that nearly follow each other none: the processor finds a stream by itself.
  STEEPEST_INLINE void ahead(std::int64_t k) const {
    constexpr std::uint32_t kNear = 2 * kOccurrencesAhead;
    if (k + kOccurrencesAhead < limit_ && positions_[k + kOccurrencesAhead] - positions_[k] > kNear)
      fetch(k + kOccurrencesAhead);
  }

  template <class Body>
  void over(std::int64_t columns, const Body& body) const {
    for_blocks<kBlock<T>>(0, Width > 0 ? Width : columns, body);
  }
  template <int N>
  Block<T, N> at(std::int64_t position, std::int64_t column) const {
    return load_gradient<Stored, N>(args_, position * stride_ + column);
  }
  void widen(std::int64_t position, std::int64_t column, std::int64_t columns, T* out) const {
    over(columns, [&]<int N>(std::int64_t c) { store<N>(out + c, at<N>(position, column + c)); });
  }

  // These are compiled once for all rules, in src/occurrences.cpp. add_up() is static, so that the object of the
  // calling loop stays in registers.
  static void add_up(const UpdateArgs& args, std::int64_t limit, std::int64_t k, std::int64_t end, std::int64_t column,
                     std::int64_t columns, T* total);
  std::int64_t add_chunk(std::int64_t k, std::int64_t end, std::int64_t column, std::int64_t columns, T* out) const;
  template <int N, int M, bool Weighted>
  void add_strip(std::int64_t k, std::int64_t stop, std::int64_t column, T* out, bool first) const;

  const UpdateArgs& args_;
  const std::int64_t width_, stride_, item_bytes_;
  const std::uint32_t *const offsets_, *const positions_;
  // How many occurrences of a row have its gradient where it lies: 1, or 0 where they have weights.
  const std::int64_t as_it_is_;
  std::int64_t limit_ = 0;
};

// Widths of float32 rows that have a driver of their own: what is done for each row and not for each block takes a
// third of the time where rows are narrow.
#define STEEPEST_WIDTHS(WIDTH) WIDTH(1) WIDTH(2) WIDTH(3) WIDTH(4) WIDTH(8) WIDTH(16) WIDTH(32) WIDTH(64)

}  // namespace STEEPEST_ISA
}  // namespace steepest
