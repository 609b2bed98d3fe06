// Adam with a sparse group lasso (Yue et al., 2021): what is small becomes 0, and rows that are small as a whole:
//   m += (g - m) * (1 - beta1)
//   v += (g * g - v) * (1 - beta2)
//   q = (sqrt(v / (1 - beta2^t)) + epsilon / sqrt(1 - beta2^t)) / learning_rate
//   z += m / (1 - beta1^t) - (q - curvature) * w
//   curvature = q
//   u = shrink(z, l1)
//   w[r] = -u[r] * max(1 - l21 / sqrt(mean(u[r] * u[r])), 0) / (q[r] + 2 * l2)
#pragma once

#include <cmath>

#include "steepest/kernel/group_lasso.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <class T>
struct GroupAdamNumbers {
  T rate1, rate2, scale1, scale2, epsilon, l1, l2;
  T least;  // as in ftrl.hpp
};

struct GroupAdam {
  double learning_rate, beta1, beta2, epsilon, l1_regularization_strength, l2_regularization_strength,
      l21_regularization_strength;
  double beta1_power, beta2_power;  // beta1^t and beta2^t of this step

  static constexpr const char* name = "group_adam";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    using R = GroupAdam;
    return std::array{Hyper<R>{"learning_rate", &R::learning_rate, 0.001, range::positive},
                      Hyper<R>{"beta1", &R::beta1, 0.9, range::decay},
                      Hyper<R>{"beta2", &R::beta2, 0.999, range::decay},
                      Hyper<R>{"epsilon", &R::epsilon, 1e-8, range::non_negative},
                      Hyper<R>{"l1_regularization_strength", &R::l1_regularization_strength, 0, range::non_negative},
                      Hyper<R>{"l2_regularization_strength", &R::l2_regularization_strength, 0, range::non_negative},
                      Hyper<R>{"l21_regularization_strength", &R::l21_regularization_strength, 0, range::non_negative}};
  }
  static constexpr auto scalars() {
    using R = GroupAdam;
    return std::array{Scalar<R>{"beta1_power", &R::beta1_power}, Scalar<R>{"beta2_power", &R::beta2_power}};
  }
  static constexpr auto slots() {
    return std::array{element_slot("m"), element_slot("v"), element_slot("linear"), element_slot("curvature")};
  }

  template <class T>
  using Step = GroupStep<T, GroupAdamNumbers<T>>;
  template <class T>
  Step<T> step() const {
    const double scale2 = 1 / (std::sqrt(1 - beta2_power) * learning_rate);
    return {{T(1 - beta1), T(1 - beta2), T(1 / (1 - beta1_power)), T(scale2), T(epsilon * scale2),
             T(l1_regularization_strength), T(2 * l2_regularization_strength), std::numeric_limits<T>::min()},
            T(l21_regularization_strength)};
  }

  using Reduction = RootMeanSquare;
  template <class T>
  static T row(const Step<T>& s, T size) {
    return s.kept(size);
  }
  static constexpr bool slots_first = true;
  template <class T, class Block>
  static Block measured(const Step<T>& s, const Block& w, const Block& g, Block& m, Block& v, Block& linear,
                        Block& curvature) {
    m += (g - m) * s.rate1;
    v += (g * g - v) * s.rate2;
    const Block q = sqrt(v) * s.scale2 + s.epsilon;
    linear += m * s.scale1 - (q - curvature) * w;
    curvature = q;
    return shrink<Block>(linear, s.l1);
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, T kept, Block& w, const Block&, const Block&, const Block&, const Block& linear,
                    const Block& curvature) {
    w = (T(0) - shrink<Block>(linear, s.l1) * kept) / at_least(Block(curvature + s.l2), s.least);
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
