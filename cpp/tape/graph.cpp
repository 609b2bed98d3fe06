#include "graph.hpp"

#include <algorithm>

namespace steepest::tape {
namespace {

std::uint64_t searches = 0;

}  // namespace

Graph::Graph(const py::list& targets, const py::list& sources, const py::list& intervals, const py::object& watched,
             const py::object& constants)
    : constants_(PySet_Size(constants.ptr()) > 0 ? constants : py::object()), id_(++searches) {
  if (PyErr_Occurred()) throw py::error_already_set();
  for (const py::handle& target : targets)
    if (!PyObject_TypeCheck(target.ptr(), registered.tensor)) throw py::type_error("_core: targets must be Tensors");
  for (const py::handle& interval : intervals) {
    const auto [first, last] = interval.cast<std::pair<double, double>>();
    intervals_.emplace_back(first, last);
  }
  search(targets);
  std::vector<std::pair<bool, Place>> places;  // of the sources that have been met; asked before another search begins
  for (const py::handle& source : sources) {
    const Tensor* const tensor = is_tensor(source.ptr()) ? as_tensor(source.ptr()) : nullptr;
    const bool met = tensor != nullptr && tensor->search == id_;
    places.emplace_back(met, met ? tensor->place : 0);
  }
  check_unchanged(false);
  find_ends(sources, places, watched);
  find_needed();
  check_unchanged(true);
}

// Searching runs no Python code, so that no other search comes between: a tensor's mark of having been met holds.

bool Graph::is_recorded(const Tensor* tensor) const {
  if (primitive_of(tensor) == nullptr) return false;
  const auto number = double(tensor->number);
  return std::any_of(intervals_.begin(), intervals_.end(),
                     [=](const auto& interval) { return interval.first <= number && number < interval.second; });
}

Graph::Place Graph::reach(PyObject* object) {
  Tensor* const tensor = as_tensor(object);
  if (tensor->search == id_) return tensor->place;
  tensor->search = id_;
  tensor->place = Place(tensors_.size());
  tensors_.push_back(borrowed(object));
  const bool operation = is_recorded(tensor) && !(constants_ && contains(constants_.ptr(), object));
  (operation ? waiting_ : leaves_).push_back(tensor->place);
  is_leaf_.push_back(!operation);
  return tensor->place;
}

void Graph::search(const py::list& targets) {
  for (const py::handle& target : targets) roots_.push_back(reach(target.ptr()));
  while (!waiting_.empty()) {
    const Place place = waiting_.back();
    waiting_.pop_back();
    const std::size_t first = arguments_.size();
    PyObject* const args = at(place)->args;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i)
      if (PyObject* const a = PyTuple_GET_ITEM(args, i); is_tensor(a)) arguments_.push_back({Place(i), reach(a)});
    order_.push_back({place, first, arguments_.size()});
  }
  std::sort(order_.begin(), order_.end(),
            [this](const Operation& a, const Operation& b) { return at(a.place)->number > at(b.place)->number; });
}

void Graph::find_ends(const py::list& sources, const std::vector<std::pair<bool, Place>>& places,
                      const py::object& watched) {
  needed_.resize(tensors_.size());
  kept_.resize(tensors_.size());
  for (std::size_t k = 0; k < sources.size(); ++k) {
    PyObject* const source = PyList_GET_ITEM(sources.ptr(), Py_ssize_t(k));
    const auto [met, place] = places[k];
    std::vector<Place>& ends = ends_.emplace_back();
    if (!is_tensor(source)) {  // a Variable
      if (!contains(watched.ptr(), source)) continue;
      for (const Place leaf : leaves_)
        if (at(leaf)->owner == source && at(leaf)->mark != kNever) ends.push_back(leaf);
    } else if (met) {
      PyObject* const owner = as_tensor(source)->owner;
      if (!is_leaf_[place] || contains(watched.ptr(), source) || (constants_ && contains(constants_.ptr(), source)) ||
          (!is_none(owner) && contains(watched.ptr(), owner)))  // what read_value() returned
        ends.push_back(place);
    }
    for (const Place end : ends) {
      needed_[end] = true;
      kept_[end] = !is_leaf_[end];
    }
  }
}

void Graph::find_needed() {
  for (auto operation = order_.rbegin(); operation != order_.rend(); ++operation)
    for (std::size_t i = operation->first; i < operation->last; ++i)
      if (needed_[arguments_[i].place]) needed_[operation->place] = true;
}

void Graph::check_unchanged(bool constants) {
  const auto changed = [this](Place place) {
    const Tensor* const leaf = at(place);
    if (is_none(leaf->owner) || is_none(leaf->version)) return false;
    const int same = PyObject_RichCompareBool(leaf->version, bind::attribute(leaf->owner, bind::types.version), Py_EQ);
    if (same < 0) throw py::error_already_set();
    return !same;
  };
  if (!constants) {
    for (const Place leaf : leaves_)
      if (at(leaf)->mark != kNever && changed(leaf)) call(registered.changed_since, tensors_[leaf].ptr());
    return;
  }
  // A variable that no tape follows, but whose value a rule needs.
  if (std::none_of(leaves_.begin(), leaves_.end(), changed)) return;
  for (const Operation& operation : order_) {
    if (!needed_[operation.place] || primitive_of(at(operation.place))->linear) continue;
    for (std::size_t i = operation.first; i < operation.last; ++i)
      if (const Place a = arguments_[i].place; is_leaf_[a] && !needed_[a] && changed(a))
        call(registered.changed_since, tensors_[a].ptr());
  }
}

py::list Graph::listed(const std::vector<Place>& places) const {
  py::list tensors;
  for (const Place place : places) tensors.append(tensors_[place]);
  return tensors;
}

py::list Graph::order() const {
  py::list tensors;
  for (const Operation& operation : order_) tensors.append(tensors_[operation.place]);
  return tensors;
}

py::list Graph::ends() const {
  py::list all;
  for (const std::vector<Place>& places : ends_) all.append(listed(places));
  return all;
}

void Graph::release() {
  const py::object nothing = checked(PyTuple_New(0));
  for (const Operation& operation : order_) {
    Tensor* const node = at(operation.place);
    const py::object args =
        py::reinterpret_steal<py::object>(std::exchange(node->args, borrowed(nothing.ptr()).release().ptr()));
    const py::object primitive = py::reinterpret_steal<py::object>(std::exchange(node->primitive, nullptr));
    node->mark = kNever;
  }
}

}  // namespace steepest::tape
