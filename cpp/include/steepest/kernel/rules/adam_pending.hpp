// The moves that a row of Adam owes to the steps that left it out, all at once; the mathematics is in ledger.hpp.
#pragma once

#include <algorithm>

#include "steepest/kernel/block.hpp"
#include "steepest/runtime/kernel_api.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <class T>
class AdamReplay {
 public:
  // For a row that moved last at step `last`.
  AdamReplay(const Debts& debts, std::int64_t last) {
    // A damaged `last` must not lead outside the ledger.
    const std::int64_t age = debts.now - std::min(last, debts.now);
    owes_ = age > 0;
    if (!owes_) return;
    decay1_ = T(debts.decay1[age]);
    decay2_ = T(debts.decay2[age]);
    epsilon_ = T(debts.epsilon);
    const double* sums = debts.sums + (debts.now - age) * debts.segments * kTerms;
    for (segments_ = 0; segments_ < debts.segments && debts.first_ages[segments_] <= age; ++segments_, sums += kTerms) {
      centers_[segments_] = T(debts.centers[segments_]);
      for (int k = 0; k < kTerms; ++k) sums_[segments_][k] = T(sums[k]);
    }
  }

  bool owes() const { return owes_; }

  template <class Block>
  void apply(Block& w, Block& m, Block& v) const {
    const Block root = v.sqrt();
    Block total = Block::Zero();
    for (int s = 0; s < segments_; ++s) {
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
  static constexpr int kTerms = sizeof(T) == sizeof(double) ? kWideDebtTerms : kDebtTerms;

  bool owes_;
  int segments_ = 0;
  T decay1_, decay2_, epsilon_;
  T centers_[kDebtSegments], sums_[kDebtSegments][kTerms];
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
