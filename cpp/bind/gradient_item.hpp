// The gradient of an item, from the arrays that Python gives.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "steepest/runtime/plan.hpp"

namespace steepest::bind {

namespace py = pybind11;

// Which rows of a gradient go where.
struct Places {
  py::object indices;        // None: the gradient is dense
  py::object bags, weights;  // null, or for each index the row that it gets, and a number that this is multiplied by
};

// The item's type, rows and width must be set. Runs no Python code, except to describe an error.
void set_gradient(Item& item, const std::string& who, const py::handle& gradient, const Places& places,
                  bool wide_gradient);

}  // namespace steepest::bind
