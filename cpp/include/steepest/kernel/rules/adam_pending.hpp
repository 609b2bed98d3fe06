// All moves that a row of Adam has missed, made at once. The mathematics is in runtime/step_history.hpp.
#pragma once

#include <algorithm>

#include "steepest/kernel/block.hpp"
#include "steepest/runtime/kernel_api.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <class T>
class AdamPendingUpdate {
 public:
  // For a row that moved last at step `last`.
  AdamPendingUpdate(const PendingState& pending, std::int64_t last) {
    // A damaged `last` must not lead outside the history.
    const std::int64_t age = pending.now - std::min(last, pending.now);
    has_moves_ = age > 0;
    if (!has_moves_) return;
    decay1_ = T(pending.decay1[age]);
    decay2_ = T(pending.decay2[age]);
    epsilon_ = T(pending.epsilon);
    const double* sums = pending.sums + (pending.now - age) * pending.age_ranges * kTerms;
    for (age_ranges_ = 0; age_ranges_ < pending.age_ranges && pending.first_ages[age_ranges_] <= age;
         ++age_ranges_, sums += kTerms) {
      centers_[age_ranges_] = T(pending.centers[age_ranges_]);
      for (int k = 0; k < kTerms; ++k) sums_[age_ranges_][k] = T(sums[k]);
    }
  }

  bool has_moves() const { return has_moves_; }

  template <class Block>
  void apply(Block& w, Block& m, Block& v) const {
    const Block root = sqrt(v);
    Block total = Block::Zero();
    for (int s = 0; s < age_ranges_; ++s) {
      const Block inverse = Block::Constant(T(1)) / (root * centers_[s] + epsilon_);
      const Block t = T(1) - inverse * epsilon_;
      Block series = Block::Constant(sums_[s][kTerms - 1]);
      for (int k = kTerms - 2; k >= 0; --k) series = series * t + sums_[s][k];
      total += series * inverse;
    }
    w -= m * total;
    m *= decay1_;
    v *= decay2_;
  }

 private:
  static constexpr int kTerms = sizeof(T) == sizeof(double) ? kWideSeriesTerms : kSeriesTerms;

  bool has_moves_;
  int age_ranges_ = 0;
  T decay1_, decay2_, epsilon_;
  T centers_[kMaxAgeRanges], sums_[kMaxAgeRanges][kTerms];
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
