// Asking for a table's rows, with their slots, some rows before they are updated.
#pragma once

#include <algorithm>

#include "steepest/kernel/prefetch.hpp"
#include "steepest/kernel/rule.hpp"
#include "steepest/kernel/update.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <class R, class T>
class RowsAhead {
 public:
  // Bytes of a row of the parameter.
  RowsAhead(const UpdateArgs& args, std::int64_t row_bytes)
      : args_(args),
        row_bytes_(row_bytes),
        slot_bytes_(args.width * std::int64_t(sizeof(T))),
        together_(row_bytes + kSlots * slot_bytes_),
        rows_(kRowsToFirstLevel ? kRowsAhead
                                : std::clamp(kBytesAhead / (together_ + 1), kFewestRowsAhead, kRowsAhead)) {}

  // Unique rows [begin, end) come next, in this order.
  STEEPEST_INLINE void begin(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t u = begin; u < std::min(begin + rows_, end); ++u) ask(args_.groups->rows[u]);
  }
  // Row u is updated now.
  STEEPEST_INLINE void next(std::int64_t u, std::int64_t end) const {
    if (u + rows_ < end) ask(args_.groups->rows[u + rows_]);
  }

 private:
  static constexpr int kSlots = slots_of<R>(Extent::element);

  STEEPEST_INLINE void ask(std::int64_t row) const {
    prefetch_rows(together_, [&]<Level Where>() {
      prefetch<Where>(static_cast<const char*>(args_.parameter) + row * row_bytes_, row_bytes_);
      for (int k = 0; k < kSlots; ++k)
        prefetch<Where>(static_cast<const char*>(args_.slots[k]) + row * slot_bytes_, slot_bytes_);
      if constexpr (slots_of<R>(Extent::row) > 0) {
        using RowSlot = typename Updater<R, T>::RowSlot;
        prefetch_number<Where>(static_cast<const RowSlot*>(args_.slots[kSlots]) + row);
      }
      if constexpr (HasPending<R>) {
        if (args_.pending != nullptr) prefetch_number<Where>(args_.pending->last + row);
      }
    });
  }

  const UpdateArgs& args_;
  const std::int64_t row_bytes_, slot_bytes_, together_, rows_;
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
