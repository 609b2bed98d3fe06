// A list of (gradient, variable) pairs that was updated once, remembered for the steps that follow.
//
// Python checks the first step in full. At later steps match() compares every field that the checks depended on with
// what it was, and where one differs returns false, so that Python does the step. Only weak references are held to the
// user's objects.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arguments.hpp"
#include "commit.hpp"
#include "fields.hpp"
#include "steepest/runtime/plan.hpp"

namespace steepest::bind {

class StepCache {
 public:
  // targets: (job, key of the slots, code of the type, array or Variable) for each pair that has a gradient, in order.
  // nullptr where match() could not recognize one of them.
  static std::unique_ptr<StepCache> make(std::vector<const RuleInfo*> rules, const py::list& targets,
                                         const py::handle& pairs);

  // Whether `pairs` are this list again, with gradients that kernels take as they are. `slots` are dicts of dicts, one
  // for each job. Runs no Python code. check_rows: whether indices are compared with the rows that there are, which
  // update() does in any case.
  bool match(PyObject* pairs, PyObject* const* slots, bool check_rows);

  // Updates what match() has just found, and makes the commit; nothing may come between the two. `hooks` are of all
  // items, `own` of each job, or none. Returns kDone, or where nothing has changed: the position in `pairs` of a
  // gradient that is not finite where a hook asked for that, or kOutOfRange for an index outside its parameter.
  static constexpr std::int64_t kDone = -1, kOutOfRange = -3;
  std::int64_t update(std::span<const double* const> values, const HookList& hooks, std::span<const HookList> own,
                      Commit& commit);

  const std::vector<const RuleInfo*>& rules() const { return plan_.rules(); }
  // How many items a job has.
  std::size_t count(std::size_t job) const { return counts_[job]; }
  std::size_t count() const { return entries_.size(); }

 private:
  struct Entry {
    py::object key, descriptor, owner;  // owner: a weak reference, or the object itself where it takes none
    const char* data;
    const Py_intptr_t* extents;  // sizes, then strides
    int dimensions;
    bool weak, variable;
    Py_ssize_t position;  // in the list

    const ArrayFields* match(PyObject* target) const;
  };

  StepCache(std::vector<const RuleInfo*> rules, std::vector<Entry> entries,
            std::vector<std::vector<Py_intptr_t>> extents, std::vector<Item> items, Py_ssize_t length);

  bool match_values(Item& item, const ArrayFields* parameter, PyObject* values, std::int64_t rows);
  bool match_slices(Item& item, const ArrayFields* parameter, PyObject* indices, PyObject* values, bool check_rows);
  bool match_bags(Item& item, const ArrayFields* parameter, PyObject* bags, bool check_rows);
  bool match_slots(Item& item, const ArrayFields* parameter, PyObject* key);

  std::vector<Entry> entries_;
  std::vector<std::vector<Py_intptr_t>> extents_;
  std::vector<py::str> slot_names_;      // of all jobs, one after the other
  std::vector<std::size_t> first_slot_;  // where each job's begin, and the end
  std::vector<std::size_t> counts_;      // of each job's items
  std::vector<PyObject*> dicts_;         // borrowed, while match() runs: as slot_names_
  Py_ssize_t length_;
  Plan plan_;
  bool busy_ = false;  // a thread reads the plan without the GIL

  // Found by the last match(), borrowed: the arrays that an update reads and writes, and the Variables among the
  // targets.
  std::vector<PyObject*> arrays_, variables_;
  std::int64_t work_ = 0;
};

}  // namespace steepest::bind
