// RMSProp (Tieleman, Hinton, 2012), as TensorFlow 1 writes it, epsilon inside the root:
//   s += (g * g - s) * (1 - decay)
//   m = m * momentum + g * learning_rate / sqrt(s + epsilon)
//   w -= m
#pragma once

#include "steepest/kernel/rule.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct RmsProp {
  double learning_rate, decay, momentum, epsilon;

  static constexpr const char* name = "rmsprop";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    using R = RmsProp;
    return std::array{Hyper<R>{"learning_rate", &R::learning_rate, 0.001, range::finite},
                      Hyper<R>{"decay", &R::decay, 0.9, range::decay},
                      Hyper<R>{"momentum", &R::momentum, 0, range::finite},
                      Hyper<R>{"epsilon", &R::epsilon, 1e-10, range::non_negative}};
  }
  static constexpr auto scalars() { return std::array<Scalar<RmsProp>, 0>{}; }
  static constexpr auto slots() { return std::array{element_slot("rms", 1), element_slot("momentum")}; }

  template <class T>
  struct Step {
    T learning_rate, rate, momentum, epsilon;
  };
  template <class T>
  Step<T> step() const {
    return {T(learning_rate), T(1 - decay), T(momentum), T(epsilon)};
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, Block& w, const Block& g, Block& mean_square, Block& accumulation) {
    mean_square += (g * g - mean_square) * s.rate;
    const Block square = mean_square + s.epsilon;
    accumulation = accumulation * s.momentum + g * s.learning_rate / sqrt(square);
    w -= accumulation;
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
