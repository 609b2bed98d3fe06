// apply and advance: one native call for a whole list.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "arguments.hpp"
#include "array_view.hpp"
#include "bind.hpp"
#include "commit.hpp"
#include "gil.hpp"
#include "gradient_item.hpp"
#include "steepest/runtime/isa_select.hpp"
#include "steepest/runtime/plan.hpp"

namespace steepest::bind {

const RuleInfo& find_rule(const std::string& name) {
  const KernelTable& table = kernels();
  for (int k = 0; k < table.rule_count; ++k)
    if (name == table.rules[k]->name) return *table.rules[k];
  fail(PyExc_ValueError, "_core: rule must be one of schema(), got '" + name + "'");
}

namespace {

void check_range(const std::string& who, const char* name, const Range& range, double value) {
  const auto& [low, high, low_open, high_open, integer, text] = range;
  const bool inside = (low_open ? low < value : low <= value) && (high_open ? value < high : value <= high);
  if (!inside || (integer && std::floor(value) != value))
    fail(PyExc_ValueError, who + ": " + name + " must " + text + ", got " + std::to_string(value));
}

}  // namespace

void check_values(const std::string& who, const RuleInfo& rule, const double* values) {
  for (int k = 0; k < rule.hyper_count; ++k) check_range(who, rule.hyper[k].name, rule.hyper[k].range, values[k]);
  for (int k = 0; k < rule.scalar_count; ++k)
    check_range(who, rule.scalars[k].name, rule.scalars[k].range, values[rule.hyper_count + k]);
}

namespace {

// The moves of the rows that are not in the batch go into the history.
void set_step_history(Item& item, const RuleInfo& rule, const std::string& who, const py::handle& object) {
  StepHistory& history = to_step_history(object);
  if (rule.step_rate == nullptr || item.indices == nullptr || history.rows() != item.args.rows ||
      history.wide() != (item.dtype == DType::f64) || history.room() < 1)
    fail(PyExc_ValueError, who + ": history must be of this parameter, for a sparse gradient, and have room");
  item.history = &history;
}

// What a tuple of Python's says, held. Taking it may run Python code (__index__, __iter__, items made on the fly),
// which may replace any array: pointers are taken only once everything is held.
struct TakenItem {
  int job = 0;
  std::string name;
  DType dtype{};
  bool wide_gradient = false;
  py::object parameter, gradient;
  Places places;
  std::vector<py::object> slots;
  py::object history;                              // null: none
  std::optional<std::pair<double, double>> norms;  // of the parameter, and of what a rule with a ratio measures
};

// (job, name, dtype, parameter, slots, gradient, indices or None, gradient is float32[, history or None[, norms]]),
// the indices as (indices, bags or None[, weights]) where the gradient's rows are those of bags, or have weights.
TakenItem take_item(const std::string& who, const py::handle& object) {
  const py::tuple tuple(py::reinterpret_borrow<py::object>(object));
  if (tuple.size() < 8 || tuple.size() > 10) fail(PyExc_ValueError, "_core: item must be a tuple of 8 to 10");
  TakenItem taken;
  taken.job = py::cast<int>(tuple[0]);
  taken.name = who + ": '" + py::cast<std::string>(tuple[1]) + "'";
  taken.dtype = to_dtype(py::cast<int>(tuple[2]));
  taken.parameter = tuple[3];
  const py::tuple slots{py::object(tuple[4])};
  for (const py::handle& slot : slots) taken.slots.push_back(py::reinterpret_borrow<py::object>(slot));
  taken.gradient = tuple[5];
  taken.places.indices = tuple[6];
  if (PyTuple_CheckExact(taken.places.indices.ptr())) {
    const auto parts = py::cast<py::tuple>(tuple[6]);
    if (parts.size() != 2 && parts.size() != 3)
      fail(PyExc_ValueError, "_core: indices must be an array, or a tuple of 2 or 3");
    taken.places.indices = parts[0];
    if (!parts[1].is_none()) taken.places.bags = parts[1];
    if (parts.size() == 3) taken.places.weights = parts[2];
  }
  taken.wide_gradient = py::cast<bool>(tuple[7]);
  if (tuple.size() > 8 && !tuple[8].is_none()) taken.history = tuple[8];
  if (tuple.size() > 9) taken.norms = py::cast<std::pair<double, double>>(tuple[9]);
  return taken;
}

// `counts`: for each job, how many items it has.
std::vector<TakenItem> take_items(const std::string& who, const py::sequence& items, std::vector<std::size_t>& counts) {
  std::vector<TakenItem> taken;
  taken.reserve(py::len(items));
  for (const py::handle& object : items) {
    const int job = taken.emplace_back(take_item(who, object)).job;
    if (job < 0 || job >= int(counts.size())) fail(PyExc_ValueError, "_core: item must be of one of the jobs");
    ++counts[std::size_t(job)];
  }
  return taken;
}

// Runs no Python code, except to describe an error.
Item to_item(const RuleInfo& rule, const TakenItem& taken) {
  const std::string& name = taken.name;
  Item item;
  item.job = taken.job;
  item.dtype = taken.dtype;
  const View parameter = view_parameter(taken.parameter, name + ": parameter", item.dtype, item.strided);
  item.args.parameter = parameter.data;
  item.args.rows = parameter.rows;
  item.args.width = parameter.width;
  if (int(taken.slots.size()) != rule.slot_count)
    fail(PyExc_ValueError, name + ": slots must be " + std::to_string(rule.slot_count) + " arrays");
  for (int k = 0; k < rule.slot_count; ++k) {
    const SlotInfo& info = rule.slots[k];
    const ItemType type = info.kind == SlotKind::integer ? kInt64 : slot_type(item.dtype);
    const std::string what = name + ": slot '" + info.name + "'";
    const View slot = view(taken.slots[std::size_t(k)], what, type, true);
    const std::int64_t expected = info.extent == Extent::row ? parameter.rows : parameter.size;
    if (slot.size != expected)
      fail(PyExc_ValueError,
           what + " must have " + std::to_string(expected) + " elements, got " + std::to_string(slot.size));
    item.args.slots[k] = slot.data;
  }
  set_gradient(item, name, taken.gradient, taken.places, taken.wide_gradient);
  if (taken.history) set_step_history(item, rule, name, taken.history);
  if (taken.norms) {
    item.norms_known = true;
    std::tie(item.args.parameter_norm, item.args.measured_norm) = *taken.norms;
  }
  return item;
}

// What one rule does in a step: its numbers, and the hooks of its items alone; None: those of the job before work on
// its items, too.
struct Job {
  const RuleInfo* rule;
  std::vector<double> values;
  bool continues;  // the job before
  py::sequence hooks;
};

// (rule, values, hooks)
Job to_job(const std::string& who, const py::handle& object) {
  const auto tuple = py::cast<py::tuple>(object);
  if (tuple.size() != 3) fail(PyExc_ValueError, "_core: job must be a tuple of 3");
  Job job{&find_rule(py::cast<std::string>(tuple[0])), py::cast<std::vector<double>>(tuple[1]), tuple[2].is_none(),
          py::list()};
  if (!job.continues) job.hooks = py::sequence(tuple[2]);
  if (int(job.values.size()) != job.rule->hyper_count + job.rule->scalar_count)
    fail(PyExc_ValueError, who + ": values must be one for each hyper-parameter and scalar of the rule");
  check_values(who, *job.rule, job.values.data());
  return job;
}

// Everything that a list of updates says, held.
class Updates {
 public:
  Updates(const std::string& who, const py::sequence& jobs, const py::sequence& items, const py::sequence& hooks)
      : who_(who) {
    jobs_.reserve(py::len(jobs));
    for (const py::handle& object : jobs) {
      const Job& job = jobs_.emplace_back(to_job(who, object));
      rules_.push_back(job.rule);
      values_.push_back(job.values.data());
    }
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      if (k == 0 && jobs_[k].continues) fail(PyExc_ValueError, "_core: the first job must have hooks");
      scopes_.push_back(jobs_[k].continues ? scopes_.back() : int(k));
    }
    std::vector<std::size_t> counts(rules_.size());
    taken_ = take_items(who, items, counts);
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (jobs_[k].continues) counts[std::size_t(scopes_[k])] += counts[k];
    chains_.emplace_back(hooks, taken_.size());
    for (std::size_t k = 0; k < rules_.size(); ++k) chains_.emplace_back(jobs_[k].hooks, counts[k]);
  }

