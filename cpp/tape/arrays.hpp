// NumPy arrays as the passes take them: packed, of float32 or float64.
#pragma once

#include <algorithm>
#include <cstddef>

#include "objects.hpp"

namespace steepest::tape {

inline std::size_t size_of(const bind::ArrayFields* array) {
  std::size_t size = 1;
  for (int axis = 0; axis < array->nd; ++axis) size *= std::size_t(array->dimensions[axis]);
  return size;
}

inline bool same_shape(const bind::ArrayFields* a, const bind::ArrayFields* b) {
  return a->nd == b->nd && std::equal(a->dimensions, a->dimensions + a->nd, b->dimensions);
}

// The fields of a packed array, nullptr for anything else.
inline const bind::ArrayFields* packed(PyObject* object, bool writable = false) {
  if (!is_array(object)) return nullptr;
  const bind::ArrayFields* const fields = bind::fields_of(object);
  return bind::is_plain(fields, writable) ? fields : nullptr;
}
inline const bind::ArrayFields* packed(PyObject* object, PyObject* type, bool writable = false) {
  const bind::ArrayFields* const fields = packed(object, writable);
  return fields != nullptr && fields->descr == type ? fields : nullptr;
}

// A new array, its elements not set.
inline py::object new_array(PyObject* type, int dimensions, const Py_ssize_t* lengths) {
  auto& api = py::detail::npy_api::get();
  return checked(
      api.PyArray_NewFromDescr_(api.PyArray_Type_, Py_NewRef(type), dimensions, lengths, nullptr, nullptr, 0, nullptr));
}
inline py::object new_like(const bind::ArrayFields* array) {
  return new_array(array->descr, array->nd, array->dimensions);
}

// The type of one of NumPy's numbers, as reductions give them; nullptr where it is neither float32 nor float64.
inline PyObject* type_of_number(PyObject* object) {
  for (const auto kind : {bind::NumpyType::f32, bind::NumpyType::f64}) {
    PyObject* const type = bind::types.descriptor(kind);
    if (reinterpret_cast<PyObject*>(Py_TYPE(object)) == py::detail::array_descriptor1_proxy(type)->typeobj) return type;
  }
  return nullptr;
}

template <class T>
T* data_of(const bind::ArrayFields* array) {
  return reinterpret_cast<T*>(array->data);
}
template <class T>
T* data_of(const py::object& array) {
  return data_of<T>(bind::fields_of(array.ptr()));
}

// function(T{}) for the type of an array's elements; nothing, an empty object, for other types than float32 and
// float64.
template <class Function>
py::object by_type(PyObject* type, const Function& function) {
  if (type == bind::types.descriptor(bind::NumpyType::f32)) return function(float{});
  if (type == bind::types.descriptor(bind::NumpyType::f64)) return function(double{});
  return {};
}

// The sum of a gradient over the first axes, which broadcasting added to its argument's value; nothing where that is
// not what is between them.
py::object sum_of_first_axes(PyObject* r, PyObject* value);

}  // namespace steepest::tape
