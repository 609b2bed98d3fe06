#include "protocols.hpp"

#include "objects.hpp"

namespace steepest::tape {
namespace {

enum Operator { kAdd, kSubtract, kMultiply, kDivide, kPower, kRemainder, kMatmul, kNegative, kAbsolute, kOperators };
Primitive* operators[kOperators];

template <Operator kind>
PyObject* unary(PyObject* a) {
  return guarded([&] { return apply(operators[kind], &a, 1); });
}

// Called with the operands in their order, whichever of them is ours.
template <Operator kind>
PyObject* binary(PyObject* a, PyObject* b) {
  PyObject* const args[] = {a, b};
  return guarded([&] { return apply(operators[kind], args, 2); });
}

PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return binary<kPower>(a, b);
}

// As `__getitem__` in Python would be, but for one thing: a class with that method is taken for a sequence, and NumPy
// hides what float(x) says about an element of an array that x is assigned to behind an error about sequences.
PyObject* subscript_name = nullptr;
PyObject* subscript(PyObject* self, PyObject* index) {
  return PyObject_CallMethodObjArgs(self, subscript_name, index, nullptr);
}

// __array_ufunc__(ufunc, method, *inputs, **kwargs)
PyObject* array_ufunc(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return guarded([&] {
    if (count < 2) {
      PyErr_SetString(PyExc_TypeError, "__array_ufunc__: ufunc, method must be given");
      throw py::error_already_set();
    }
    if (names == nullptr && PyUnicode_CompareWithASCIIString(args[1], "__call__") == 0) {
      PyObject* const primitive = PyDict_GetItemWithError(registered.primitives, args[0]);
      if (primitive != nullptr) return apply(reinterpret_cast<Primitive*>(primitive), args + 2, count - 2);
      if (PyErr_Occurred()) throw py::error_already_set();
    }
    py::tuple inputs(count - 2);
    for (Py_ssize_t i = 2; i < count; ++i) inputs[i - 2] = borrowed(args[i]);
    py::dict kwargs;
    for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i)
      kwargs[PyTuple_GET_ITEM(names, i)] = borrowed(args[count + i]);
    return call(registered.call_ufunc, args[0], args[1], inputs.ptr(), kwargs.ptr());
  });
}

// Whether an option keeps a call from the short way.
bool is_special(PyObject* name, PyObject* value) {
  const int refused = PySet_Contains(registered.refused, name);
  if (refused < 0) throw py::error_already_set();
  return refused || PyObject_TypeCheck(value, registered.operand);
}

// __array_function__(function, types, args, kwargs)
PyObject* array_function(PyObject*, PyObject* const* args, Py_ssize_t count) {
  return guarded([&] {
    if (count != 4 || !PyTuple_Check(args[2]) || !PyDict_Check(args[3])) {
      PyErr_SetString(PyExc_TypeError, "__array_function__: function, types, args, kwargs must be given");
      throw py::error_already_set();
    }
    return call_function(args[0], args[2], args[3]);
  });
}

template <class Function>
PyCFunction as_method(Function* function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef methods[] = {
    {"__array_ufunc__", as_method(array_ufunc), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"__array_function__", as_method(array_function), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

template <class Function>
PyType_Slot slot(int number, Function* function) {
  return {number, reinterpret_cast<void*>(function)};
}

}  // namespace

PyType_Slot* operators_slots() {
  subscript_name = checked(PyUnicode_InternFromString("_subscript")).release().ptr();
  static PyType_Slot slots[] = {slot(Py_nb_add, binary<kAdd>),
                                slot(Py_nb_subtract, binary<kSubtract>),
                                slot(Py_nb_multiply, binary<kMultiply>),
                                slot(Py_nb_true_divide, binary<kDivide>),
                                slot(Py_nb_power, power),
                                slot(Py_nb_remainder, binary<kRemainder>),
                                slot(Py_nb_matrix_multiply, binary<kMatmul>),
                                slot(Py_nb_negative, unary<kNegative>),
                                slot(Py_nb_absolute, unary<kAbsolute>),
                                slot(Py_mp_subscript, subscript),
                                {Py_tp_methods, methods},
                                {0, nullptr}};
  return slots;
}

void register_operators(const py::tuple& primitives) {
  if (primitives.size() != kOperators) throw py::value_error("_core: operators must have a primitive each");
  for (std::size_t k = 0; k < kOperators; ++k)
    operators[k] = reinterpret_cast<Primitive*>(borrowed(py::object(primitives[k]).ptr()).release().ptr());
}

py::object call_function(PyObject* function, PyObject* args, PyObject* kwargs) {
  PyObject* const primitive = PyDict_GetItemWithError(registered.primitives, function);
  if (primitive == nullptr && PyErr_Occurred()) throw py::error_already_set();
  bool special = primitive == nullptr;
  PyObject *name, *value;
  for (Py_ssize_t position = 0; !special && PyDict_Next(kwargs, &position, &name, &value);)
    special = is_special(name, value);
  if (special) return call(registered.call_function, function, args, kwargs);
  return apply(reinterpret_cast<Primitive*>(primitive), &PyTuple_GET_ITEM(args, 0), PyTuple_GET_SIZE(args), kwargs);
}

}  // namespace steepest::tape
