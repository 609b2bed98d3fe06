// Arguments that several functions of the module take.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "steepest/runtime/kernel_api.hpp"
#include "steepest/runtime/plan.hpp"

namespace steepest::bind {

// Both raise ValueError for what they do not know.
const RuleInfo& find_rule(const std::string& name);
std::vector<Hook> to_hooks(const pybind11::sequence& sequence);

}  // namespace steepest::bind
