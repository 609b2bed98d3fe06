// One registration function per concept.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "steepest/kernels.hpp"
#include "steepest/ledger.hpp"

namespace steepest::bind {

void bind_update(pybind11::module_& m);
void bind_schema(pybind11::module_& m);
void bind_config(pybind11::module_& m);
void bind_ledger(pybind11::module_& m);

// Raises ValueError for a name that is not one.
const RuleInfo& find_rule(const std::string& name);

// Raises TypeError for what is not a ledger.
Ledger& to_ledger(const pybind11::handle& object);

}  // namespace steepest::bind
