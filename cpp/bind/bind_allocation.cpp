// Arrays in memory of the core's own making.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <structmember.h>

#include <cstddef>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "array_view.hpp"
#include "bind.hpp"
#include "steepest/runtime/allocation.hpp"

namespace steepest::bind {
namespace {

namespace py = pybind11;

[[noreturn]] void no_room(const py::dtype& dtype, const std::vector<py::ssize_t>& shape) {
  const py::object tuple = py::tuple(py::cast(shape));
  fail(PyExc_MemoryError, "steepest: an array must fit into memory, got no room for shape " +
                              std::string(py::str(tuple)) + " of " + std::string(py::str(dtype)));
}

// What an array's memory belongs to. Optimizers hold weak references to it, so it is no capsule; and pybind11's classes
// do not bear a request for memory that is refused while an object is made.
struct Owner {
  PyObject_HEAD PyObject* references;
  Allocation memory;
};
PyTypeObject* owner_type = nullptr;

void dealloc_owner(PyObject* self) {
  auto* const owner = reinterpret_cast<Owner*>(self);
  if (owner->references != nullptr) PyObject_ClearWeakRefs(self);
  owner->memory.~Allocation();
  PyTypeObject* const type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyTypeObject* make_owner_type() {
  static PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(Owner, references), READONLY, nullptr},
                                  {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(&dealloc_owner)},
                                {Py_tp_members, members},
                                {Py_tp_doc, const_cast<char*>("What an array of allocate() is made of.")},
                                {0, nullptr}};
  static PyType_Spec spec{"steepest._core._Allocation", int(sizeof(Owner)), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject* const type = PyType_FromSpec(&spec);
  if (type == nullptr) throw py::error_already_set();
  return reinterpret_cast<PyTypeObject*>(type);
}

py::array allocate(const py::dtype& dtype, const std::vector<py::ssize_t>& shape, py::ssize_t colour, bool zero) {
  auto bytes = std::size_t(dtype.itemsize());
  for (const py::ssize_t size : shape)
    if (size < 0 || __builtin_mul_overflow(bytes, std::size_t(size), &bytes)) no_room(dtype, shape);
  const auto owner = py::reinterpret_steal<py::object>(owner_type->tp_alloc(owner_type, 0));
  if (!owner) throw py::error_already_set();
  Allocation& memory = *new (&reinterpret_cast<Owner*>(owner.ptr())->memory) Allocation();
  try {
    memory = Allocation(bytes, colour < 0 ? Allocation::next_colour() : std::size_t(colour), zero);
  } catch (const std::bad_alloc&) {
    no_room(dtype, shape);
  }
  return py::array(dtype, shape, memory.data(), owner);
}

}  // namespace

void bind_allocation(py::module_& m) {
  owner_type = make_owner_type();
  m.def("allocate", &allocate, py::arg("dtype"), py::arg("shape"), py::arg("colour"), py::arg("zero"),
        "An array at `colour` bytes into a page (-1: at the next place), of huge pages where it is large.");
  m.def(
      "address",
      [](const py::array& array) {
        const auto address = py::reinterpret_steal<py::int_>(PyLong_FromVoidPtr(const_cast<void*>(array.data())));
        if (!address) throw py::error_already_set();
        return address;
      },
      py::arg("array").noconvert(), "Where an array's first element is.");
  m.def("cached_bytes", &cached_bytes, "Bytes of freed memory that are kept for later arrays and calls.");
  m.attr("PAGE_BYTES") = kPage;
  m.attr("SLOT_STEP_BYTES") = kColourStep;
  m.attr("CACHE_LIMIT_BYTES") = cache_limit();  // a wrong STEEPEST_CACHE_BYTES fails the import
}

}  // namespace steepest::bind
