// The list of rules. A new rule is mentioned here and nowhere else in C++.
#pragma once

#include <tuple>

#include "steepest/rules/adagrad.hpp"
#include "steepest/rules/adagrad_decay.hpp"
#include "steepest/rules/adam.hpp"
#include "steepest/rules/momentum.hpp"
#include "steepest/rules/rowwise_adagrad.hpp"
#include "steepest/rules/sgd.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

using AllRules = std::tuple<Sgd, Momentum, Adagrad, RowWiseAdagrad, AdagradDecay, Adam, LazyAdam>;

}  // namespace STEEPEST_ISA
}  // namespace steepest
