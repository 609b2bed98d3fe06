// The fields of Python objects, read from memory: the attribute protocol is too slow for a thousand arrays a step.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>

namespace steepest::bind {

namespace py = pybind11;

using ArrayFields = py::detail::PyArray_Proxy;

// Types of which NumPy has one descriptor object each, so that pointers can be compared.
enum class NumpyType { f32, f64, i32, i64 };

// The types that are read, and the offsets of their attributes. The references are never released: types of a module
// live as long as the process.
struct Types {
  PyTypeObject* array = nullptr;
  PyTypeObject* variable = nullptr;
  PyTypeObject *slices = nullptr, *bags = nullptr;
  Py_ssize_t value = 0, version = 0, seen = 0, pending = 0, values = 0, indices = 0, parts = 0, own = 0;
  PyObject* nothing_seen = nullptr;
  PyObject* descriptors[4] = {};

  PyObject* descriptor(NumpyType kind) const { return descriptors[int(kind)]; }
};
extern Types types;

// Exact types: a subclass may mean something else by the same fields.
inline bool is_array(PyObject* object) { return Py_TYPE(object) == types.array; }
inline bool is_variable(PyObject* object) { return Py_TYPE(object) == types.variable; }
inline bool is_slices(PyObject* object) { return Py_TYPE(object) == types.slices; }
inline bool is_bags(PyObject* object) { return Py_TYPE(object) == types.bags; }

inline const ArrayFields* fields_of(PyObject* array) { return py::detail::array_proxy(static_cast<void*>(array)); }

// C-contiguous and aligned, and writable where that is asked for.
inline bool is_plain(const ArrayFields* array, bool writable) {
  using api = py::detail::npy_api;
  const int required =
      api::NPY_ARRAY_C_CONTIGUOUS_ | api::NPY_ARRAY_ALIGNED_ | (writable ? api::NPY_ARRAY_WRITEABLE_ : 0);
  return (array->flags & required) == required;
}

// Whether the rows of an aligned array are packed and lie a whole number of items apart; then `gap` is how many items
// are between the end of one and the next.
inline bool rows_are_packed(const ArrayFields* array, std::int64_t item_bytes, std::int64_t& gap) {
  gap = 0;
  if (is_plain(array, false)) return true;
  if ((array->flags & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0) return false;
  std::int64_t bytes = item_bytes;
  for (int axis = array->nd - 1; axis > 0; --axis) {
    if (array->dimensions[axis] > 1 && array->strides[axis] != bytes) return false;
    bytes *= array->dimensions[axis];
  }
  if (array->nd == 0 || bytes == 0 || array->dimensions[0] <= 1) return true;
  if (array->strides[0] % item_bytes != 0) return false;
  gap = (array->strides[0] - bytes) / item_bytes;
  return true;
}

inline PyObject*& attribute(PyObject* object, Py_ssize_t offset) {
  return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset);
}

// An attribute that is an array; borrowed, nullptr for anything else.
inline PyObject* array_at(PyObject* object, Py_ssize_t offset) {
  PyObject* const value = attribute(object, offset);
  return value != nullptr && is_array(value) ? value : nullptr;
}
inline PyObject* array_of(PyObject* variable) { return array_at(variable, types.value); }
inline PyObject* values_of(PyObject* slices) { return array_at(slices, types.values); }
inline PyObject* indices_of(PyObject* slices) { return array_at(slices, types.indices); }

// Of slices by bags: (gradients of the bags, the bag of each index or None, weights or None). Borrowed, nullptr for
// anything else.
inline PyObject* const* parts_of(PyObject* bags) {
  PyObject* const parts = attribute(bags, types.parts);
  const bool fits = parts != nullptr && PyTuple_CheckExact(parts) && PyTuple_GET_SIZE(parts) == 3;
  return fits ? PySequence_Fast_ITEMS(parts) : nullptr;
}

// Whether nobody but slices by bags has the elements of their array, though others may have other elements of it.
inline bool is_own(PyObject* bags) { return attribute(bags, types.own) == Py_True; }
inline void set_own(PyObject* bags) { Py_XSETREF(attribute(bags, types.own), Py_NewRef(Py_True)); }

// Whether rows of a variable have pending moves: then its array is not its value.
inline bool is_pending(PyObject* variable) { return attribute(variable, types.pending) != Py_None; }

// The data of a Variable that is a writable scalar of this type, else nullptr.
template <class T>
T* scalar_of(PyObject* variable, NumpyType kind) {
  PyObject* const array = is_variable(variable) ? array_of(variable) : nullptr;
  if (array == nullptr) return nullptr;
  const ArrayFields* const fields = fields_of(array);
  const bool fits = fields->nd == 0 && fields->descr == types.descriptor(kind) && is_plain(fields, true);
  return fits ? reinterpret_cast<T*>(fields->data) : nullptr;
}

// Where the objects of a class have a slot of this name; raises TypeError where it is none.
Py_ssize_t offset_of(const py::type& type, const char* name);

// Fills in `types`; raises TypeError where Variable, IndexedSlices or BagSlices have no slots for their attributes.
void register_types(const py::type& variable, const py::type& slices, const py::type& bags);

// The object whose life is the life of the array's memory: the last base that is an array, or what lies under it.
// nullptr, with a Python error set, for a memoryview that has been released.
py::object owner_of(PyObject* array);

}  // namespace steepest::bind
