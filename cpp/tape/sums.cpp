#include "sums.hpp"

#include <utility>

#include "arrays.hpp"

namespace steepest::tape {
namespace {

using api = py::detail::npy_api;

// Rows, or elements, of an array: not a gradient that can be added as it is.
bool is_sparse(const py::object& r) {
  return bind::is_slices(r.ptr()) || bind::is_bags(r.ptr()) || Py_TYPE(r.ptr()) == registered.indexed ||
         PyList_CheckExact(r.ptr());
}

template <class T>
void add_elements(const bind::ArrayFields* total, const bind::ArrayFields* r, py::ssize_t count) {
  T* const to = reinterpret_cast<T*>(total->data);
  const T* const from = reinterpret_cast<const T*>(r->data);
  for (py::ssize_t i = 0; i < count; ++i) to[i] += from[i];
}

constexpr py::ssize_t kFew = 1024;  // elements that are added in the time of a call of NumPy's

// total += r for two arrays of one shape and type.
void add_into(const py::object& total, const py::object& r) {
  const bind::ArrayFields *to = bind::fields_of(total.ptr()), *from = bind::fields_of(r.ptr());
  const auto count = py::ssize_t(size_of(to));
  const bool plain = bind::is_plain(to, true) && bind::is_plain(from, false) && count <= kFew;
  if (plain && to->descr == bind::types.descriptor(bind::NumpyType::f32) && from->descr == to->descr)
    return add_elements<float>(to, from, count);
  if (plain && to->descr == bind::types.descriptor(bind::NumpyType::f64) && from->descr == to->descr)
    return add_elements<double>(to, from, count);
  checked(PyNumber_InPlaceAdd(total.ptr(), r.ptr()));
}

}  // namespace

bool is_ours(PyObject* array) {
#if defined(PYPY_VERSION) || defined(Py_GIL_DISABLED)
  return false;  // no count tells
#endif
  for (int depth = 0; depth < 2; ++depth) {
    if (!is_array(array) || Py_REFCNT(array) != 1) return false;
    const bind::ArrayFields* const fields = bind::fields_of(array);
    if (!(fields->flags & api::NPY_ARRAY_WRITEABLE_)) return false;
    if (fields->base == nullptr) return fields->flags & api::NPY_ARRAY_OWNDATA_;
    array = fields->base;  // a view: of what nobody else has either?
  }
  return false;
}

void Sums::add(std::size_t place, py::object r, const Tensor* of) {
  py::object& total = sums_[place];
  if (!total) {
    total = std::move(r);
  } else if (is_array(total.ptr()) && is_array(r.ptr())) {
    if (is_ours(total.ptr())) {
      add_into(total, r);
    } else if (is_ours(r.ptr())) {
      add_into(r, total);
      total = std::move(r);
    } else {
      total = checked(PyNumber_Add(total.ptr(), r.ptr()));
    }
  } else if (is_sparse(total) || is_sparse(r)) {
    const py::bool_ mine(is_ours(total.ptr())), yours(is_ours(r.ptr())), taped(taped_);
    total = call(registered.merged, of->value, total.ptr(), mine.ptr(), r.ptr(), yours.ptr(), taped.ptr());
  } else {
    total = checked(PyNumber_Add(total.ptr(), r.ptr()));
  }
}

py::object Sums::take(std::size_t place, bool kept) {
  py::object g = kept ? sums_[place] : std::move(sums_[place]);
  return g && is_sparse(g) ? call(registered.dense, g.ptr()) : g;
}

py::object Sums::hand_out(const std::vector<std::uint32_t>& places, bool last) {
  if (places.size() == 1) {
    py::object r = last ? std::move(sums_[places[0]]) : sums_[places[0]];
    if (!r) return py::none();
    if (is_array(r.ptr()) && is_ours(r.ptr())) return r;
    PyObject* const values = bind::is_slices(r.ptr()) && Py_REFCNT(r.ptr()) == 1 ? bind::values_of(r.ptr()) : nullptr;
    if (values != nullptr && is_ours(values)) return r;
    if (bind::is_bags(r.ptr()) && Py_REFCNT(r.ptr()) == 1 && bind::is_own(r.ptr())) return r;
    py::list parts(1);
    parts[0] = std::move(r);
    return call(registered.handed_out, parts.ptr(), taped_ ? Py_True : Py_False);
  }
  py::list parts;
  for (const std::uint32_t place : places)
    if (sums_[place]) parts.append(sums_[place]);
  return call(registered.handed_out, parts.ptr(), taped_ ? Py_True : Py_False);
}

}  // namespace steepest::tape