  // The numbers of each job.
  std::span<const double* const> values() const { return values_; }

  // Pointers to what is held. Runs no Python code, except to describe an error.
  std::vector<Item> items() const {
    std::vector<Item> list;
    list.reserve(taken_.size());
    std::set<const StepHistory*> histories;
    for (const TakenItem& each : taken_) {
      list.push_back(to_item(*rules_[std::size_t(each.job)], each));
      if (const StepHistory* history = list.back().history; history != nullptr && !histories.insert(history).second)
        fail(PyExc_ValueError, who_ + ": items must not share a history");
    }
    return list;
  }

  // Plans the update of items(), and calls done(plan) unless a hook refuses the gradient of an item, whose position is
  // returned; else -1. Without the GIL: all of it works on memory that is held.
  template <class Done>
  std::int64_t plan(std::vector<Item> items, const Done& done) {
    const GilRelease release;
    Plan plan(kernels(), std::move(items), rules_, scopes_);
    std::int64_t bad = -1;
    for (std::size_t k = 0; k < chains_.size() && bad < 0; ++k) bad = plan.resolve(chains_[k].hooks(), int(k) - 1);
    if (bad < 0) done(plan);
    return bad;
  }

  // Hands out what hooks have measured.
  void show() noexcept {
    for (HookList& chain : chains_) chain.show();
  }

