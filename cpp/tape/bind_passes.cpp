// The passes over NumPy arrays: what they do not take is left to the rule in Python.
#include <string>
#include <vector>

#include "../bind/bind.hpp"
#include "arrays.hpp"
#include "passes.hpp"

namespace steepest::tape {

py::object sum_of_first_axes(PyObject* r, PyObject* value) {
  const bind::ArrayFields* const from = packed(r);
  const bind::ArrayFields* const to = is_array(value) ? bind::fields_of(value) : nullptr;
  if (from == nullptr || to == nullptr || from->descr != to->descr || from->nd < to->nd) return {};
  const int extra = from->nd - to->nd;
  std::size_t rows = 1, width = 1;
  bool summed = true;  // the axes that are the argument's own follow those that are summed
  for (int axis = 0; axis < from->nd; ++axis) {
    const auto length = from->dimensions[axis], own = axis < extra ? 1 : to->dimensions[axis - extra];
    summed = summed && own == 1;
    if (!summed && own != length) return {};
    (summed ? rows : width) *= std::size_t(length);
  }
  if (width < 2) return {};  // NumPy adds up one row by halves
  return by_type(from->descr, [&](auto zero) {
    using T = decltype(zero);
    py::object sum = new_like(to);
    sum_rows(data_of<T>(from), rows, width, data_of<T>(sum));
    return sum;
  });
}

namespace {

// An operand of a comparison beside arrays shaped like `like`: one of them, or one number.
template <class T>
struct Operand {
  T number{};
  Compared<T> compared{nullptr, 0};

