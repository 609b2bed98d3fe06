#include "step_cache.hpp"

#include <stdexcept>
#include <utility>

#include "array_view.hpp"
#include "gil.hpp"
#include "list_items.hpp"
#include "steepest/runtime/isa_select.hpp"

namespace steepest::bind {
namespace {

// Keeps objects alive while a scope lasts.
class Hold {
 public:
  explicit Hold(std::vector<PyObject*> objects) : objects_(std::move(objects)) {
    for (PyObject* object : objects_) Py_INCREF(object);
  }
  ~Hold() {
    for (PyObject* object : objects_) Py_DECREF(object);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  std::vector<PyObject*> objects_;
};

}  // namespace

std::unique_ptr<StepCache> StepCache::make(std::vector<const RuleInfo*> rules, const py::list& targets,
                                           const py::handle& pairs) {
  const Items list = items_of(pairs.ptr());
  if (list.count < 0) return nullptr;
  std::vector<Entry> entries;
  std::vector<std::vector<Py_intptr_t>> extents;
  std::vector<Item> items;
  Py_ssize_t position = 0;
  for (const py::handle& object : targets) {
    const auto target = py::cast<std::tuple<int, py::object, int, py::object>>(object);
    const int job = std::get<0>(target);
    if (job < 0 || job >= int(rules.size())) fail(PyExc_ValueError, "_core: target must be of one of the jobs");
    const DType dtype = to_dtype(std::get<2>(target));
    const py::object& parameter = std::get<3>(target);
    const bool variable = is_variable(parameter.ptr());
    PyObject* const array = variable ? array_of(parameter.ptr()) : parameter.ptr();
    if (array == nullptr || !is_array(array)) return nullptr;
    const ArrayFields* const fields = fields_of(array);
    if (!is_plain(fields, true)) return nullptr;
    const View memory = view(array, "_core: parameter", stored_type(dtype), true);

    for (;; ++position) {
      if (position == list.count) return nullptr;
      PyObject* const* const pair = items_of_pair(list.begin[position]);
      if (pair == nullptr) return nullptr;
      if (pair[0] != Py_None) break;
    }
    Entry entry;
    entry.key = std::get<1>(target);
    entry.descriptor = py::reinterpret_borrow<py::object>(fields->descr);
    entry.owner = variable ? parameter : owner_of(array);
    if (!entry.owner) throw py::error_already_set();
    auto reference = py::reinterpret_steal<py::object>(PyWeakref_NewRef(entry.owner.ptr(), nullptr));
    entry.weak = bool(reference);
    if (entry.weak)
      entry.owner = std::move(reference);
    else if (PyErr_ExceptionMatches(PyExc_TypeError) != 0)
      PyErr_Clear();  // the optimizer itself holds what takes no weak reference
    else
      throw py::error_already_set();
    entry.data = fields->data;
    extents.emplace_back(fields->dimensions, fields->dimensions + fields->nd);
    extents.back().insert(extents.back().end(), fields->strides, fields->strides + fields->nd);
    entry.extents = extents.back().data();
    entry.dimensions = fields->nd;
    entry.variable = variable;
    entry.position = position++;
    entries.push_back(std::move(entry));

    Item item;
    item.job = job;
    item.dtype = dtype;
    item.args.parameter = memory.data;
    item.args.rows = memory.rows;
    item.args.width = memory.width;
    items.push_back(std::move(item));
  }
  return std::unique_ptr<StepCache>(
      new StepCache(std::move(rules), std::move(entries), std::move(extents), std::move(items), list.count));
}

StepCache::StepCache(std::vector<const RuleInfo*> rules, std::vector<Entry> entries,
                     std::vector<std::vector<Py_intptr_t>> extents, std::vector<Item> items, Py_ssize_t length)
    : entries_(std::move(entries)),
      extents_(std::move(extents)),
      length_(length),
      plan_(kernels(), std::move(items), std::move(rules)) {
  for (const RuleInfo* rule : plan_.rules()) {
    first_slot_.push_back(slot_names_.size());
    for (int k = 0; k < rule->slot_count; ++k) {
      auto name = py::reinterpret_steal<py::str>(PyUnicode_InternFromString(rule->slots[k].name));
      if (!name) throw py::error_already_set();
      slot_names_.push_back(std::move(name));
    }
  }
  dicts_.resize(slot_names_.size());
  counts_.resize(plan_.rules().size());
  for (const Item& item : plan_.items()) ++counts_[std::size_t(item.job)];
}

std::int64_t StepCache::update(std::span<const double* const> values, const HookList& hooks,
                               std::span<const HookList> own, Commit& commit) {
  const auto run = [&] {
    plan_.prepare();
    try {
      if (const std::int64_t bad = plan_.resolve(hooks.hooks()); bad >= 0) return bad;
      for (std::size_t k = 0; k < own.size(); ++k)
        if (const std::int64_t bad = plan_.resolve(own[k].hooks(), int(k)); bad >= 0) return bad;
      plan_.run(values);
    } catch (const std::out_of_range&) {
      return kOutOfRange;
    }
    return kDone;
  };
  struct Release {
    Plan& plan;
    ~Release() { plan.release(); }
  } const release_at_end{plan_};
  for (PyObject* variable : variables_) commit.changed(variable);
  std::int64_t bad = kDone;
  if (work_ < kParallelElements) {
    // With the GIL: releasing it takes longer than so small an update, if another thread takes it.
    bad = run();
  } else {
    const Hold arrays(arrays_);
    struct Busy {
      bool& flag;
      explicit Busy(bool& f) : flag(f) { flag = true; }
      ~Busy() { flag = false; }
    } const busy(busy_);
    const GilRelease release;
    bad = run();
  }
  if (bad == kDone) commit.make();
  return bad < 0 ? bad : entries_[static_cast<std::size_t>(bad)].position;
}

}  // namespace steepest::bind
