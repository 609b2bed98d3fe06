// Functions that the interpreter calls itself, without pybind11 between.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <new>

namespace steepest::bind {

// At the border to Python an exception becomes a Python error.
template <class Function>
PyObject* guarded(const Function& function) noexcept {
  try {
    return function().release().ptr();
  } catch (pybind11::error_already_set& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

}  // namespace steepest::bind
