// RAdam (Liu et al., 2020): Adam whose first steps are momentum, until the variance of v is known:
//   m += (g - m) * (1 - beta1)
//   v += (g * g - v) * (1 - beta2)
//   n = 2 / (1 - beta2) - 1,  r = n - 2 * t * beta2^t / (1 - beta2^t)
//   r > 5:  w -= m * alpha * sqrt((r - 4) * (r - 2) * n / ((n - 4) * (n - 2) * r)) / (sqrt(v) + epsilon)
//   else:   w -= m * learning_rate / (1 - beta1^t)                                  alpha is Adam's
#pragma once

#include "steepest/kernel/rule.hpp"
#include "steepest/kernel/step_math.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct RAdam {
  double learning_rate, beta1, beta2, epsilon;
  double global_step;

  static constexpr const char* name = "radam";
  static constexpr bool every_row = false;
  static constexpr auto hyper() {
    return std::array{Hyper<RAdam>{"learning_rate", &RAdam::learning_rate, 0.001, range::finite},
                      Hyper<RAdam>{"beta1", &RAdam::beta1, 0.9, range::decay},
                      Hyper<RAdam>{"beta2", &RAdam::beta2, 0.999, range::decay},
                      Hyper<RAdam>{"epsilon", &RAdam::epsilon, 1e-8, range::non_negative}};
  }
  static constexpr auto scalars() {
    return std::array{Scalar<RAdam>{"global_step", &RAdam::global_step, range::count}};
  }
  static constexpr auto slots() { return std::array{element_slot("m"), element_slot("v")}; }

  template <class T>
  struct Step {
    T alpha, rate1, rate2, epsilon;
    bool rectified;
  };
  template <class T>
  Step<T> step() const {
    const double t = global_step + 1, power2 = power(beta2, std::uint64_t(t));
    const double n = 2 / (1 - beta2) - 1, r = n - 2 * t * power2 / (1 - power2);
    double alpha = learning_rate / (1 - power(beta1, std::uint64_t(t)));
    if (r > 5) alpha *= std::sqrt((1 - power2) * (r - 4) * (r - 2) * n / ((n - 4) * (n - 2) * r));
    return {T(alpha), T(1 - beta1), T(1 - beta2), T(epsilon), r > 5};
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, Block& w, const Block& g, Block& m, Block& v) {
    m += (g - m) * s.rate1;
    v += (g * g - v) * s.rate2;
    if (s.rectified)
      w -= m * s.alpha / (sqrt(v) + s.epsilon);
    else
      w -= m * s.alpha;
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
