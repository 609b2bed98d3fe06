// Follow the regularized leader, as TensorFlow 1 writes it, p = -learning_rate_power:
//   z += g + 2 * l2_shrinkage * w - ((n + g * g)^p - n^p) / learning_rate * w
//   n += g * g
//   w = -shrink(z, l1) / (n^p / learning_rate + 2 * l2 + beta / learning_rate)
#pragma once

#include "steepest/kernel/ftrl.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct Ftrl {
  double learning_rate, learning_rate_power, initial_accumulator_value, l1_regularization_strength,
      l2_regularization_strength, l2_shrinkage_regularization_strength, beta;

  static constexpr const char* name = "ftrl";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    using R = Ftrl;
    return std::array{Hyper<R>{"learning_rate", &R::learning_rate, 0.01, range::positive},
                      Hyper<R>{"learning_rate_power", &R::learning_rate_power, -0.5, range::non_positive},
                      Hyper<R>{"initial_accumulator_value", &R::initial_accumulator_value, 0.1, range::non_negative},
                      Hyper<R>{"l1_regularization_strength", &R::l1_regularization_strength, 0, range::non_negative},
                      Hyper<R>{"l2_regularization_strength", &R::l2_regularization_strength, 0, range::non_negative},
                      Hyper<R>{"l2_shrinkage_regularization_strength", &R::l2_shrinkage_regularization_strength, 0,
                               range::non_negative},
                      Hyper<R>{"beta", &R::beta, 0, range::non_negative}};
  }
  static constexpr auto scalars() { return std::array<Scalar<Ftrl>, 0>{}; }
  static constexpr auto slots() {
    return std::array{element_slot("accum", "initial_accumulator_value"), element_slot("linear")};
  }

  template <class T>
  using Step = FtrlStep<T>;
  template <class T>
  using UsualStep = FtrlRootStep<T>;
  template <class T>
  Step<T> step() const {
    return {learning_rate, -learning_rate_power, l1_regularization_strength,
            2 * l2_regularization_strength + beta / learning_rate, 2 * l2_shrinkage_regularization_strength};
  }

  template <class T, class Block>
  static void apply(const auto& s, Block& w, const Block& g, Block& accum, Block& linear) {
    const Block curvature = take_gradient(s, w, g, accum, linear);
    w = s.template leader<Block>(shrink<Block>(linear, s.l1), curvature);
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
