// Adagrad by dual averaging (Duchi, Hazan, Singer, 2011), as TensorFlow 1 writes it, t the number of the step from 1:
//   G += g
//   H += g * g
//   w = shrink(G, l1 * t) * -learning_rate / (sqrt(H) + l2 * t * learning_rate)
#pragma once

#include "steepest/kernel/rule.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct AdagradDa {
  double learning_rate, initial_gradient_squared_accumulator_value, l1_regularization_strength,
      l2_regularization_strength;
  double global_step;

  static constexpr const char* name = "adagrad_da";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    using R = AdagradDa;
    return std::array{Hyper<R>{"learning_rate", &R::learning_rate, 0.01, range::finite},
                      Hyper<R>{"initial_gradient_squared_accumulator_value",
                               &R::initial_gradient_squared_accumulator_value, 0.1, range::positive},
                      Hyper<R>{"l1_regularization_strength", &R::l1_regularization_strength, 0, range::non_negative},
                      Hyper<R>{"l2_regularization_strength", &R::l2_regularization_strength, 0, range::non_negative}};
  }
  static constexpr auto scalars() {
    return std::array{Scalar<AdagradDa>{"global_step", &AdagradDa::global_step, range::count}};
  }
  static constexpr auto slots() {
    return std::array{element_slot("gradient_accumulator"),
                      element_slot("gradient_squared_accumulator", "initial_gradient_squared_accumulator_value")};
  }

  template <class T>
  struct Step {
    T learning_rate, threshold, divisor;
  };
  template <class T>
  Step<T> step() const {
    return {T(-learning_rate), T(l1_regularization_strength * (global_step + 1)),
            T(l2_regularization_strength * (global_step + 1) * learning_rate)};
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, Block& w, const Block& g, Block& sum, Block& squares) {
    sum += g;
    squares += g * g;
    w = shrink<Block>(sum, s.threshold) * s.learning_rate / (sqrt(squares) + s.divisor);
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
