// Repeated steps: one native call reads the list, compares it with the remembered one, and updates.
#include <array>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "bind.hpp"
#include "guarded.hpp"
#include "step_cache.hpp"

namespace steepest::bind {
namespace {

constexpr const char* kCapsule = "steepest.step_cache";
constexpr std::int64_t kOther = -2;

StepCache& step_cache(const py::capsule& work) {
  void* const pointer = PyCapsule_GetPointer(work.ptr(), kCapsule);
  if (pointer == nullptr) throw py::error_already_set();
  return *static_cast<StepCache*>(pointer);
}

py::object remember(const std::vector<std::string>& rules, const py::list& targets, const py::object& pairs,
                    const py::list& slots) {
#if defined(PYPY_VERSION) || defined(Py_GIL_DISABLED)
  return py::none();  // match() relies on CPython's layout, and on the GIL
#endif
  std::vector<const RuleInfo*> infos;
  for (const std::string& rule : rules) infos.push_back(&find_rule(rule));
  std::vector<PyObject*> dicts;
  for (const py::handle& dict : slots) dicts.push_back(dict.ptr());
  if (dicts.size() != infos.size()) fail(PyExc_ValueError, "_core: slots must be one dict for each rule");
  std::unique_ptr<StepCache> work = StepCache::make(std::move(infos), targets, pairs);
  if (!work || !work->match(pairs.ptr(), dicts.data(), false)) return py::none();
  return py::capsule(work.release(), kCapsule, [](void* pointer) { delete static_cast<StepCache*>(pointer); });
}

// What one job of a step is given.
struct RepeatedJob {
  PyObject *slots, *numbers, *powers, *hooks;
  std::array<double, kMostValues> values;

  // False where a power is not what it was.
  bool read(const RuleInfo& rule) {
    if (!PyList_CheckExact(numbers) || !PyTuple_CheckExact(powers))
      fail(PyExc_TypeError, "_core: values must be a list, and powers a tuple");
    const Py_ssize_t first = PyList_GET_SIZE(numbers), count = first + PyTuple_GET_SIZE(powers);
    if (count != rule.hyper_count + rule.scalar_count || count > Py_ssize_t(values.size())) return false;
    for (Py_ssize_t k = 0; k < first; ++k) values[std::size_t(k)] = number(PyList_GET_ITEM(numbers, k));
    for (Py_ssize_t k = first; k < count; ++k) {
      PyObject* const* const pair = power(k - first);
      if (pair[1] == Py_None) {
        const std::int64_t* const steps = scalar_of<std::int64_t>(pair[0], NumpyType::i64);
        if (steps == nullptr || *steps < 0) return false;
        values[std::size_t(k)] = double(*steps);
        continue;
      }
      const double* const value = scalar_of<double>(pair[0], NumpyType::f64);
      if (value == nullptr) return false;
      values[std::size_t(k)] = *value;
    }
    check_values("apply_gradients", rule, values.data());
    return true;
  }

  void advance(Commit& commit) const {
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(powers); ++k)
      if (PyObject* const* const pair = power(k); pair[1] == Py_None)
        commit.count(pair[0]);
      else
        commit.multiply(pair[0], number(pair[1]));
  }

 private:
  static double number(PyObject* object) {
    const double value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred()) throw py::error_already_set();
    return value;
  }
  PyObject* const* power(Py_ssize_t k) const {
    PyObject* const pair = PyTuple_GET_ITEM(powers, k);
    if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) fail(PyExc_TypeError, "_core: power must be a pair");
    return PySequence_Fast_ITEMS(pair);
  }
};

// All spans are as long as the work list has jobs.
std::int64_t repeat_jobs(StepCache& work, PyObject* pairs, std::span<RepeatedJob> jobs, std::span<PyObject*> dicts,
                         std::span<const double*> values, PyObject* hooks, PyObject* step, PyObject* advance) {
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (!jobs[k].read(*work.rules()[k])) return kOther;
    dicts[k] = jobs[k].slots;
    values[k] = jobs[k].values.data();
  }
  HookList common(hooks, work.count());
  std::vector<HookList> own;
  if (jobs.size() > 1)
    for (std::size_t k = 0; k < jobs.size(); ++k) own.emplace_back(jobs[k].hooks, work.count(k));
  if (!work.match(pairs, dicts.data(), false)) return kOther;
  Commit commit;
  for (const RepeatedJob& job : jobs) job.advance(commit);
  if (step != Py_None && !commit.count(step)) return kOther;
  commit.advance(advance);
  const std::int64_t bad = work.update(values, common, own, commit);
  if (bad == StepCache::kOutOfRange) return kOther;  // Python says which index, and of which variable
  common.show();
  for (HookList& hooks_of_job : own) hooks_of_job.show();
  return bad;
}

