// Adan (Xie et al., 2022), betas as decays; d is 0 where a row has no gradient before this one:
//   d = g - previous_gradient,  u = g + d * beta2
//   m += (g - m) * (1 - beta1),  v += (d - v) * (1 - beta2),  n += (u * u - n) * (1 - beta3)
//   w -= learning_rate * (m / (1 - beta1^t) + v * beta2 / (1 - beta2^t)) / (sqrt(n / (1 - beta3^t)) + epsilon)
//   w *= 1 / (1 + learning_rate * weight_decay)
#pragma once

#include "steepest/kernel/block.hpp"
#include "steepest/kernel/rule.hpp"
#include "steepest/kernel/step_math.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct Adan {
  double learning_rate, beta1, beta2, beta3, epsilon, weight_decay;
  double global_step;

  static constexpr const char* name = "adan";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    return std::array{Hyper<Adan>{"learning_rate", &Adan::learning_rate, 0.001, range::finite},
                      Hyper<Adan>{"beta1", &Adan::beta1, 0.98, range::decay},
                      Hyper<Adan>{"beta2", &Adan::beta2, 0.92, range::decay},
                      Hyper<Adan>{"beta3", &Adan::beta3, 0.99, range::decay},
                      Hyper<Adan>{"epsilon", &Adan::epsilon, 1e-8, range::non_negative},
                      Hyper<Adan>{"weight_decay", &Adan::weight_decay, 0, range::non_negative}};
  }
  static constexpr auto scalars() { return std::array{Scalar<Adan>{"global_step", &Adan::global_step, range::count}}; }
  static constexpr auto slots() {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return std::array{element_slot("m"), element_slot("v"), element_slot("n"),
                      element_slot("previous_gradient", kNone)};
  }

  template <class T>
  struct Step {
    T rate, difference_rate, root, beta2, rate1, rate2, rate3, epsilon, kept;
  };
  template <class T>
  Step<T> step() const {
    const auto corrected = [&](double beta) { return 1 - power(beta, std::uint64_t(global_step) + 1); };
    const T rate(learning_rate / corrected(beta1)), difference_rate(learning_rate * beta2 / corrected(beta2));
    const T root(1 / std::sqrt(corrected(beta3))), kept(1 / (1 + learning_rate * weight_decay));
    return {rate, difference_rate, root, T(beta2), T(1 - beta1), T(1 - beta2), T(1 - beta3), T(epsilon), kept};
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, Block& w, const Block& g, Block& m, Block& v, Block& n, Block& previous) {
    const Block difference = g - replace_nan(previous, g), update = g + difference * s.beta2;
    previous = g;
    m += (g - m) * s.rate1;
    v += (difference - v) * s.rate2;
    n += (update * update - n) * s.rate3;
    w = (w - (m * s.rate + v * s.difference_rate) / (sqrt(n) * s.root + s.epsilon)) * s.kept;
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
