// The fields of Python objects, read where they lie: what a call with a thousand arrays has no time to ask for politely.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>

namespace steepest::bind {

namespace py = pybind11;

using ArrayFields = py::detail::PyArray_Proxy;

// What `object` is, to the letter: subclasses may mean something else by the same fields.
bool is_array(PyObject* object);
bool is_variable(PyObject* object);
bool is_slices(PyObject* object);

inline const ArrayFields* fields_of(PyObject* array) { return py::detail::array_proxy(static_cast<void*>(array)); }

// C-contiguous and aligned, and writable where that is asked for.
bool is_plain(const ArrayFields* array, bool writable);

// The array of a variable, the values and the indices of slices; borrowed, nullptr where there is no plain array.
PyObject* array_of(PyObject* variable);
PyObject* values_of(PyObject* slices);
PyObject* indices_of(PyObject* slices);

// What Variable._changed() does.
void note_change(PyObject* variable);

// Where Variable and IndexedSlices keep their attributes; raises TypeError where they have no slots for them.
void learn_types(const py::type& variable, const py::type& slices);

// The object whose life is the life of the array's memory: the last base that is an array, or what lies under it.
// nullptr, with a Python error set, for a memoryview that has been released.
py::object owner_of(PyObject* array);

// NumPy's one descriptor of a type.
enum class Kind { f32, f64, i32, i64 };
PyObject* descriptor(Kind kind);

}  // namespace steepest::bind
