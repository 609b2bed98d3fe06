// apply, common_norm, transform: one native call each for a whole list.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "arguments.hpp"
#include "array_view.hpp"
#include "bind.hpp"
#include "commit.hpp"
#include "gil.hpp"
#include "steepest/runtime/allocation.hpp"
#include "steepest/runtime/isa_select.hpp"
#include "steepest/runtime/plan.hpp"

namespace steepest::bind {

const RuleInfo& find_rule(const std::string& name) {
  const KernelTable& table = kernels();
  for (int k = 0; k < table.rule_count; ++k)
    if (name == table.rules[k]->name) return *table.rules[k];
  fail(PyExc_ValueError, "_core: rule must be one of schema(), got '" + name + "'");
}

void check_values(const std::string& who, const RuleInfo& rule, const double* values) {
  for (int k = 0; k < rule.hyper_count; ++k) {
    const HyperInfo& hyper = rule.hyper[k];
    const auto& [low, high, low_open, high_open, integer, text] = hyper.range;
    const double value = values[k];
    const bool inside = (low_open ? low < value : low <= value) && (high_open ? value < high : value <= high);
    if (!inside || (integer && std::floor(value) != value))
      fail(PyExc_ValueError, who + ": " + hyper.name + " must " + text + ", got " + std::to_string(value));
  }
  constexpr double kLargest = 9007199254740992;  // 2**53: what a double counts to
  for (int k = 0; k < rule.scalar_count; ++k) {
    const double value = values[rule.hyper_count + k];
    if (!(std::fabs(value) <= kLargest))
      fail(PyExc_ValueError,
           who + ": " + rule.scalars[k].name + " must be finite and at most 2**53, got " + std::to_string(value));
  }
}

namespace {

void set_indices(Item& item, const std::string& what, const py::handle& indices) {
  if (!py::isinstance<py::array>(indices)) fail(PyExc_TypeError, what + " must be a NumPy array");
  const auto array = py::reinterpret_borrow<py::array>(indices);
  if (array.dtype().kind() != 'i' || (array.itemsize() != 4 && array.itemsize() != 8) || array.ndim() != 1)
    fail(PyExc_TypeError, what + " must be a 1-D int32 or int64 array");
  std::int64_t gap = 0;
  const View view = view_rows(indices, what, ItemType{'i', array.itemsize()}, gap);
  if (view.size >= (std::int64_t{1} << 32)) fail(PyExc_ValueError, what + " must be fewer than 2**32");
  item.indices = view.data;
  item.wide_indices = array.itemsize() == 8;
  item.index_step = 1 + gap;
  item.batch = view.size;
  const auto check = [&]<class Index>(const Index* data) {
    check_rows(what, Indices<Index>{data, item.batch, item.index_step}, item.args.rows);
  };
  if (item.wide_indices)
    check(static_cast<const std::int64_t*>(item.indices));
  else
    check(static_cast<const std::int32_t*>(item.indices));
}

void set_gradient(Item& item, const std::string& who, const py::handle& gradient, const py::handle& indices,
                  bool wide_gradient) {
  item.args.wide_gradient = wide_gradient && stored_bytes(item.dtype) == 2;
  const ItemType type = item.args.wide_gradient ? slot_type(item.dtype) : stored_type(item.dtype);
  const View values = view_rows(gradient, who + ": gradient", type, item.args.row_gap);
  item.args.gradient = values.data;
  std::int64_t rows = item.args.rows;
  if (!indices.is_none()) {
    set_indices(item, who + ": indices", indices);
    rows = item.batch;
  }
  if (values.size != rows * item.args.width)
    fail(PyExc_ValueError, who + ": gradient must have " + std::to_string(rows * item.args.width) + " elements, got " +
                               std::to_string(values.size));
}

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
  py::object parameter, gradient, indices;
  std::vector<py::object> slots;
  py::object history;     // null: none
  bool unscaled = false;  // a rule with a ratio leaves it out
};

// (job, name, dtype, parameter, slots, gradient, indices or None, gradient is float32[, history or None[, unscaled]])
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
  taken.indices = tuple[6];
  taken.wide_gradient = py::cast<bool>(tuple[7]);
  if (tuple.size() > 8 && !tuple[8].is_none()) taken.history = tuple[8];
  if (tuple.size() > 9) taken.unscaled = py::cast<bool>(tuple[9]);
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
  set_gradient(item, name, taken.gradient, taken.indices, taken.wide_gradient);
  if (taken.history) set_step_history(item, rule, name, taken.history);
  item.unscaled = taken.unscaled;
  return item;
}

