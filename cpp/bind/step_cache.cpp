#include "step_cache.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "array_view.hpp"
#include "gil.hpp"
#include "steepest/runtime/isa_select.hpp"

namespace steepest::bind {
namespace {

// Only compared with an object that is alive.
PyObject* referent(PyObject* reference) {
#if PY_VERSION_HEX >= 0x030D0000
  PyObject* object = nullptr;
  PyWeakref_GetRef(reference, &object);
  Py_XDECREF(object);
  return object;
#else
  return PyWeakref_GetObject(reference);
#endif
}

// A loop: for the few dimensions of an array it is quicker than a call of memcmp.
bool same(const Py_intptr_t* a, const Py_intptr_t* b, int count) {
  for (int k = 0; k < count; ++k)
    if (a[k] != b[k]) return false;
  return true;
}

bool same_sizes(const ArrayFields* a, const ArrayFields* b, int from) {
  return a->nd == b->nd && same(a->dimensions + from, b->dimensions + from, a->nd - from);
}

bool is_half(DType dtype) { return stored_bytes(dtype) == 2; }

struct Items {
  PyObject* const* begin;
  Py_ssize_t count;
};

// The items of an exact list or tuple; a count of -1 for anything else.
Items items_of(PyObject* list) {
  if (PyList_CheckExact(list)) return {PySequence_Fast_ITEMS(list), PyList_GET_SIZE(list)};
  if (PyTuple_CheckExact(list)) return {PySequence_Fast_ITEMS(list), PyTuple_GET_SIZE(list)};
  return {nullptr, -1};
}

// The two items of an exact list or tuple of two; nullptr for anything else.
PyObject* const* items_of_pair(PyObject* pair) {
  const Items items = items_of(pair);
  return items.count == 2 ? items.begin : nullptr;
}

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
    else
      PyErr_Clear();  // the optimizer itself holds what takes no weak reference
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
    for (int k = 0; k < rule->slot_count; ++k)
      slot_names_.push_back(py::reinterpret_steal<py::str>(PyUnicode_InternFromString(rule->slots[k].name)));
  }
  dicts_.resize(slot_names_.size());
  counts_.resize(plan_.rules().size());
  for (const Item& item : plan_.items()) ++counts_[std::size_t(item.job)];
}

// The fields of the array behind `target` if this is the remembered parameter in the same place, else nullptr.
const ArrayFields* StepCache::Entry::match(PyObject* target) const {
  PyObject* array = target;
  PyObject* object = target;  // whose life is the parameter's
  py::object under;
  if (variable) {
    if (!is_variable(target) || is_pending(target)) return nullptr;
    array = array_of(target);
    if (array == nullptr) return nullptr;
  } else {
    if (!is_array(target)) return nullptr;
    if (fields_of(target)->base != nullptr) {
      under = owner_of(target);
      if (!under) PyErr_Clear();
      object = under.ptr();
    }
  }
  if (object != (weak ? referent(owner.ptr()) : owner.ptr())) return nullptr;
  const ArrayFields* const fields = fields_of(array);
  const bool as_before = fields->data == data && fields->nd == dimensions && fields->descr == descriptor.ptr() &&
                         is_plain(fields, true) && same(fields->dimensions, extents, dimensions) &&
                         same(fields->strides, extents + dimensions, dimensions);
  return as_before ? fields : nullptr;
}

bool StepCache::match(PyObject* pairs, PyObject* const* slots, bool check_rows) {
  const Items list = items_of(pairs);
  if (busy_ || list.count != length_) return false;
  for (std::size_t job = 0; job < counts_.size(); ++job) {
    if (!PyDict_CheckExact(slots[job])) return false;
    const std::size_t end = first_slot_[job] + std::size_t(rules()[job]->slot_count);
    for (std::size_t k = first_slot_[job]; k < end; ++k) {
      dicts_[k] = PyDict_GetItemWithError(slots[job], slot_names_[k].ptr());
      if (dicts_[k] == nullptr || !PyDict_CheckExact(dicts_[k])) return false;
    }
  }
  arrays_.clear();
  variables_.clear();
  work_ = 0;
  std::size_t next = 0;
  for (Py_ssize_t position = 0; position < length_; ++position) {
    PyObject* const* const pair = items_of_pair(list.begin[position]);
    if (pair == nullptr) return false;
    const bool expected = next < entries_.size() && entries_[next].position == position;
    if (pair[0] == Py_None) {
      // The variable is not updated, but a graph's variable here would mean a graph update.
      if (expected || !(is_array(pair[1]) || is_variable(pair[1]))) return false;
      continue;
    }
    if (!expected) return false;
    const Entry& entry = entries_[next];
    Item& item = plan_.items()[next++];
    const ArrayFields* const parameter = entry.match(pair[1]);
    if (parameter == nullptr) return false;
    if (is_array(pair[0])) {
      item.indices = nullptr;
      if (!match_values(item, parameter, pair[0], -1)) return false;
    } else if (!is_slices(pair[0]) || !match_slices(item, parameter, pair[0], check_rows)) {
      return false;
    }
    if (!match_slots(item, parameter, entry.key.ptr())) return false;
    if (entry.variable) variables_.push_back(pair[1]);
    arrays_.push_back(entry.variable ? array_of(pair[1]) : pair[1]);
    work_ += work_of(item, *rules()[std::size_t(item.job)]);
  }
  return true;
}

