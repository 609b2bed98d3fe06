// Proximal Adagrad (Duchi, Singer, 2009), as TensorFlow 1 writes it:
//   a += g * g
//   e = learning_rate / sqrt(a)
//   w = shrink(w - g * e, e * l1) / (1 + e * l2)
#pragma once

#include "steepest/kernel/rule.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct ProximalAdagrad {
  double learning_rate, initial_accumulator_value, l1_regularization_strength, l2_regularization_strength;

  static constexpr const char* name = "proximal_adagrad";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    using R = ProximalAdagrad;
    return std::array{Hyper<R>{"learning_rate", &R::learning_rate, 0.01, range::non_negative},
                      Hyper<R>{"initial_accumulator_value", &R::initial_accumulator_value, 0.1, range::positive},
                      Hyper<R>{"l1_regularization_strength", &R::l1_regularization_strength, 0, range::non_negative},
                      Hyper<R>{"l2_regularization_strength", &R::l2_regularization_strength, 0, range::non_negative}};
  }
  static constexpr auto scalars() { return std::array<Scalar<ProximalAdagrad>, 0>{}; }
  static constexpr auto slots() { return std::array{element_slot("accumulator", "initial_accumulator_value")}; }

  template <class T>
  struct Step {
    T learning_rate, l1, l2;
  };
  template <class T>
  Step<T> step() const {
    return {T(learning_rate), T(l1_regularization_strength), T(l2_regularization_strength)};
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, Block& w, const Block& g, Block& accumulator) {
    accumulator += g * g;
    const Block rate = s.learning_rate / sqrt(accumulator);
    w = shrink<Block>(w - g * rate, Block(rate * s.l1)) / (rate * s.l2 + T(1));
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