// What one rule does in a step: its numbers, and the hooks of its items alone.
struct Job {
  const RuleInfo* rule;
  std::vector<double> values;
  py::sequence hooks;
};

// (rule, values, hooks)
Job to_job(const std::string& who, const py::handle& object) {
  const auto tuple = py::cast<py::tuple>(object);
  if (tuple.size() != 3) fail(PyExc_ValueError, "_core: job must be a tuple of 3");
  Job job{&find_rule(py::cast<std::string>(tuple[0])), py::cast<std::vector<double>>(tuple[1]), tuple[2]};
  if (int(job.values.size()) != job.rule->hyper_count + job.rule->scalar_count)
    fail(PyExc_ValueError, who + ": values must be one for each hyper-parameter and scalar of the rule");
  check_values(who, *job.rule, job.values.data());
  return job;
}

// Returns -1, or the position of the item whose gradient is not finite where a hook asked for that; then nothing
// has changed.
std::int64_t apply(const std::string& who, const py::sequence& jobs, const py::sequence& items,
                   const py::sequence& hooks, const py::sequence& advance, const py::sequence& changed) {
  std::vector<const RuleInfo*> rules;
  std::vector<const double*> values;
  std::vector<Job> list_of_jobs;
  list_of_jobs.reserve(py::len(jobs));
  for (const py::handle& object : jobs) {
    const Job& job = list_of_jobs.emplace_back(to_job(who, object));
    rules.push_back(job.rule);
    values.push_back(job.values.data());
  }
  std::vector<std::size_t> counts(rules.size());
  const std::vector<TakenItem> taken = take_items(who, items, counts);
  std::vector<HookList> chains;
  chains.emplace_back(hooks, taken.size());
  for (std::size_t k = 0; k < rules.size(); ++k) chains.emplace_back(list_of_jobs[k].hooks, counts[k]);
  Commit commit;
  commit.advance(advance);
  for (const py::handle& variable : changed) commit.changed(variable.ptr());
  std::vector<Item> list;
  list.reserve(taken.size());
  std::set<const StepHistory*> histories;
  for (const TakenItem& each : taken) {
    list.push_back(to_item(*rules[std::size_t(each.job)], each));
    if (const StepHistory* history = list.back().history; history != nullptr && !histories.insert(history).second)
      fail(PyExc_ValueError, who + ": items must not share a history");
  }
  std::int64_t bad = -1;
  {
    const GilRelease release;  // all of this works on memory that `taken` keeps alive
    Plan plan(kernels(), std::move(list), std::move(rules));
    for (std::size_t k = 0; k < chains.size() && bad < 0; ++k) bad = plan.resolve(chains[k].hooks(), int(k) - 1);
    if (bad < 0) plan.run(values);
  }
  if (bad < 0) commit.make();
  for (HookList& chain : chains) chain.show();
  return bad;
}

// Advances scalars and marks Variables as changed, all or nothing.
void advance(const py::sequence& scalars, const py::sequence& changed) {
  Commit commit;
  commit.advance(scalars);
  for (const py::handle& variable : changed) commit.changed(variable.ptr());
  commit.make();
}

constexpr std::int64_t kMostElements = std::int64_t{1} << 62;

// A gradient without a parameter, taken as a TakenItem is.
struct TakenGradient {
  DType dtype{};
  py::object values, indices;
  std::int64_t rows = 0;
};

// (dtype, values, indices or None, rows)
TakenGradient take_gradient(const py::handle& object) {
  const py::tuple tuple(py::reinterpret_borrow<py::object>(object));
  if (tuple.size() != 4) fail(PyExc_ValueError, "_core: gradient must be a tuple of 4");
  TakenGradient taken{to_dtype(py::cast<int>(tuple[0])), tuple[1], tuple[2], 0};
  if (!taken.indices.is_none()) taken.rows = py::cast<std::int64_t>(tuple[3]);
  return taken;
}

Item to_gradient(const std::string& who, const TakenGradient& taken) {
  Item item;
  item.dtype = taken.dtype;
  const View values = view_rows(taken.values, who + ": gradient", stored_type(item.dtype), item.args.row_gap);
  item.args.rows = taken.indices.is_none() ? values.rows : taken.rows;
  item.args.width = values.width;
  // No array bounds the rows here: their elements must have numbers, since a norm counts them from the first.
  const std::int64_t most = kMostElements / std::max<std::int64_t>(1, values.width);
  if (item.args.rows < 0 || item.args.rows > most)
    fail(PyExc_ValueError, who + ": indices must be below " + std::to_string(most) + " for rows of " +
                               std::to_string(values.width) + " elements, got " + std::to_string(item.args.rows - 1));
  set_gradient(item, who, taken.values, taken.indices, false);
  return item;
}

