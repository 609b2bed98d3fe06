// The gradient of an item, from the arrays that Python gives.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "steepest/runtime/plan.hpp"

namespace steepest::bind {

namespace py = pybind11;

// Dense where `indices` is None. `bags`: null, or for each index the row of the gradient that it gets. The item's type,
// rows and width must be set. Runs no Python code, except to describe an error.
void set_gradient(Item& item, const std::string& who, const py::handle& gradient, const py::handle& indices,
                  const py::handle& bags, bool wide_gradient);

}  // namespace steepest::bind
