// NumPy arrays to checked pointers. Python has checked already, with better messages; here is checked again what would
// crash.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>

#include "steepest/runtime/kernel_api.hpp"
#include "steepest/runtime/plan.hpp"
#include "steepest/runtime/sizes.hpp"

namespace steepest::bind {

namespace py = pybind11;

struct View {
  void* data;
  std::int64_t size, rows, width;  // rows: first dimension, 1 for a scalar; width: elements in a row
};

// What the items of an array are, as NumPy's descriptor says it. Two types of equal size are told apart: an array of
// objects must never be read as numbers.
struct ItemType {
  char kind;
  py::ssize_t bytes;
};
inline constexpr ItemType kInt64{'i', 8}, kUInt16{'u', 2}, kFloat64{'f', 8};

// Of parameters and gradients; bfloat16 is no type of NumPy's own.
inline ItemType stored_type(DType dtype) { return {dtype == DType::bf16 ? 'V' : 'f', stored_bytes(dtype)}; }

// Of slots: the type of the arithmetic.
inline ItemType slot_type(DType dtype) { return {'f', slot_bytes(dtype)}; }

// Raises ValueError or TypeError with `who: what must ...`.
View view(const py::handle& object, const std::string& what, ItemType type, bool writable);

// The same of a gradient, whose rows may lie `gap` elements apart.
View view_rows(const py::handle& object, const std::string& what, ItemType type, std::int64_t& gap);

// The same of a writable parameter whose elements may lie apart or not be aligned: then `strided` says where they are,
// and the data are nullptr.
View view_parameter(const py::handle& object, const std::string& what, DType dtype, std::unique_ptr<Strided>& strided);

DType to_dtype(int code);

[[noreturn]] void fail(PyObject* type, const std::string& message);

}  // namespace steepest::bind