double common_norm(const std::string& who, const py::sequence& gradients) {
  std::vector<TakenGradient> taken;
  taken.reserve(py::len(gradients));
  for (const py::handle& object : gradients) taken.push_back(take_gradient(object));
  std::vector<Item> items;
  items.reserve(taken.size());
  for (const TakenGradient& each : taken) items.push_back(to_gradient(who, each));
  const GilRelease release;
  return combine_norms(Plan(kernels(), std::move(items)).norms());
}

void transform(int dtype, const py::handle& gradient, const py::handle& out, const py::sequence& hooks) {
  std::vector<GradientOp> ops;
  const HookList list(hooks, 1);
  for (const Hook& hook : list.hooks()) {
    if (hook.kind != Hook::clip_by_value && hook.kind != Hook::clip_by_norm)
      fail(PyExc_ValueError, "_core: transform must be a clamp or a scale");
    ops.push_back({hook.kind == Hook::clip_by_value ? GradientOp::clamp : GradientOp::scale, hook.a, hook.b});
  }
  UpdateArgs args{};
  const View in = view_rows(gradient, "_core: gradient", stored_type(to_dtype(dtype)), args.row_gap);
  const View to = view(out, "_core: out", stored_type(to_dtype(dtype)), true);
  if (in.size != to.size) fail(PyExc_ValueError, "_core: out must have as many elements as the gradient");
  args.gradient = in.data;
  args.rows = 1;
  args.width = in.size;
  args.ops = ops.data();
  args.op_count = int(ops.size());
  Grouping rows;
  if (args.row_gap != 0) {
    rows = all_rows(in.rows);
    args.rows = in.rows;
    args.width = in.width;
    args.groups = &rows.groups();
  }
  const py::object owner = py::reinterpret_borrow<py::array>(out).base();
  const bool cold = owner && py::isinstance<Allocation>(owner) && py::cast<const Allocation&>(owner).cold();
  const GilRelease release;
  transform_gradient(kernels(), to_dtype(dtype), args, to.data, cold);
}

// The unique rows of a batch, ascending, and their summed values.
py::tuple sum_duplicates(const std::string& who, int dtype, const py::array& values, const py::object& indices,
                         std::int64_t rows) {
  if (values.ndim() < 1 || indices.is_none()) fail(PyExc_ValueError, "_core: values must be rows, one for each index");
  Item item = to_gradient(who, {to_dtype(dtype), values, indices, rows});
  // What describes the result is read before other threads run: one may change the shape of an array in place.
  std::vector<py::ssize_t> shape(values.shape(), values.shape() + values.ndim());
  const py::dtype type = values.dtype();
  {
    const GilRelease release;
    const auto grouped = [&]<class Index>(const Index* data) {
      return coalesce(Indices<Index>{data, item.batch, item.index_step}, rows);
    };
    item.grouping = item.wide_indices ? grouped(static_cast<const std::int64_t*>(item.indices))
                                      : grouped(static_cast<const std::int32_t*>(item.indices));
  }
  item.groups = item.grouping.groups();
  item.args.groups = &item.groups;
  shape[0] = py::ssize_t(item.groups.count);
  py::array unique(py::dtype::of<std::int64_t>(), {py::ssize_t(item.groups.count)}, item.groups.rows);
  py::array summed(type, shape);
  void* const out = summed.mutable_data();
  {
    const GilRelease release;
    transform_gradient(kernels(), item.dtype, item.args, out);
  }
  return py::make_tuple(unique, summed);
}

}  // namespace

void bind_update(py::module_& m) {
  m.def("apply", &apply, py::arg("who"), py::arg("jobs"), py::arg("items"), py::arg("hooks"), py::arg("advance"),
        py::arg("changed"),
        "Update every item and advance scalars in one call; all checks come before the first write.");
  m.def("advance", &advance, py::arg("advance"), py::arg("changed"),
        "Advance scalars, and mark Variables as changed: all, or on any error none.");
  m.def("common_norm", &common_norm, py::arg("who"), py::arg("gradients"),
        "The Euclidean norm of all of (dtype, values, indices or None, rows) together, duplicates summed.");
  m.def("transform", &transform, py::arg("dtype"), py::arg("gradient"), py::arg("out"), py::arg("hooks"),
        "out = the gradient clamped or scaled.");
  m.def("sum_duplicates", &sum_duplicates, py::arg("who"), py::arg("dtype"), py::arg("values"), py::arg("indices"),
        py::arg("rows"), "The unique rows, ascending, and the sums of their values in batch order.");
}

}  // namespace steepest::bind
