// Adagrad whose accumulator decays every accumulator_decay_step steps (DeepRec's AdagradDecay):
//   at the first visit of a row after a period has ended:
//     a = max(a * accumulator_decay_rate, initial_accumulator_value)     one period per visit, or
//     a = max(a * accumulator_decay_rate^k, initial_accumulator_value)   all k overdue ones (catch_up)
//   a += g * g
//   w -= g * learning_rate / sqrt(a)
#pragma once

#include "steepest/kernel/rule.hpp"
#include "steepest/kernel/step_math.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

struct AdagradDecay {
  double learning_rate, initial_accumulator_value, accumulator_decay_step, accumulator_decay_rate, catch_up;
  double global_step;  // the step before this one, as stored in the variable that counts steps

  static constexpr const char* name = "adagrad_decay";
  static constexpr bool every_row = false;
  static constexpr bool common = true;
  static constexpr auto hyper() {
    using R = AdagradDecay;
    return std::array{Hyper<R>{"learning_rate", &R::learning_rate, 0.01, range::finite},
                      Hyper<R>{"initial_accumulator_value", &R::initial_accumulator_value, 0.1, range::positive},
                      Hyper<R>{"accumulator_decay_step", &R::accumulator_decay_step, 100000, range::period},
                      Hyper<R>{"accumulator_decay_rate", &R::accumulator_decay_rate, 0.9, range::open_unit},
                      Hyper<R>{"catch_up", &R::catch_up, 0, range::flag}};
  }
  static constexpr auto scalars() {
    return std::array{Scalar<AdagradDecay>{"global_step", &AdagradDecay::global_step, range::count}};
  }
  static constexpr auto slots() {
    return std::array{element_slot("accumulator", "initial_accumulator_value"), row_counter("accumulator_decay_power")};
  }

  template <class T>
  struct Step {
    T learning_rate, floor, rate;
    double exact_rate;
    std::int64_t periods;
    bool catch_up;
  };
  template <class T>
  Step<T> step() const {
    const auto now = std::int64_t(global_step) + 1;
    return {T(learning_rate),
            T(initial_accumulator_value),
            T(accumulator_decay_rate),
            accumulator_decay_rate,
            now / std::int64_t(accumulator_decay_step),
            catch_up != 0};
  }

  // By what the row's accumulator is to be multiplied; 1 where no decay is due.
  template <class T>
  static T row(const Step<T>& s, std::int64_t& decays) {
    if (s.periods <= decays) return T(1);
    if (!s.catch_up || decays + 1 == s.periods) {
      ++decays;
      return s.rate;
    }
    const double factor = power(s.exact_rate, std::uint64_t(s.periods) - std::uint64_t(decays));
    decays = s.periods;
    return T(factor);
  }

  template <class T, class Block>
  static void apply(const Step<T>& s, T factor, Block& w, const Block& g, Block& accumulator) {
    if (factor != T(1)) accumulator = max_nan(accumulator * factor, s.floor);
    accumulator += g * g;
    w -= g * s.learning_rate / sqrt(accumulator);
  }
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
