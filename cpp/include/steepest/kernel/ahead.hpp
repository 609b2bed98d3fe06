// Asking for the arrays of dense updates before they are read.
#pragma once

#include "steepest/kernel/block.hpp"
#include "steepest/runtime/kernel_api.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Arrays that are together larger than this are asked for some way ahead of the update: the processor's own prefetching
// stops at every page, and a rule that computes much does not reach beyond the page by itself. Measured (Xeon with
// AVX-512, out of cache): Lion took 1.17 of the time that memory needs, a rule of rows 1.40; with it 1.00 both. AMD's
// processors prefetch few arrays better by themselves (isa_select.cpp).
inline constexpr std::int64_t kFarBytes = 4 << 20, kAheadBytes = 2048;

// Prefetches arrays that come later: those that are updated next (runtime/plan.hpp says when), or this update's own.
template <class Stored, int Slots>
class Ahead {
 public:
  // Of an update whose own arrays are near, none.
  static const UpdateArgs* of(const UpdateArgs& args) {
    if (args.next != nullptr) return args.next;
    const std::int64_t each = 2 * sizeof(Stored) + Slots * sizeof(Compute<Stored>);
    return Slots >= kFewestSlotsAhead && args.rows * args.width * each > kFarBytes ? &args : nullptr;
  }

  Ahead(const UpdateArgs& args, const UpdateArgs& present)
      : elements_(args.rows * args.width), gradient_bytes_(args.wide_gradient ? 4 : sizeof(Stored)) {
    if (&args == &present) distance_ = kAheadBytes / sizeof(Compute<Stored>);
    gradient_ = static_cast<const char*>(args.gradient);
    parameter_ = static_cast<const Stored*>(args.parameter);
    for (int k = 0; k < Slots; ++k) slots_[k] = static_cast<const Compute<Stored>*>(args.slots[k]);
  }

  // Where there is nothing left to ask for.
  std::int64_t end() const { return elements_ - distance_; }

  // Asks for element i of each, or of this update's own the one that is read some time after i, to be in the
  // second-level cache by the time that it is read. In the first level it would drive out what the present update
  // needs.
  STEEPEST_INLINE void fetch(std::int64_t i) const {
    constexpr int kRead = 0, kSecondLevel = 2;
    i += distance_;
    __builtin_prefetch(gradient_ + i * gradient_bytes_, kRead, kSecondLevel);
    __builtin_prefetch(parameter_ + i, kRead, kSecondLevel);
    for (int k = 0; k < Slots; ++k) __builtin_prefetch(slots_[k] + i, kRead, kSecondLevel);
  }

 private:
  std::int64_t elements_, gradient_bytes_, distance_ = 0;
  const char* gradient_;
  const Stored* parameter_;
  const Compute<Stored>* slots_[kMaxSlots];
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
