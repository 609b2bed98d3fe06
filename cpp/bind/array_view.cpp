#include "array_view.hpp"

#include "fields.hpp"

namespace steepest::bind {

void fail(PyObject* type, const std::string& message) {
  py::set_error(type, message.c_str());
  throw py::error_already_set();
}

static std::string name_of(ItemType type) {
  if (type.kind == 'V') return "bfloat16";
  return (type.kind == 'i' ? "int" : type.kind == 'u' ? "uint" : "float") + std::to_string(8 * type.bytes);
}

// What is true of arrays however their elements lie.
static View view_any(const py::array& array, const std::string& what, ItemType type, bool writable) {
  if (writable && !array.writeable()) fail(PyExc_ValueError, what + " must be writable, got a read-only array");
  const py::dtype dtype = array.dtype();
  if (dtype.kind() != type.kind || dtype.itemsize() != type.bytes || dtype.byteorder() == '>')
    fail(PyExc_TypeError, what + " must be of " + name_of(type) + ", got dtype " + std::string(py::str(dtype)));
  View out{const_cast<void*>(array.data()), array.size(), 1, 1};
  if (array.ndim() > 0) {
    out.rows = array.shape(0);
    for (py::ssize_t k = 1; k < array.ndim(); ++k) out.width *= array.shape(k);
  }
  return out;
}

static py::array to_array(const py::handle& object, const std::string& what) {
  if (!py::isinstance<py::array>(object))
    fail(PyExc_TypeError, what + " must be a NumPy array, got " + std::string(py::str(py::type::of(object))));
  return py::reinterpret_borrow<py::array>(object);
}

static bool is_packed(const py::array& array) {
  return (array.flags() & py::array::c_style) != 0 && (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
}

View view(const py::handle& object, const std::string& what, ItemType type, bool writable) {
  const py::array array = to_array(object, what);
  if (!is_packed(array))
    fail(PyExc_ValueError, what + " must be C-contiguous and aligned, got strides or an address that are not");
  return view_any(array, what, type, writable);
}

View view_rows(const py::handle& object, const std::string& what, ItemType type, std::int64_t& gap) {
  const py::array array = to_array(object, what);
  const View out = view_any(array, what, type, false);
  if (!rows_are_packed(fields_of(array.ptr()), type.bytes, gap))
    fail(PyExc_ValueError, what + " must be aligned and have packed rows, got strides or an address that do not fit");
  return out;
}

View view_parameter(const py::handle& object, const std::string& what, DType dtype, std::unique_ptr<Strided>& strided) {
  const py::array array = to_array(object, what);
  View out = view_any(array, what, stored_type(dtype), true);
  if (is_packed(array)) return out;
  strided = std::make_unique<Strided>();
  strided->data = static_cast<std::byte*>(out.data);
  for (py::ssize_t k = 0; k < array.ndim(); ++k) strided->axes.emplace_back(array.shape(k), array.strides(k));
  out.data = nullptr;
  return out;
}

DType to_dtype(int code) {
  if (code < 0 || code >= kDTypes) fail(PyExc_ValueError, "_core: dtype must be 0 to 3, got " + std::to_string(code));
  return DType(code);
}

}  // namespace steepest::bind
