// Python's operators and NumPy's protocols on taped values.
#pragma once

#include <pybind11/pybind11.h>

namespace steepest::tape {

// The slots of the type `_Operators`.
PyType_Slot* operators_slots();

// The operators' primitives, in the order of `Operator`.
void register_operators(const pybind11::tuple& primitives);

// What __array_function__ is asked for.
pybind11::object call_function(PyObject* function, PyObject* args, PyObject* kwargs);

}  // namespace steepest::tape
