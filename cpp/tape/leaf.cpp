// The tensor that stands for a variable in what tapes record.
#include <limits>

#include "objects.hpp"

namespace steepest::tape {
namespace {

py::object get(PyObject* object, PyObject* name) { return checked(PyObject_GetAttr(object, name)); }

bool is_true(const py::object& object) {
  const int truth = PyObject_IsTrue(object.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth;
}

// What a tape is asked, and whether a variable is trainable.
struct Names {
  PyObject* trainable = PyUnicode_InternFromString("_trainable");
  PyObject* watches = PyUnicode_InternFromString("_watches_accessed");
  PyObject* watched = PyUnicode_InternFromString("_watched");
  PyObject* persistent = PyUnicode_InternFromString("_persistent");
  PyObject* snapshot = PyUnicode_InternFromString("_snapshot");
};

bool has_derivatives(PyObject* array) {
  const char kind = py::detail::array_descriptor_proxy(bind::fields_of(array)->descr)->kind;
  return kind != 'b' && kind != 'i' && kind != 'u';
}

py::object new_leaf(PyObject* variable, PyObject* recording) {
  static const Names names;
  bool watched = false;
  py::object snapshot;
  const py::object trainable = get(variable, names.trainable),
                   tapes = borrowed(bind::attribute(recording, registered.tapes));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tapes.ptr()); ++i) {
    PyObject* const tape = PyTuple_GET_ITEM(tapes.ptr(), i);
    const py::object set = get(tape, names.watched);
    if (is_true(trainable) && is_true(get(tape, names.watches))) {
      if (PySet_Add(set.ptr(), variable) < 0) throw py::error_already_set();
      watched = true;
    } else {
      watched = watched || contains(set.ptr(), variable);
    }
    if (!snapshot && is_true(get(tape, names.persistent))) snapshot = call(get(tape, names.snapshot).ptr(), variable);
  }
  const py::object array = borrowed(bind::attribute(variable, bind::types.value));
  const py::object version = borrowed(bind::attribute(variable, bind::types.version));
  const double mark = watched && has_derivatives(array.ptr()) ? double(next_number()) : kNever;
  // A snapshot never changes, so that it has no version.
  return leaf(snapshot ? snapshot.ptr() : array.ptr(), mark, variable, snapshot ? Py_None : version.ptr());
}

}  // namespace

py::object current_leaf(PyObject* variable, PyObject* recording) {
  // Held: what runs while the leaf is made, in this thread or another, may end the epoch.
  const py::object epoch = borrowed(bind::attribute(recording, registered.epoch));
  const py::object seen = borrowed(bind::attribute(variable, bind::types.seen));  // (epoch, leaf)
  if (PyTuple_GET_ITEM(seen.ptr(), 0) == epoch.ptr()) return borrowed(PyTuple_GET_ITEM(seen.ptr(), 1));
  py::object made = new_leaf(variable, recording);
  PyObject* const pair = PyTuple_Pack(2, epoch.ptr(), made.ptr());
  if (pair == nullptr) throw py::error_already_set();
  Py_XSETREF(bind::attribute(variable, bind::types.seen), pair);
  return made;
}

}  // namespace steepest::tape
