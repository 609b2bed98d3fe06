// Follow the regularized leader, as its paper writes it (McMahan et al., 2013, algorithm 1; alpha is learning_rate):
//   z += g - (sqrt(n + g * g) - sqrt(n)) / learning_rate * w
//   n += g * g
//   w = -shrink(z, l1) / ((beta + sqrt(n)) / learning_rate + l2)
#pragma once

#include "steepest/kernel/ftrl.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct FtrlProximal {
  double learning_rate, beta, l1_regularization_strength, l2_regularization_strength;

  static constexpr const char* name = "ftrl_proximal";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    using R = FtrlProximal;
    return std::array{Hyper<R>{"learning_rate", &R::learning_rate, 0.01, range::positive},
                      Hyper<R>{"beta", &R::beta, 1, range::non_negative},
                      Hyper<R>{"l1_regularization_strength", &R::l1_regularization_strength, 0, range::non_negative},
                      Hyper<R>{"l2_regularization_strength", &R::l2_regularization_strength, 0, range::non_negative}};
  }
  static constexpr auto scalars() { return std::array<Scalar<FtrlProximal>, 0>{}; }
  static constexpr auto slots() { return std::array{element_slot("accum"), element_slot("linear")}; }

  template <class T>
  using Step = FtrlRootStep<T>;
  template <class T>
  Step<T> step() const {
    return {learning_rate, l1_regularization_strength, l2_regularization_strength + beta / learning_rate};
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, Block& w, const Block& g, Block& accum, Block& linear) {
    const Block curvature = take_gradient(s, w, g, accum, linear);
    w = s.template leader<Block>(shrink<Block>(linear, s.l1), curvature);
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
