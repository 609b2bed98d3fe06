// How an operation on taped values is evaluated, and recorded when a tape wants it.
#include <array>
#include <memory>

#include "arrays.hpp"
#include "objects.hpp"

namespace steepest::tape {
namespace {

// What records in this context: the fields of a `Recording` of ops/state.py.
struct Context {
  py::object recording;
  double floor;

  Context() {
    PyObject* current = nullptr;
    if (PyContextVar_Get(registered.recording, nullptr, &current) < 0) throw py::error_already_set();
    recording = checked(current);
    floor = PyFloat_AsDouble(bind::attribute(current, registered.floor));
  }
};

// The Tensor that stands for an argument, or the plain value.
py::object operand_of(PyObject* argument, const Context& here) {
  if (is_tensor(argument)) return borrowed(argument);
  if (bind::is_variable(argument) && !bind::is_pending(argument)) {
    if (here.floor == std::numeric_limits<double>::infinity())
      return borrowed(bind::attribute(argument, bind::types.value));
    return current_leaf(argument, here.recording.ptr());
  }
  if (!PyObject_TypeCheck(argument, registered.operand)) return borrowed(argument);
  static PyObject* const name = PyUnicode_InternFromString("_operand");
  return checked(PyObject_CallMethodNoArgs(argument, name));
}

// The plain values that a function is called with.
class Values {
 public:
  explicit Values(Py_ssize_t count) : count_(count) {
    if (count >= Py_ssize_t(few_.size())) many_ = std::make_unique<PyObject*[]>(std::size_t(count) + 1);
  }
  PyObject*& operator[](Py_ssize_t i) { return data()[i]; }

  py::object call(PyObject* function, PyObject* kwargs) {
    return checked(PyObject_VectorcallDict(function, data(), std::size_t(count_) | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                           kwargs != nullptr && PyDict_GET_SIZE(kwargs) ? kwargs : nullptr));
  }

  // Python scalars as NumPy 2 takes them; `operands` keep what is new.
  void weaken(const py::object& operands) {
    py::list strong(static_cast<std::size_t>(count_));
    for (Py_ssize_t i = 0; i < count_; ++i) strong[std::size_t(i)] = borrowed(data()[i]);
    const py::object weak = tape::call(registered.weakened, strong.ptr());
    for (Py_ssize_t i = 0; i < count_; ++i) {
      PyObject* const value = PyList_GET_ITEM(weak.ptr(), i);
      if (value == data()[i]) continue;
      data()[i] = value;
      PyObject* const before = PyTuple_GET_ITEM(operands.ptr(), i);
      PyTuple_SET_ITEM(operands.ptr(), i, borrowed(value).release().ptr());
      Py_DECREF(before);
    }
  }

 private:
  PyObject** data() { return (many_ ? many_.get() : few_.data()) + 1; }  // the place before is the callee's

  Py_ssize_t count_;
  std::array<PyObject*, 8> few_;
  std::unique_ptr<PyObject*[]> many_;
};

// Whether an operation's result is recorded: at once for the usual types, Python decides about others.
bool is_recordable(PyObject* result, PyObject* primitive) {
  using bind::NumpyType, bind::types;
  if (PyFloat_Check(result) || type_of_number(result) != nullptr) return true;
  if (is_array(result)) {
    PyObject* const type = bind::fields_of(result)->descr;
    if (type == types.descriptor(NumpyType::f64) || type == types.descriptor(NumpyType::f32)) return true;
  }
  return is_none(registered.recordable) || call(registered.recordable, result, primitive).ptr() == Py_True;
}

long long last_number = 0;

}  // namespace

long long next_number() { return ++last_number; }

py::object record(py::object value, PyObject* primitive, py::object args, PyObject* kwargs) {
  const py::object noted = registered.noted != nullptr ? call(registered.noted, primitive) : borrowed(primitive);
  py::object result = checked(registered.tensor->tp_alloc(registered.tensor, 0));
  Tensor* const tensor = as_tensor(result.ptr());
  tensor->value = value.release().ptr();
  tensor->primitive = borrowed(noted.ptr()).release().ptr();
  tensor->args = args.release().ptr();
  tensor->kwargs = kwargs == nullptr ? nullptr : borrowed(kwargs).release().ptr();
  tensor->number = next_number();
  tensor->mark = double(tensor->number);
  return result;
}

py::object apply(Primitive* primitive, PyObject* const* args, Py_ssize_t count, PyObject* kwargs) {
  const Context here;
  const bool options = kwargs != nullptr && PyDict_GET_SIZE(kwargs) > 0;
  const bool ufunc = Py_TYPE(primitive->fun) == registered.ufunc;
  bool recorded = false, guarded = false;
  py::object operands = checked(PyTuple_New(count));
  Values values(count);
  for (Py_ssize_t i = 0; i < count; ++i) {
    py::object operand = operand_of(args[i], here);
    PyObject* value = operand.ptr();
    if (is_tensor(value)) {
      const Tensor* const tensor = as_tensor(value);
      value = tensor->value;
      if (tensor->mark >= here.floor)
        recorded = true;
      else if (!is_none(tensor->owner))
        guarded = true;  // of a variable that nobody follows: whether it changes matters
      else
        operand = borrowed(value);
    }
    values[i] = value;
    PyTuple_SET_ITEM(operands.ptr(), i, operand.release().ptr());
  }
  if (recorded) drop_unneeded(operands.ptr());  // what is computed next may take the memory
  if (!registered.weak_scalars && ufunc) values.weaken(operands);
  py::object result = values.call(primitive->fun, kwargs);
  if (result.ptr() == Py_NotImplemented) return result;
  if (recorded && is_recordable(result.ptr(), reinterpret_cast<PyObject*>(primitive))) {
    // What a ufunc takes by keyword (dtype, casting) changes the value only, not the rule.
    return record(std::move(result), reinterpret_cast<PyObject*>(primitive), std::move(operands),
                  options && !ufunc ? kwargs : nullptr);
  }
  if (guarded && is_array(result.ptr()) && bind::fields_of(result.ptr())->base != nullptr) {
    // A view of a variable that may be changed before the gradient is taken, where nothing would notice.
    result = result.attr("copy")();
  }
  return registered.eager_results ? call(registered.wrap_result, result.ptr()) : result;
}

}  // namespace steepest::tape