 private:
  const std::string who_;
  std::vector<Job> jobs_;
  std::vector<const RuleInfo*> rules_;
  std::vector<const double*> values_;
  std::vector<int> scopes_;  // of each job the one whose hooks work on its items
  std::vector<TakenItem> taken_;
  std::vector<HookList> chains_;
};

// Returns -1, or the position of the item whose gradient is not finite where a hook asked for that; then nothing
// has changed.
std::int64_t apply(const std::string& who, const py::sequence& jobs, const py::sequence& items,
                   const py::sequence& hooks, const py::sequence& advance, const py::sequence& changed) {
  Updates updates(who, jobs, items, hooks);
  Commit commit;
  commit.advance(advance);
  for (const py::handle& variable : changed) commit.changed(variable.ptr());
  const std::int64_t bad = updates.plan(updates.items(), [&](Plan& plan) { plan.run(updates.values()); });
  if (bad < 0) commit.make();
  updates.show();
  return bad;
}

// Of each item an array of two numbers for each chunk; empty where its rule asks for no norms.
py::list measure(const std::string& who, const py::sequence& jobs, const py::sequence& items, const py::sequence& hooks,
                 double scale) {
  Updates updates(who, jobs, items, hooks);
  std::vector<Item> list = updates.items();
  std::vector<std::vector<double>> sums(list.size());
  updates.plan(std::move(list), [&](Plan& plan) { sums = plan.chunk_sums(updates.values(), scale); });
  py::list out;
  for (const std::vector<double>& of_item : sums)
    out.append(py::array_t<double>({py::ssize_t(of_item.size() / 2), py::ssize_t(2)}, of_item.data()));
  return out;
}

// Advances scalars and marks Variables as changed, all or nothing.
void advance(const py::sequence& scalars, const py::sequence& changed) {
  Commit commit;
  commit.advance(scalars);
  for (const py::handle& variable : changed) commit.changed(variable.ptr());
  commit.make();
}

}  // namespace

void bind_update(py::module_& m) {
  m.def("apply", &apply, py::arg("who"), py::arg("jobs"), py::arg("items"), py::arg("hooks"), py::arg("advance"),
        py::arg("changed"),
        "Update every item and advance scalars in one call; all checks come before the first write.");
  m.def(
      "measure", &measure, py::arg("who"), py::arg("jobs"), py::arg("items"), py::arg("hooks"), py::arg("scale"),
      "Sums of squares that norms of rules with a ratio are made of: (chunks, 2) for each item, elements times scale.");
  m.def("advance", &advance, py::arg("advance"), py::arg("changed"),
        "Advance scalars, and mark Variables as changed: all, or on any error none.");
}

}  // namespace steepest::bind
