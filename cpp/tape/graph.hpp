// The part of a tape's record that lies between targets and sources, and the way back over it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "objects.hpp"
#include "sums.hpp"

namespace steepest::tape {

class Graph {
 public:
  // Finds the operations behind `targets` (Tensors) that were recorded in one of the intervals (first, last) of
  // sequence numbers, but nothing behind `constants`. Raises RuntimeError where the value of a variable that a rule
  // needs has changed since it was read.
  Graph(const py::list& targets, const py::list& sources, const py::list& intervals, const py::object& watched,
        const py::object& constants);

  // Carries gradients from the targets to the sources: an array of its own, or None, for each. `taped` says that an
  // outer tape records, so that rules are given Tensors.
  py::list backward(const py::list& seeds, bool taped);

  // Frees the values that the operations keep; a loss that is still held would hold them all.
  void release();

  py::list roots() const { return listed(roots_); }  // the Tensor of each target
  py::list order() const;                            // the operations, results before their arguments
  py::list ends() const;                             // for each source the Tensors that stand for it

 private:
  // Tensors are known by their places in `tensors_`.
  using Place = std::uint32_t;
  struct Argument {
    Place position, place;
  };
  struct Operation {
    Place place;
    std::size_t first, last;  // of `arguments_`: its arguments that are Tensors
  };

  Tensor* at(Place place) const { return as_tensor(tensors_[place].ptr()); }
  py::list listed(const std::vector<Place>& places) const;

  Place reach(PyObject* tensor);
  void search(const py::list& targets);
  bool is_recorded(const Tensor* tensor) const;
  void find_ends(const py::list& sources, const std::vector<std::pair<bool, Place>>& places, const py::object& watched);
  void find_needed();
  void check_unchanged(bool constants);

  void differentiate(const Operation& operation, const py::object& g, bool taped, Sums& sums) const;
  void add(Sums& sums, const py::object& primitive, Place place, py::object r) const;

  std::vector<std::pair<double, double>> intervals_;
  py::object constants_;
  std::uint64_t id_;
  std::vector<py::object> tensors_;
  std::vector<Place> roots_, leaves_, waiting_;
  std::vector<Operation> order_;
  std::vector<Argument> arguments_;
  std::vector<std::vector<Place>> ends_;
  std::vector<char> is_leaf_, needed_, kept_;
};

}  // namespace steepest::tape
