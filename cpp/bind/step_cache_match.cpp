// Whether a step is like the remembered one.
#include <algorithm>

#include "array_view.hpp"
#include "list_items.hpp"
#include "step_cache.hpp"

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

}  // namespace

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
      item.bags = nullptr;
      item.weights = nullptr;
      if (!match_values(item, parameter, pair[0], -1)) return false;
    } else if (is_slices(pair[0])) {
      item.bags = nullptr;
      item.weights = nullptr;
      if (!match_slices(item, parameter, indices_of(pair[0]), values_of(pair[0]), check_rows)) return false;
    } else if (!is_bags(pair[0]) || !match_bags(item, parameter, pair[0], check_rows)) {
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

bool StepCache::match_bags(Item& item, const ArrayFields* parameter, PyObject* bags, bool check_rows) {
  PyObject* const* const parts = parts_of(bags);
  if (parts == nullptr || !is_array(parts[0])) return false;
  item.bags = nullptr;
  item.weights = nullptr;
  if (parts[2] != Py_None) {
    if (!is_array(parts[2])) return false;
    const ArrayFields* const weights = fields_of(parts[2]);
    if (weights->nd != 1 || weights->descr != fields_of(parts[0])->descr || !is_plain(weights, false)) return false;
    item.weights = weights->data;
    arrays_.push_back(parts[2]);
  }
  if (parts[1] != Py_None) {
    if (!is_array(parts[1])) return false;
    const ArrayFields* const places = fields_of(parts[1]);
    if (places->nd != 1 || places->descr != types.descriptor(NumpyType::i32) || !is_plain(places, false)) return false;
    item.bags = reinterpret_cast<const std::int32_t*>(places->data);
    item.bag_count = fields_of(parts[0])->nd > 0 ? fields_of(parts[0])->dimensions[0] : 0;
    arrays_.push_back(parts[1]);
  }
  if (!match_slices(item, parameter, indices_of(bags), parts[0], check_rows)) return false;
  const auto fits = [&](PyObject* part) { return part == Py_None || fields_of(part)->dimensions[0] == item.batch; };
  return fits(parts[1]) && fits(parts[2]);
}

bool StepCache::match_slices(Item& item, const ArrayFields* parameter, PyObject* indices, PyObject* values,
                             bool check_rows) {
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
  return match_values(item, parameter, values, item.bags != nullptr ? item.bag_count : count);
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

}  // namespace steepest::bind
