// Step histories: made and read by Python, filled by apply. Python holds them as capsules, which
// cannot be made without the constructor.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "arguments.hpp"
#include "array_view.hpp"
#include "bind.hpp"
#include "gil.hpp"
#include "steepest/runtime/grouping.hpp"
#include "steepest/runtime/isa_select.hpp"
#include "steepest/runtime/step_history.hpp"

namespace steepest::bind {

static constexpr const char* kStepHistory = "steepest.StepHistory";

StepHistory& to_step_history(const py::handle& object) {
  if (!PyCapsule_IsValid(object.ptr(), kStepHistory))
    fail(PyExc_TypeError, "_core: history must be what step_history() returns");
  return *static_cast<StepHistory*>(PyCapsule_GetPointer(object.ptr(), kStepHistory));
}

namespace {

std::unique_ptr<StepHistory> make(double beta1, double beta2, double epsilon, std::int64_t rows, int dtype) {
  if (!(beta1 >= 0 && beta1 < 1 && beta2 >= 0 && beta2 < 1 && rows >= 0))
    fail(PyExc_ValueError, "_core.step_history: betas must be in [0, 1) and rows at least 0");
  return std::make_unique<StepHistory>(beta1, beta2, epsilon, rows, to_dtype(dtype) == DType::f64);
}

py::capsule to_capsule(std::unique_ptr<StepHistory> history) {
  py::capsule capsule(history.get(), kStepHistory, [](PyObject* object) {
    delete static_cast<StepHistory*>(PyCapsule_GetPointer(object, kStepHistory));
  });
  history.release();
  return capsule;
}

py::capsule new_step_history(double beta1, double beta2, double epsilon, std::int64_t rows, int dtype) {
  return to_capsule(make(beta1, beta2, epsilon, rows, dtype));
}

// The rates and the rows' last steps make a history; its sums are computed from them again, to the same bits.
py::tuple save(const py::handle& object) {
  StepHistory& history = to_step_history(object);
  const std::vector<double>& rates = history.rates();
  const std::uint16_t* const last = history.pending().last;
  return py::make_tuple(py::array_t<double>(py::ssize_t(rates.size()), rates.data()),
                        py::array_t<std::uint16_t>(py::ssize_t(history.rows()), last));
}

// A file may hold anything: rates that are no numbers and steps that are still to come are refused.
py::capsule restored(double beta1, double beta2, double epsilon, int dtype, const py::handle& rates,
                     const py::handle& last) {
  const View steps = view(rates, "_core: rates", kFloat64, false), rows = view(last, "_core: last", kUInt16, false);
  const auto* const rate = static_cast<const double*>(steps.data);
  const auto* const moved = static_cast<const std::uint16_t*>(rows.data);
  std::unique_ptr<StepHistory> history = make(beta1, beta2, epsilon, rows.size, dtype);
  if (!(epsilon >= 0 && std::isfinite(epsilon)))
    fail(PyExc_ValueError, "epsilon must be finite and at least 0, got " + std::to_string(epsilon));
  if (steps.size > history->room())
    fail(PyExc_ValueError, "rates must be at most " + std::to_string(history->room()) + " for these betas, got " +
                               std::to_string(steps.size));
  if (!std::all_of(rate, rate + steps.size, [](double r) { return std::isfinite(r); }))
    fail(PyExc_ValueError, "rates must be finite, got others");
  if (std::any_of(moved, moved + rows.size, [&](std::uint16_t step) { return step > steps.size; }))
    fail(PyExc_ValueError, "last must be at most the number of rates, got more");
  for (std::int64_t k = 0; k < steps.size; ++k) {
    history->reserve();
    history->record(rate[k]);
  }
  std::copy(moved, moved + rows.size, history->pending().last);
  return to_capsule(std::move(history));
}

const RuleInfo& find_pending_rule(const std::string& name) {
  const RuleInfo& rule = find_rule(name);
  if (rule.step_rate == nullptr) fail(PyExc_ValueError, "_core: rule must be one that can defer, got '" + name + "'");
  return rule;
}

// The parameter, its slots and its pending state; all are checked as apply checks them.
UpdateArgs to_tensor(StepHistory& history, const RuleInfo& rule, DType dtype, const py::handle& parameter,
                     const py::tuple& slots) {
  const View values = view(parameter, "_core: parameter", stored_type(dtype), true);
  UpdateArgs args{};
  args.parameter = values.data;
  args.rows = values.rows;
  args.width = values.width;
  args.pending = &history.pending();
  if (args.rows != history.rows() || history.wide() != (dtype == DType::f64))
    fail(PyExc_ValueError, "_core: history must be of this parameter");
  if (int(slots.size()) != rule.slot_count) fail(PyExc_ValueError, "_core: slots must be those of the rule");
  for (int k = 0; k < rule.slot_count; ++k) {
    const View slot = view(slots[std::size_t(k)], "_core: slot", slot_type(dtype), true);
    if (slot.size != values.size) fail(PyExc_ValueError, "_core: slots must have the parameter's size");
    args.slots[k] = slot.data;
  }
  return args;
}

void apply_pending_all(const py::handle& history, const std::string& rule, int dtype, const py::handle& parameter,
                       const py::tuple& slots, bool keep) {
  const RuleInfo& info = find_pending_rule(rule);
  StepHistory& record = to_step_history(history);
  const UpdateArgs args = to_tensor(record, info, to_dtype(dtype), parameter, slots);
  const GilRelease release;
  apply_pending(info, to_dtype(dtype), args);
  if (!keep) record.clear();
}

void read(const py::handle& history, const std::string& rule, int dtype, const py::handle& parameter,
          const py::tuple& slots, const py::handle& ids, const py::handle& out) {
  const RuleInfo& info = find_pending_rule(rule);
  const UpdateArgs args = to_tensor(to_step_history(history), info, to_dtype(dtype), parameter, slots);
  const View rows = view(ids, "_core: ids", kInt64, false);
  const View target = view(out, "_core: out", stored_type(to_dtype(dtype)), true);
  // Checked and read is a copy: another thread may write to the ids once the GIL is released.
  std::vector<std::int64_t> numbers(static_cast<const std::int64_t*>(rows.data),
                                    static_cast<const std::int64_t*>(rows.data) + rows.size);
  check_rows("_core: ids", Indices<std::int64_t>{numbers.data(), rows.size}, args.rows);
  if (target.size != rows.size * args.width) fail(PyExc_ValueError, "_core: out must have one row for each id");
  const GilRelease release;
  read_rows(info, to_dtype(dtype), args, numbers.data(), rows.size, target.data);
}

}  // namespace

void bind_step_history(py::module_& m) {
  m.def("step_history", &new_step_history, py::arg("beta1"), py::arg("beta2"), py::arg("epsilon"), py::arg("rows"),
        py::arg("dtype"), "A new record of the steps that rows of one parameter have missed.");
  m.def(
      "room", [](const py::handle& history) { return to_step_history(history).room(); }, py::arg("history"),
      "Steps that can be recorded before every row must have caught up.");
  m.def(
      "apply_pending", &apply_pending_all, py::arg("history"), py::arg("rule"), py::arg("dtype"), py::arg("parameter"),
      py::arg("slots"), py::arg("keep") = false,
      "Every row makes its pending moves; the record is empty afterwards, unless it is kept because these are copies.");
  m.def("save_history", &save, py::arg("history"),
        "What a record is made of: the rates of its steps, and the step at which each row moved last.");
  m.def("restore_history", &restored, py::arg("beta1"), py::arg("beta2"), py::arg("epsilon"), py::arg("dtype"),
        py::arg("rates"), py::arg("last"), "The record that save_history() was given, to the bit.");
  m.def("read_rows", &read, py::arg("history"), py::arg("rule"), py::arg("dtype"), py::arg("parameter"),
        py::arg("slots"), py::arg("ids"), py::arg("out"),
        "out[k] = row ids[k] as it stands after its pending moves; nothing else changes.");
}

}  // namespace steepest::bind
