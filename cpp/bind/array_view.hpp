// NumPy arrays to checked pointers. Python has checked already, with better messages; here is checked again what would
// crash.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>

#include "steepest/runtime/kernel_api.hpp"
#include "steepest/runtime/sizes.hpp"

namespace steepest::bind {

namespace py = pybind11;

struct View {
  void* data;
  std::int64_t size, rows, width;  // rows: first dimension, 1 for a scalar; width: elements in a row
};

// Raises ValueError or TypeError with `who: what must ...`.
View view(const py::handle& object, const std::string& what, py::ssize_t itemsize, bool writable);

DType to_dtype(int code);

[[noreturn]] void fail(PyObject* type, const std::string& message);

}  // namespace steepest::bind
