// The backward pass: gradients are carried from results to arguments, the last operation first.
#include <array>
#include <memory>

#include "arrays.hpp"
#include "graph.hpp"

namespace steepest::tape {
namespace {

// Whether a gradient has the shape and the type of its argument's value.
bool fits(PyObject* r, PyObject* x) {
  if (!is_array(r) || !is_array(x)) return false;
  const bind::ArrayFields *a = bind::fields_of(r), *b = bind::fields_of(x);
  return a->descr == b->descr && same_shape(a, b);
}

// The gradient with its argument's shape and type.
py::object fitted(const py::object& primitive, py::object r, PyObject* x) {
  if (fits(r.ptr(), x) || Py_TYPE(r.ptr()) == registered.indexed) return r;
  py::object sum = sum_of_first_axes(r.ptr(), x);
  return sum ? sum : call(registered.fitted, primitive.ptr(), r.ptr(), x);
}

// What arrives at a target for which no gradient is given: ones. Nothing for types that Python sees to.
py::object ones_like(PyObject* value) {
  const bind::ArrayFields* const fields = is_array(value) ? bind::fields_of(value) : nullptr;
  PyObject* const type = fields != nullptr ? fields->descr : type_of_number(value);
  return by_type(type, [&](auto zero) {
    using T = decltype(zero);
    py::object ones = fields != nullptr ? new_like(fields) : new_array(type, 0, nullptr);
    std::fill_n(data_of<T>(ones), size_of(bind::fields_of(ones.ptr())), T(1));
    return ones;
  });
}

// What an operation's rules are called with: g, y and the operation's arguments; the positions come before g.
class RuleArguments {
 public:
  RuleArguments(Tensor* node, const py::object& g, bool taped)
      : kwargs_(is_none(node->kwargs) ? nullptr : node->kwargs), count_(std::size_t(PyTuple_GET_SIZE(node->args))) {
    if (count_ + kFirst > few_.size()) many_ = std::make_unique<PyObject*[]>(count_ + kFirst);
    all_ = many_ ? many_.get() : few_.data();
    all_[kG] = g.ptr();
    all_[kY] = taped ? reinterpret_cast<PyObject*>(node) : node->value;
    for (std::size_t i = 0; i < count_; ++i) {
      PyObject* const a = PyTuple_GET_ITEM(node->args, i);
      all_[kFirst + i] = is_tensor(a) && !taped ? as_tensor(a)->value : a;
    }
  }

  py::object call(PyObject* rule) const { return call(rule, kG); }

  py::list call(PyObject* rule, const py::list& positions) {
    all_[kPositions] = positions.ptr();
    return call(rule, kPositions);
  }

 private:
  enum Place : std::size_t { kCallees, kPositions, kG, kY, kFirst };

  // The callee may write to the place before its first argument.
  py::object call(PyObject* rule, Place from) const {
    const std::size_t count = count_ + (kFirst - from);
    return checked(PyObject_VectorcallDict(rule, all_ + from, count | PY_VECTORCALL_ARGUMENTS_OFFSET, kwargs_));
  }

  PyObject* kwargs_;
  std::size_t count_;
  PyObject** all_;
  std::array<PyObject*, 10> few_;
  std::unique_ptr<PyObject*[]> many_;
};

}  // namespace

py::list Graph::backward(const py::list& seeds, bool taped) {
  if (seeds.size() != roots_.size()) throw py::value_error("_core: seeds must be one for each target");
  Sums sums(tensors_.size(), taped);
  for (std::size_t k = 0; k < roots_.size(); ++k) {
    const Place root = roots_[k];
    if (!needed_[root]) continue;
    PyObject* const given = PyList_GET_ITEM(seeds.ptr(), Py_ssize_t(k));
    py::object seed = given == Py_None ? ones_like(at(root)->value) : py::object();
    if (!seed) seed = call(registered.seed, tensors_[root].ptr(), given, taped ? Py_True : Py_False);
    sums.add(root, std::move(seed), at(root));
  }
  for (const Operation& operation : order_)
    if (const py::object g = sums.take(operation.place, kept_[operation.place]))
      differentiate(operation, g, taped, sums);
  py::list results;
  for (auto ends = ends_.begin(); ends != ends_.end(); ++ends)
    results.append(sums.hand_out(*ends, std::find(ends + 1, ends_.end(), *ends) == ends_.end()));
  return results;
}

// Adds the gradient of each argument, which the operation's rules make of `g`, the gradient of its result.
void Graph::differentiate(const Operation& operation, const py::object& g, bool taped, Sums& sums) const {
  Tensor* const node = at(operation.place);
  const Primitive* const primitive = primitive_of(node);
  if (primitive == nullptr) throw py::value_error("GradientTape.gradient: a rule has released the tape that asks it");
  const py::object held = borrowed(node->primitive), held_args = borrowed(node->args);  // rules may release them too
  RuleArguments arguments(node, g, taped);
  if (!is_none(primitive->vjp_argnums)) {
    py::list positions;
    std::vector<Place> places;
    for (std::size_t i = operation.first; i < operation.last; ++i)
      if (needed_[arguments_[i].place]) {
        positions.append(arguments_[i].position);
        places.push_back(arguments_[i].place);
      }
    const bool ours = is_ours(g.ptr());
    const py::list several = arguments.call(primitive->vjp_argnums, positions);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const py::object r = several[i];
      // The bags of one operation are disjoint parts of its gradient: they share what nobody else has.
      if (ours && bind::is_bags(r.ptr())) bind::set_own(r.ptr());
      add(sums, held, places[i], r);
    }
    return;
  }
  for (std::size_t i = operation.first; i < operation.last; ++i) {
    const auto [position, place] = arguments_[i];
    if (!needed_[place]) continue;
    const py::object rule = py::reinterpret_borrow<py::tuple>(primitive->vjps).size() > position
                                ? borrowed(PyTuple_GET_ITEM(primitive->vjps, position))
                                : py::none();
    if (rule.is_none()) call(registered.no_rule, held.ptr(), py::int_(position).ptr());
    add(sums, held, place, arguments.call(rule.ptr()));
  }
}

void Graph::add(Sums& sums, const py::object& primitive, Place place, py::object r) const {
  if (r.is_none()) return;
  const Tensor* const of = at(place);
  sums.add(place, fitted(primitive, std::move(r), of->value), of);
}

}  // namespace steepest::tape
