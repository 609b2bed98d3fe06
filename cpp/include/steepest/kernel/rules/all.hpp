// The list of rules. A new rule is mentioned here and nowhere else in C++.
#pragma once

#include <tuple>

#include "steepest/kernel/rules/adagrad.hpp"
#include "steepest/kernel/rules/adagrad_decay.hpp"
#include "steepest/kernel/rules/adam.hpp"
#include "steepest/kernel/rules/momentum.hpp"
#include "steepest/kernel/rules/rowwise_adagrad.hpp"
#include "steepest/kernel/rules/sgd.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

using AllRules = std::tuple<Sgd, Momentum, Adagrad, RowWiseAdagrad, AdagradDecay, Adam, LazyAdam>;

}  // namespace STEEPEST_ISA
}  // namespace steepest
