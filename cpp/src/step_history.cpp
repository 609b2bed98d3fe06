#include "steepest/runtime/step_history.hpp"

#include <algorithm>
#include <cmath>

#include "steepest/runtime/pool.hpp"

namespace steepest {
namespace {

// Calls body(begin, end) for ranges of rows, each of enough elements to be worth a second thread.
template <class Body>
void for_rows(std::int64_t rows, std::int64_t width, const Body& body) {
  constexpr std::int64_t kElements = 32768;
  const std::int64_t grain = std::max<std::int64_t>(1, kElements / std::max<std::int64_t>(1, width));
  Pool::instance().run((rows + grain - 1) / grain,
                       [&](std::int64_t k) { body(k * grain, std::min(rows, (k + 1) * grain)); });
}

}  // namespace

StepHistory::StepHistory(double beta1, double beta2, double epsilon, std::int64_t rows, bool wide)
    : beta1_(beta1), beta2_(beta2), last_(static_cast<std::size_t>(rows)) {
  static_assert(kLongest < 65536, "last_ counts steps in 16 bits");
  state_.epsilon = epsilon;
  state_.terms = wide ? kWideSeriesTerms : kSeriesTerms;
  cut_ages();
  state_.age_ranges = int(centers_.size());
  reserve();
  clear();
}

// Fills centers_, first_ages_ and factors_, by multiplications alone: a library's pow differs between processors.
void StepHistory::cut_ages() {
  constexpr double kNarrowest = 15.0 / 17.0;  // (1 - 1/16) / (1 + 1/16)
  const double root = std::sqrt(beta2_), quotient = root > 0 ? beta1_ / root : beta1_ > 0 ? 2 : 0;
  const double negligible = std::ldexp(1 - quotient, wide() ? -56 : -27);  // below 0 where terms do not get smaller
  std::vector<double> roots, weights;
  double r = 1, b = 1, largest = 0, share = 1;
  for (int age = 1; age <= kLongest; ++age) {
    r *= root;
    b *= beta1_;
    share *= quotient;
    if (b == 0 || share <= negligible) break;
    if (first_ages_.empty() || r < largest * kNarrowest) {
      if (int(first_ages_.size()) == kMaxAgeRanges) {
        longest_ = age - 1;
        break;
      }
      first_ages_.push_back(age);
      largest = r;
    }
    roots.push_back(r);
    weights.push_back(b);
  }
  for (std::size_t s = 0; s < first_ages_.size(); ++s) {
    const auto begin = static_cast<std::size_t>(first_ages_[s] - 1);
    const auto end = s + 1 < first_ages_.size() ? static_cast<std::size_t>(first_ages_[s + 1] - 1) : roots.size();
    const double center = (roots[begin] + roots[end - 1]) / 2;
    centers_.push_back(center);
    for (std::size_t k = begin; k < end; ++k) {
      double factor = weights[k];
      for (int term = 0; term < state_.terms; ++term) {
        factors_.push_back(factor);
        factor *= center > 0 ? (center - roots[k]) / center : 0;
      }
    }
  }
}

void StepHistory::reserve() {
  const auto grow = [this](std::vector<double>& numbers, std::size_t more) {
    if (numbers.capacity() >= numbers.size() + more) return;
    numbers.reserve(2 * numbers.size() + more);
    show();  // at once: the next one may get no memory
  };
  grow(sums_, static_cast<std::size_t>(line()));
  grow(decay1_, 1);
  grow(decay2_, 1);
  grow(rates_, 1);
}

void StepHistory::record(double rate) noexcept {
  const int terms = state_.terms;
  const std::int64_t now = ++state_.now, ages = std::int64_t(factors_.size()) / terms;
  std::size_t range = 0;
  for (std::int64_t age = 1; age <= std::min(ages, now); ++age) {
    if (range + 1 < first_ages_.size() && age == first_ages_[range + 1]) ++range;
    double* const sums = sums_.data() + (now - age) * line() + std::int64_t(range) * terms;
    const double* const factors = factors_.data() + (age - 1) * terms;
    for (int k = 0; k < terms; ++k) sums[k] += rate * factors[k];
  }
  sums_.resize(sums_.size() + static_cast<std::size_t>(line()));
  decay1_.push_back(decay1_.back() * beta1_);
  decay2_.push_back(decay2_.back() * beta2_);
  rates_.push_back(rate);
  show();
}

void StepHistory::clear() noexcept {
  state_.now = 0;
  std::fill(last_.begin(), last_.end(), std::uint16_t{0});
  sums_.assign(static_cast<std::size_t>(line()), 0);
  decay1_.assign(1, 1);
  decay2_.assign(1, 1);
  rates_.clear();
  show();
}

void StepHistory::show() noexcept {
  state_.last = last_.data();
  state_.sums = sums_.data();
  state_.centers = centers_.data();
  state_.first_ages = first_ages_.data();
  state_.decay1 = decay1_.data();
  state_.decay2 = decay2_.data();
}

void apply_pending(const RuleInfo& rule, DType dtype, const UpdateArgs& args) {
  for_rows(args.rows, args.width,
           [&](std::int64_t begin, std::int64_t end) { rule.kernels[int(dtype)].apply_pending(args, begin, end); });
}

void read_rows(const RuleInfo& rule, DType dtype, const UpdateArgs& args, const std::int64_t* ids, std::int64_t count,
               void* out) {
  for_rows(count, args.width,
           [&](std::int64_t begin, std::int64_t end) { rule.kernels[int(dtype)].read(args, ids, out, begin, end); });
}

}  // namespace steepest