  bool take(PyObject* object, const bind::ArrayFields* like) {
    if (PyFloat_CheckExact(object) || PyLong_CheckExact(object)) {
      const double value = PyFloat_AsDouble(object);
      if (value == -1 && PyErr_Occurred()) return PyErr_Clear(), false;
      number = T(value);
      compared = {&number, 0};
      return PyFloat_CheckExact(object) || double(number) == value;  // NumPy compares integers exactly
    }
    const bind::ArrayFields* const array = packed(object, like->descr);
    if (array == nullptr || !(same_shape(array, like) || array->nd == 0)) return false;
    compared = {data_of<T>(array), array->nd != 0 || like->nd == 0};
    return true;
  }
};

py::object or_none(py::object result) { return result ? std::move(result) : py::none(); }

py::object kept(const py::handle& g, const py::handle& a, const std::string& name, const py::handle& b) {
  const Relation relation = name == ">" ? Relation::above : name == ">=" ? Relation::at_least : Relation::not_at_least;
  if (relation == Relation::not_at_least && name != "not >=")
    throw py::value_error("_core: relation must be '>', '>=' or 'not >=', got " + name);
  const bind::ArrayFields* const gradient = packed(g.ptr());
  if (gradient == nullptr) return py::none();
  return or_none(by_type(gradient->descr, [&](auto zero) -> py::object {
    using T = decltype(zero);
    Operand<T> first, second;
    if (!first.take(a.ptr(), gradient) || !second.take(b.ptr(), gradient)) return {};
    py::object result = new_like(gradient);
    keep_where(data_of<T>(gradient), first.compared, relation, second.compared, size_of(gradient), data_of<T>(result));
    return result;
  }));
}

py::object shares(const py::handle& g, const py::handle& y, const py::handle& x, const py::object& axis) {
  const bind::ArrayFields *const gradient = packed(g.ptr()), *const values = packed(x.ptr());
  const bind::ArrayFields* const extremes = packed(y.ptr());
  if (gradient == nullptr || values == nullptr || extremes == nullptr) return py::none();
  if (gradient->descr != values->descr || extremes->descr != values->descr) return py::none();
  Reduced shape{1, 1, 1};
  if (axis.is_none()) {
    shape.count = size_of(values);
  } else {
    if (!PyLong_CheckExact(axis.ptr())) return py::none();
    const auto named = axis.cast<py::ssize_t>(), reduced = named < 0 ? named + values->nd : named;
    if (reduced < 0 || reduced >= values->nd) return py::none();
    for (int k = 0; k < values->nd; ++k)
      (k < reduced ? shape.outer : k == reduced ? shape.count : shape.inner) *= std::size_t(values->dimensions[k]);
  }
  const std::size_t results = shape.outer * shape.inner;
  if (size_of(gradient) != results || size_of(extremes) != results) return py::none();
  return or_none(by_type(values->descr, [&](auto zero) {
    using T = decltype(zero);
    py::object shared = new_like(values);
    share_extremes(data_of<T>(gradient), data_of<T>(extremes), data_of<T>(values), shape, data_of<T>(shared));
    return shared;
  }));
}

// Where in an array's rows the parts of an index point; false where one is no place, which NumPy then says.
template <class Index>
bool add_positions(const bind::ArrayFields* part, std::int64_t length, std::vector<std::int64_t>& positions) {
  const Index* const index = data_of<Index>(part);
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const std::int64_t place = index[k] < 0 ? index[k] + length : index[k];
    if (place < 0 || place >= length) return false;
    positions[k] = positions[k] * length + place;
  }
  return true;
}

bool add_elements_at(const py::handle& target, const py::tuple& index, const py::handle& values) {
  const bind::ArrayFields *const to = packed(target.ptr(), true), *const from = packed(values.ptr());
  const auto parts = int(index.size());
  if (to == nullptr || from == nullptr || from->descr != to->descr || parts == 0 || parts > to->nd) return false;
  const bind::ArrayFields* const first = packed(index[0].ptr());
  if (first == nullptr) return false;
  std::vector<std::int64_t> positions(size_of(first));
  for (int k = 0; k < parts; ++k) {
    const bind::ArrayFields* const part = packed(index[std::size_t(k)].ptr());
    if (part == nullptr || !same_shape(part, first)) return false;
    using bind::NumpyType, bind::types;
    const bool wide = part->descr == types.descriptor(NumpyType::i64);
    if (!wide && part->descr != types.descriptor(NumpyType::i32)) return false;
    const std::int64_t length = to->dimensions[k];
    if (!(wide ? add_positions<std::int64_t>(part, length, positions)
               : add_positions<std::int32_t>(part, length, positions)))
      return false;
  }
  // The values are shaped as the index is, and then as the rows.
  if (from->nd != first->nd + to->nd - parts) return false;
  if (!std::equal(first->dimensions, first->dimensions + first->nd, from->dimensions)) return false;
  if (!std::equal(to->dimensions + parts, to->dimensions + to->nd, from->dimensions + first->nd)) return false;
  std::size_t width = 1;
  for (int k = parts; k < to->nd; ++k) width *= std::size_t(to->dimensions[k]);
  return bool(by_type(to->descr, [&](auto zero) -> py::object {
    using T = decltype(zero);
    add_at(data_of<T>(to), positions.data(), positions.size(), width, data_of<T>(from));
    return py::none();
  }));
}

}  // namespace
}  // namespace steepest::tape

namespace steepest::bind {

void bind_passes(py::module_& m) {
  m.def("keep_where", &tape::kept, py::arg("g"), py::arg("a"), py::arg("relation"), py::arg("b"),
        "Return g where a relation, '>', '>=' or 'not >=', is between a and b, else 0; None where NumPy is to do it.");
  m.def("share_extremes", &tape::shares, py::arg("g"), py::arg("y"), py::arg("x"), py::arg("axis"),
        "Return the gradient of x's extremes y along an axis, or all: ties share g; None where NumPy is to do it.");
  m.def("add_elements_at", &tape::add_elements_at, py::arg("target"), py::arg("index"), py::arg("values"),
        "Add values to target[index], arrays of integers, in order; False and nothing done where NumPy is to do it.");
}

}  // namespace steepest::bind
