// Derives the schema and the kernels of a rule from its struct. Each rule is compiled as a unit of its own
// (rule.cpp.in).
#pragma once

#include "steepest/kernel/apply_pending.hpp"
#include "steepest/kernel/dense.hpp"
#include "steepest/kernel/measure.hpp"
#include "steepest/kernel/sparse.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <Rule R>
R rule_of(const double* values) {
  R rule;
  for (const auto& hyper : R::hyper()) rule.*hyper.member = *values++;
  for (const auto& scalar : R::scalars()) rule.*scalar.member = *values++;
  return rule;
}

template <Rule R, class T>
void narrow_step(const double* values, void* step) {
  *static_cast<typename R::template Step<T>*>(step) = rule_of<R>(values).template step<T>();
}

template <class R>
struct DenseRuleOf {
  using type = R;
};
template <class R>
  requires requires { typename R::Dense; }
struct DenseRuleOf<R> {
  using type = typename R::Dense;
};
template <class R>
using DenseRule = typename DenseRuleOf<R>::type;

template <Rule R, class Stored>
constexpr RuleKernels kernels_of() {
  RuleKernels out{narrow_step<R, Compute<Stored>>,
                  update_dense<DenseRule<R>, Stored>,
                  update_sparse<R, Stored>,
                  nullptr,
                  nullptr,
                  nullptr};
  if constexpr (HasPending<R>) {
    out.apply_pending = apply_pending<R, Stored>;
    out.read = read_rows<R, Stored>;
  }
  if constexpr (HasRatio<R>) out.measure = measure<R, Stored>;
  return out;
}

template <Rule R>
constexpr auto step_rate_of() -> double (*)(const double*) {
  if constexpr (HasPending<R>)
    return [](const double* values) { return rule_of<R>(values).step_rate(); };
  else
    return nullptr;
}

template <Rule R>
struct Schema {
  static constexpr auto hyper = [] {
    std::array<HyperInfo, R::hyper().size()> out{};
    std::size_t k = 0;
    for (const auto& h : R::hyper()) out[k++] = {h.name, h.initial, h.range};
    return out;
  }();
  static constexpr auto scalars = [] {
    std::array<ScalarInfo, R::scalars().size()> out{};
    std::size_t k = 0;
    for (const auto& s : R::scalars()) out[k++] = {s.name, s.range};
    return out;
  }();
  static constexpr auto slots = R::slots();
};

template <Rule R>
constexpr RuleInfo info_of() {
  using S = Schema<R>;
  return {R::name,
          S::hyper.data(),
          int(S::hyper.size()),
          S::scalars.data(),
          int(S::scalars.size()),
          S::slots.data(),
          int(S::slots.size()),
          R::every_row,
          by_row<R>(),
          Reduces<R>,
          step_rate_of<R>(),
          {kernels_of<R, float>(), kernels_of<R, double>(), kernels_of<R, Half>(), kernels_of<R, BFloat16>()}};
}

}  // namespace STEEPEST_ISA
}  // namespace steepest

// Defines the rule's entry in the table of this instruction set.
#define STEEPEST_RULE_UNIT(rule, file)                                    \
  namespace steepest {                                                    \
  extern const RuleInfo STEEPEST_NAME(kRule_##file);                      \
  constinit const RuleInfo STEEPEST_NAME(kRule_##file) = info_of<rule>(); \
  }
