// Arguments that several functions of the module take.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "array_view.hpp"
#include "steepest/runtime/grouping.hpp"
#include "steepest/runtime/kernel_api.hpp"
#include "steepest/runtime/plan.hpp"

namespace steepest::bind {

// Raises IndexError for the first index that is not in [0, rows).
template <class Index>
void check_rows(const std::string& what, const Index* indices, std::int64_t count, std::int64_t rows) {
  const std::int64_t bad = first_out_of_range(indices, count, rows);
  if (bad >= 0)
    fail(PyExc_IndexError, what + " must be in [0, " + std::to_string(rows) + "), got " + std::to_string(indices[bad]) +
                               " at position " + std::to_string(bad));
}

// Both raise ValueError for what they do not know.
const RuleInfo& find_rule(const std::string& name);
std::vector<Hook> to_hooks(const pybind11::sequence& sequence);

// Raises ValueError for a hyper-parameter outside the range that the rule declares, or a scalar that is no count and no
// power. Python has checked them; kernels divide by some.
void check_values(const std::string& who, const RuleInfo& rule, const double* values);

}  // namespace steepest::bind
