// AdaMax (Kingma and Ba, 2015), as TensorFlow 1 writes it:
//   m += (g - m) * (1 - beta1)
//   v = max(v * beta2, abs(g))
//   w -= m * (learning_rate / (1 - beta1^t)) / (v + epsilon)
#pragma once

#include "steepest/kernel/block.hpp"
#include "steepest/kernel/rule.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct AdaMax {
  double learning_rate, beta1, beta2, epsilon;
  double beta1_power, beta2_power;

  static constexpr const char* name = "ada_max";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    return std::array{Hyper<AdaMax>{"learning_rate", &AdaMax::learning_rate, 0.001, range::finite},
                      Hyper<AdaMax>{"beta1", &AdaMax::beta1, 0.9, range::decay},
                      Hyper<AdaMax>{"beta2", &AdaMax::beta2, 0.999, range::decay},
                      Hyper<AdaMax>{"epsilon", &AdaMax::epsilon, 1e-8, range::non_negative}};
  }
  // The second is not used: powers come as Adam's do.
  static constexpr auto scalars() {
    return std::array{Scalar<AdaMax>{"beta1_power", &AdaMax::beta1_power},
                      Scalar<AdaMax>{"beta2_power", &AdaMax::beta2_power}};
  }
  static constexpr auto slots() { return std::array{element_slot("m"), element_slot("v")}; }

  template <class T>
  struct Step {
    T rate, rate1, beta2, epsilon;
  };
  template <class T>
  Step<T> step() const {
    return {T(learning_rate / (1 - beta1_power)), T(1 - beta1), T(beta2), T(epsilon)};
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, Block& w, const Block& g, Block& m, Block& v) {
    m += (g - m) * s.rate1;
    v = max_nan(v * s.beta2, Block(abs(g)));
    w -= m * s.rate / (v + s.epsilon);
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
