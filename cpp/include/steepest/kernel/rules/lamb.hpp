// LAMB (You et al., 2020), with bias correction, norms over the whole parameter:
//   m += (g - m) * (1 - beta1)
//   v += (g * g - v) * (1 - beta2)
//   u = (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon) + w * weight_decay
//   w -= u * (learning_rate * |w| / |u|)                     learning_rate where a norm is 0
#pragma once

#include "steepest/kernel/rule.hpp"
#include "steepest/kernel/step_math.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct Lamb {
  double learning_rate, beta1, beta2, epsilon, weight_decay;
  double global_step;

  static constexpr const char* name = "lamb";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    return std::array{Hyper<Lamb>{"learning_rate", &Lamb::learning_rate, 0.001, range::finite},
                      Hyper<Lamb>{"beta1", &Lamb::beta1, 0.9, range::decay},
                      Hyper<Lamb>{"beta2", &Lamb::beta2, 0.999, range::decay},
                      Hyper<Lamb>{"epsilon", &Lamb::epsilon, 1e-6, range::non_negative},
                      Hyper<Lamb>{"weight_decay", &Lamb::weight_decay, 0, range::non_negative}};
  }
  static constexpr auto scalars() { return std::array{Scalar<Lamb>{"global_step", &Lamb::global_step, range::count}}; }
  static constexpr auto slots() { return std::array{element_slot("m"), element_slot("v")}; }

  template <class T>
  struct Step {
    T learning_rate, mean, root, rate1, rate2, epsilon, weight_decay;
  };
  template <class T>
  Step<T> step() const {
    const auto corrected = [&](double beta) { return 1 - power(beta, std::uint64_t(global_step) + 1); };
    const T mean(1 / corrected(beta1)), root(1 / std::sqrt(corrected(beta2)));
    return {T(learning_rate), mean, root, T(1 - beta1), T(1 - beta2), T(epsilon), T(weight_decay)};
  }

  template <class T>
  static T ratio(const Step<T>&, double parameter, double update) {
    return parameter > 0 && update > 0 ? T(parameter / update) : T(1);
  }

  // The update before its ratio.
  template <class T, class Block>
  static Block update(const Step<T>& s, const Block& w, const Block& g, Block& m, Block& v) {
    m += (g - m) * s.rate1;
    v += (g * g - v) * s.rate2;
    return m * s.mean / (sqrt(v) * s.root + s.epsilon) + w * s.weight_decay;
  }
  template <class T, class Block>
  static Block measured(const Step<T>& s, const Block& w, const Block& g, Block m, Block v) {
    return update(s, w, g, m, v);
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, T ratio, Block& w, const Block& g, Block& m, Block& v) {
    w -= update(s, w, g, m, v) * (s.learning_rate * ratio);
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
