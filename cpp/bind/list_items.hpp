// The items of lists and tuples, read without running Python code.
#pragma once

#include <pybind11/pybind11.h>

namespace steepest::bind {

struct Items {
  PyObject* const* begin;
  Py_ssize_t count;
};

// The items of an exact list or tuple; a count of -1 for anything else.
inline Items items_of(PyObject* list) {
  if (PyList_CheckExact(list)) return {PySequence_Fast_ITEMS(list), PyList_GET_SIZE(list)};
  if (PyTuple_CheckExact(list)) return {PySequence_Fast_ITEMS(list), PyTuple_GET_SIZE(list)};
  return {nullptr, -1};
}

// The two items of an exact list or tuple of two; nullptr for anything else.
inline PyObject* const* items_of_pair(PyObject* pair) {
  const Items items = items_of(pair);
  return items.count == 2 ? items.begin : nullptr;
}

}  // namespace steepest::bind