// `rows`: the first size of a sparse gradient's values; -1: a dense gradient, in the parameter's sizes.
bool StepCache::match_values(Item& item, const ArrayFields* parameter, PyObject* values, std::int64_t rows) {
  const ArrayFields* const fields = fields_of(values);
  // A half type's gradient may be in the type of the arithmetic.
  const bool wide = is_half(item.dtype) && fields->descr == types.descriptor(NumpyType::f32);
  if (!wide && fields->descr != parameter->descr) return false;
  const std::int64_t item_bytes = wide ? 4 : stored_bytes(item.dtype);
  if (!rows_are_packed(fields, item_bytes, item.args.row_gap) || !same_sizes(fields, parameter, rows >= 0))
    return false;
  if (rows >= 0 && fields->dimensions[0] != rows) return false;
  item.args.wide_gradient = wide;
  item.args.gradient = fields->data;
  arrays_.push_back(values);
  return true;
}

bool StepCache::match_slices(Item& item, const ArrayFields* parameter, PyObject* slices, bool check_rows) {
  PyObject* const values = values_of(slices);
  PyObject* const indices = indices_of(slices);
  if (values == nullptr || indices == nullptr || parameter->nd == 0) return false;
  const ArrayFields* const fields = fields_of(indices);
  const bool wide = fields->descr == types.descriptor(NumpyType::i64);
  if (!wide && fields->descr != types.descriptor(NumpyType::i32)) return false;
  std::int64_t gap = 0;
  if (fields->nd != 1 || !rows_are_packed(fields, wide ? 8 : 4, gap)) return false;
  const std::int64_t count = fields->dimensions[0];
  if (count >= (std::int64_t{1} << 32)) return false;
  if (check_rows) {
    const auto bad = [&]<class Index>(const Index* data) {
      return first_out_of_range(Indices<Index>{data, count, 1 + gap}, item.args.rows) >= 0;
    };
    if (wide ? bad(reinterpret_cast<const std::int64_t*>(fields->data))
             : bad(reinterpret_cast<const std::int32_t*>(fields->data)))
      return false;
  }
  item.indices = fields->data;
  item.index_step = 1 + gap;
  item.wide_indices = wide;
  item.batch = count;
  arrays_.push_back(indices);
  return match_values(item, parameter, values, count);
}

bool StepCache::match_slots(Item& item, const ArrayFields* parameter, PyObject* key) {
  const RuleInfo& rule = *rules()[std::size_t(item.job)];
  PyObject* const* const dicts = dicts_.data() + first_slot_[std::size_t(item.job)];
  for (int k = 0; k < rule.slot_count; ++k) {
    PyObject* const slot = PyDict_GetItemWithError(dicts[k], key);
    if (slot == nullptr || !is_variable(slot) || is_pending(slot)) return false;
    PyObject* const array = array_of(slot);
    if (array == nullptr) return false;
    const ArrayFields* const fields = fields_of(array);
    const bool integer = rule.slots[k].kind == SlotKind::integer;
    const NumpyType kind = integer ? NumpyType::i64 : item.dtype == DType::f64 ? NumpyType::f64 : NumpyType::f32;
    if (fields->descr != types.descriptor(kind) || !is_plain(fields, true)) return false;
    if (rule.slots[k].extent == Extent::row) {
      if (fields->nd != std::min(parameter->nd, 1)) return false;
      if (fields->nd == 1 && fields->dimensions[0] != parameter->dimensions[0]) return false;
    } else if (!same_sizes(fields, parameter, 0)) {
      return false;
    }
    if (item.args.slots[k] != fields->data) plan_.slots_moved();
    item.args.slots[k] = fields->data;
    arrays_.push_back(array);
  }
  return true;
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
