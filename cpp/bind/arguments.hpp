// Arguments that several functions of the module take.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "array_view.hpp"
#include "steepest/runtime/grouping.hpp"
#include "steepest/runtime/kernel_api.hpp"
#include "steepest/runtime/plan.hpp"

namespace steepest::bind {

// Raises IndexError for the first index that is not in [0, rows).
template <class Index>
void check_rows(const std::string& what, const Indices<Index>& indices, std::int64_t rows) {
  const std::int64_t bad = first_out_of_range(indices, rows);
  if (bad >= 0)
    fail(PyExc_IndexError, what + " must be in [0, " + std::to_string(rows) + "), got " + std::to_string(indices[bad]) +
                               " at position " + std::to_string(bad));
}

// Raises ValueError for a name that it does not know.
const RuleInfo& find_rule(const std::string& name);

// The most numbers of one rule, hyper-parameters and scalars.
inline constexpr std::size_t kMostValues = 32;

// Hooks as Python gives them, each (kind, a, b) or (kind, a, b, more). `more` of a clip is a list of one item, which is
// set to an array of the norms that were found; of a weight decay, bytes that tell of each item whether it decays.
class HookList {
 public:
  HookList() = default;
  // `items`: how many the hooks are of. Raises ValueError for hooks that it does not know.
  HookList(const pybind11::handle& sequence, std::size_t items);

  const std::vector<Hook>& hooks() const { return hooks_; }
  // Hands out what was measured. Cannot fail.
  void show() noexcept;

 private:
  void add_more(Hook& hook, const pybind11::handle& more, std::size_t items);

  std::vector<Hook> hooks_;
  std::vector<pybind11::object> held_;
  std::vector<std::pair<pybind11::list, pybind11::array>> measured_;
};

// Raises ValueError for a hyper-parameter outside the range that the rule declares, or a scalar that is no count and no
// power. Python has checked them; kernels divide by some.
void check_values(const std::string& who, const RuleInfo& rule, const double* values);

}  // namespace steepest::bind
