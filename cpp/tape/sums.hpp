// The gradients that have arrived so far, and who may write to them.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "objects.hpp"

namespace steepest::tape {

// Whether the caller's reference is the only one to an array and to the memory under it, so that writing to it is seen
// by nobody. Neither users nor variables ever see their arrays change, and what is handed out is nobody else's.
bool is_ours(PyObject* array);

// For each place the gradient that has arrived so far: an array (a Tensor under an outer tape), an IndexedCotangent,
// IndexedSlices, or a list of IndexedSlices.
class Sums {
 public:
  Sums(std::size_t places, bool taped) : sums_(places), taped_(taped) {}

  void add(std::size_t place, py::object r, const Tensor* of);

  // The gradient of an operation's result, dense, or nothing; a sum that is `kept` stays for a source.
  py::object take(std::size_t place, bool kept);

  // The sum at one place, or several, as a source's gradient: nobody else's, None where nothing has arrived.
  py::object hand_out(const std::vector<std::uint32_t>& places, bool last);

 private:
  std::vector<py::object> sums_;
  bool taped_;
};

}  // namespace steepest::tape
