#include "fields.hpp"

#include <structmember.h>

#include <cstdint>
#include <string>

#include "array_view.hpp"

namespace steepest::bind {

Types types;

Py_ssize_t offset_of(const py::type& type, const char* name) {
  const py::object member = type.attr("__dict__")[name];
  if (Py_TYPE(member.ptr()) != &PyMemberDescr_Type)
    fail(PyExc_TypeError, std::string("_core: type must have a slot for ") + name);
  return reinterpret_cast<PyMemberDescrObject*>(member.ptr())->d_member->offset;
}

void register_types(const py::type& variable, const py::type& slices, const py::type& bags) {
  Types fresh;
  fresh.array = py::detail::npy_api::get().PyArray_Type_;
  fresh.variable = reinterpret_cast<PyTypeObject*>(py::type(variable).release().ptr());
  fresh.slices = reinterpret_cast<PyTypeObject*>(py::type(slices).release().ptr());
  fresh.bags = reinterpret_cast<PyTypeObject*>(py::type(bags).release().ptr());
  fresh.value = offset_of(variable, "_array");
  fresh.version = offset_of(variable, "_version");
  fresh.seen = offset_of(variable, "_seen");
  fresh.pending = offset_of(variable, "_pending");
  fresh.values = offset_of(slices, "values");
  fresh.indices = offset_of(slices, "indices");
  fresh.parts = offset_of(bags, "_parts");
  fresh.own = offset_of(bags, "_own");
  fresh.nothing_seen = py::make_tuple(py::none(), py::none()).release().ptr();
  fresh.descriptors[int(NumpyType::f32)] = py::dtype::of<float>().release().ptr();
  fresh.descriptors[int(NumpyType::f64)] = py::dtype::of<double>().release().ptr();
  fresh.descriptors[int(NumpyType::i32)] = py::dtype::of<std::int32_t>().release().ptr();
  fresh.descriptors[int(NumpyType::i64)] = py::dtype::of<std::int64_t>().release().ptr();
  types = fresh;
}

py::object owner_of(PyObject* array) {
  PyObject* owner = array;  // each is held by the one before
  for (;;) {
    if (PyObject_TypeCheck(owner, py::detail::npy_api::get().PyArray_Type_)) {
      PyObject* const base = fields_of(owner)->base;
      if (base == nullptr || PyBytes_CheckExact(base)) break;  // unpickled arrays alone are writable over bytes
      owner = base;
    } else if (PyMemoryView_Check(owner)) {
      // np.frombuffer puts a new memoryview around the same buffer each time.
      const auto under = py::reinterpret_steal<py::object>(PyObject_GetAttrString(owner, "obj"));
      if (!under) return {};
      if (under.is_none()) break;
      owner = under.ptr();
    } else {
      break;
    }
  }
  return py::reinterpret_borrow<py::object>(owner);
}

}  // namespace steepest::bind
