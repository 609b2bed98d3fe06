// What the forms of follow the regularized leader share (McMahan et al., 2013), p = -learning_rate_power:
//   z += g + 2 * shrinkage * w - ((n + g * g)^p - n^p) / learning_rate * w
//   n += g * g
//   w = -shrink(z, l1) / (n^p / learning_rate + l2)
#pragma once

#include "steepest/kernel/pow.hpp"
#include "steepest/kernel/rule.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

namespace range {
inline constexpr Range non_positive{-kInfinity, 0, true, false, false, "be at most 0 and finite"};
}  // namespace range

// The power is the square root.
template <class T>
struct FtrlRootStep {
  T inverse_rate, l1, l2, shrinkage;
  T least;  // a number of the step, not a constant: GCC makes the smaller of two numbers of it, not a choice

  FtrlRootStep() = default;
  FtrlRootStep(double learning_rate, double first, double second, double twice_shrinkage = 0)
      : inverse_rate(T(1 / learning_rate)),
        l1(T(first)),
        l2(T(second)),
        shrinkage(T(twice_shrinkage)),
        least(std::numeric_limits<T>::min()) {}

  template <class Block>
  Block powers(const Block& n) const {
    return sqrt(n);
  }

  // The parameter where z has been moved towards 0. 0 where both numbers are 0.
  template <class Block>
  Block leader(const Block& shrunk, const Block& curvature) const {
    return (T(0) - shrunk) / at_least(Block(curvature + l2), least);
  }
};

// Any power.
template <class T>
struct FtrlStep : FtrlRootStep<T> {
  double power;
  int quarters;  // where the power is 0 to 4 quarters, which are roots; else -1

  FtrlStep() = default;
  FtrlStep(double learning_rate, double p, double first, double second, double twice_shrinkage = 0)
      : FtrlRootStep<T>(learning_rate, first, second, twice_shrinkage), power(p) {
    quarters = p <= 1 && p * 4 == int(p * 4) ? int(p * 4) : -1;
  }

  bool is_usual() const { return quarters == 2; }

  template <class Block>
  Block powers(const Block& n) const {
    Block out = n;
    raise(out);
    return out;
  }

 private:
  template <class Block>
  [[gnu::noinline]] void raise(Block& n) const {
    if (quarters < 0) {
      n = positive_power(n, power);
    } else if (quarters == 0) {
      n = Block::Ones();
    } else if (quarters != 4) {
      const Block root = sqrt(n);
      n = root;
      if (quarters == 2) return;
      const Block fourth = sqrt(root);
      n = quarters == 1 ? fourth : Block(root * fourth);
    }
  }
};

// n and z take the gradient. Returns n^p / learning_rate.
template <class Step, class Block>
Block take_gradient(const Step& s, const Block& w, const Block& g, Block& n, Block& z) {
  const Block before = s.template powers<Block>(n);
  n += g * g;
  const Block after = s.template powers<Block>(n);
  z += (g + w * s.shrinkage) - (after - before) * s.inverse_rate * w;
  return after * s.inverse_rate;
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