// (work, pairs, slots, values, powers, hooks, step, advance). Of several jobs, slots, values and powers are tuples, and
// hooks a tuple of those of all and then of each job.
std::int64_t repeat(PyObject* const* args) {
  void* const pointer = PyCapsule_GetPointer(args[0], kCapsule);
  if (pointer == nullptr) throw py::error_already_set();
  StepCache& work = *static_cast<StepCache*>(pointer);
  const std::size_t count = work.rules().size();
  if (count == 1) {  // without vectors: this is the way of small steps
    RepeatedJob job{args[2], args[3], args[4], nullptr, {}};
    PyObject* dict = nullptr;
    const double* values = nullptr;
    return repeat_jobs(work, args[1], {&job, 1}, {&dict, 1}, {&values, 1}, args[5], args[6], args[7]);
  }
  for (int k = 2; k < 6; ++k)
    if (!PyTuple_CheckExact(args[k]) || std::size_t(PyTuple_GET_SIZE(args[k])) != count + (k == 5)) return kOther;
  std::vector<RepeatedJob> jobs;
  for (std::size_t k = 0; k < count; ++k) {
    const auto at = Py_ssize_t(k);
    jobs.push_back({PyTuple_GET_ITEM(args[2], at),
                    PyTuple_GET_ITEM(args[3], at),
                    PyTuple_GET_ITEM(args[4], at),
                    PyTuple_GET_ITEM(args[5], at + 1),
                    {}});
  }
  std::vector<PyObject*> dicts(count);
  std::vector<const double*> values(count);
  return repeat_jobs(work, args[1], jobs, dicts, values, PyTuple_GET_ITEM(args[5], 0), args[6], args[7]);
}

// Called by the interpreter itself: of the smallest steps, pybind11's conversion of arguments is a tenth.
PyObject* repeat_fast(PyObject*, PyObject* const* args, Py_ssize_t count) noexcept {
  return guarded([&] {
    if (count != 8) fail(PyExc_TypeError, "_core: repeat takes 8 arguments, got " + std::to_string(count));
    return py::int_(repeat(args));
  });
}

PyMethodDef repeat_method = {
    "repeat", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&repeat_fast)), METH_FASTCALL,
    "repeat(work, pairs, slots, values, powers, hooks, step, advance)\n\n"
    "Update the remembered list and advance scalars: -1, -2 for another list, or where a gradient is not finite.\n\n"
    "Of powers, pairs of a float64 scalar Variable and a number or an int64 one and None, the Variables follow the "
    "values and are multiplied, or counted. Of several jobs, slots, values and powers are tuples, and hooks those of "
    "all "
    "and then of each job."};

bool matches(const py::capsule& work, const py::object& pairs, const py::tuple& slots) {
  StepCache& list = step_cache(work);
  if (slots.size() != list.rules().size()) return false;
  return list.match(pairs.ptr(), PySequence_Fast_ITEMS(slots.ptr()), true);
}

bool is_counter(const py::object& step) {
  return scalar_of<std::int64_t>(step.ptr(), NumpyType::i64) != nullptr ||
         scalar_of<std::int32_t>(step.ptr(), NumpyType::i32) != nullptr;
}

bool same_values(const py::dict& dict, const py::tuple& values) {
  if (dict.size() != values.size()) return false;
  Py_ssize_t position = 0;
  PyObject *key, *value;
  for (Py_ssize_t k = 0; PyDict_Next(dict.ptr(), &position, &key, &value); ++k)
    if (value != PyTuple_GET_ITEM(values.ptr(), k)) return false;
  return true;
}

}  // namespace

void bind_step_cache(py::module_& m) {
  m.def("register_types", &register_types, py::arg("variable"), py::arg("slices"), py::arg("bags"),
        "Say which classes are Variable, IndexedSlices and BagSlices; they must have slots for their attributes.");
  m.def("remember", &remember, py::arg("rules"), py::arg("targets"), py::arg("pairs"), py::arg("slots"),
        "Return what matches() and repeat() need to know a list again, or None where they could not.");
  m.def("matches", &matches, py::arg("work"), py::arg("pairs"), py::arg("slots"),
        "Tell whether the pairs are the remembered ones, with gradients that kernels take as they are.");
  m.add_object("repeat", py::reinterpret_steal<py::object>(PyCFunction_NewEx(&repeat_method, nullptr, nullptr)));
  m.def("is_counter", &is_counter, py::arg("step"), "Tell whether this is a step that repeat() can count.");
  m.def("same_values", &same_values, py::arg("dict"), py::arg("values"),
        "Tell whether a dict has these very objects as values, in this order.");
  m.def(
      "owner_of",
      [](const py::array& array) {
        py::object owner = owner_of(array.ptr());
        if (!owner) throw py::error_already_set();
        return owner;
      },
      py::arg("array"),
      "The object whose life is that of an array's memory: the last base that is an array, or what lies under it.");
}

}  // namespace steepest::bind
