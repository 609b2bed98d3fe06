// Follow the regularized leader with a sparse group lasso (Yue et al., 2021): what is small becomes 0, and rows that
// are small become 0 as a whole, p = -learning_rate_power:
//   z, n as in ftrl.hpp
//   u = shrink(z, l1)
//   w[r] = -u[r] * max(1 - l21 / sqrt(mean(u[r] * u[r])), 0) / (n[r]^p / learning_rate + 2 * l2)
#pragma once

#include "steepest/kernel/ftrl.hpp"
#include "steepest/kernel/group_lasso.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct GroupFtrl {
  double learning_rate, learning_rate_power, initial_accumulator_value, l1_regularization_strength,
      l2_regularization_strength, l21_regularization_strength;

  static constexpr const char* name = "group_ftrl";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    using R = GroupFtrl;
    return std::array{Hyper<R>{"learning_rate", &R::learning_rate, 0.01, range::positive},
                      Hyper<R>{"learning_rate_power", &R::learning_rate_power, -0.5, range::non_positive},
                      Hyper<R>{"initial_accumulator_value", &R::initial_accumulator_value, 0.1, range::non_negative},
                      Hyper<R>{"l1_regularization_strength", &R::l1_regularization_strength, 0, range::non_negative},
                      Hyper<R>{"l2_regularization_strength", &R::l2_regularization_strength, 0, range::non_negative},
                      Hyper<R>{"l21_regularization_strength", &R::l21_regularization_strength, 0, range::non_negative}};
  }
  static constexpr auto scalars() { return std::array<Scalar<GroupFtrl>, 0>{}; }
  static constexpr auto slots() {
    return std::array{element_slot("accum", "initial_accumulator_value"), element_slot("linear")};
  }

  template <class T>
  using Step = GroupStep<T, FtrlStep<T>>;
  template <class T>
  using UsualStep = GroupStep<T, FtrlRootStep<T>>;
  template <class T>
  Step<T> step() const {
    return {{learning_rate, -learning_rate_power, l1_regularization_strength, 2 * l2_regularization_strength},
            T(l21_regularization_strength)};
  }

  using Reduction = RootMeanSquare;
  template <class T>
  static T row(const auto& s, T size) {
    return s.kept(size);
  }
  static constexpr bool slots_first = true;
  template <class T, class Block>
  static Block measured(const auto& s, const Block& w, const Block& g, Block& accum, Block& linear) {
    take_gradient(s, w, g, accum, linear);
    return shrink<Block>(linear, s.l1);
  }

  template <class T, class Block>
  static void apply(const auto& s, T kept, Block& w, const Block&, const Block& accum, const Block& linear) {
    const Block curvature = s.template powers<Block>(accum) * s.inverse_rate;
    w = s.template leader<Block>(shrink<Block>(linear, s.l1) * kept, curvature);
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
