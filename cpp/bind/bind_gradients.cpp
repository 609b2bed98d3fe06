// Gradients without a parameter: common_norm, transform, sum_duplicates.
#include <algorithm>

#include "arguments.hpp"
#include "array_view.hpp"
#include "bind.hpp"
#include "gil.hpp"
#include "gradient_item.hpp"
#include "steepest/runtime/allocation.hpp"
#include "steepest/runtime/isa_select.hpp"
#include "steepest/runtime/plan.hpp"

namespace steepest::bind {
namespace {

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
  if (item.args.rows < 0)
    fail(PyExc_ValueError, "_core: rows must be at least 0, got " + std::to_string(item.args.rows));
  if (item.args.rows > most)
    fail(PyExc_ValueError, who + ": indices must be below " + std::to_string(most) + " for rows of " +
                               std::to_string(values.width) + " elements, got " + std::to_string(item.args.rows - 1));
  set_gradient(item, who, taken.values, {taken.indices, {}, {}}, false);
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

void bind_gradients(py::module_& m) {
  m.def("common_norm", &common_norm, py::arg("who"), py::arg("gradients"),
        "The Euclidean norm of all of (dtype, values, indices or None, rows) together, duplicates summed.");
  m.def("transform", &transform, py::arg("dtype"), py::arg("gradient"), py::arg("out"), py::arg("hooks"),
        "out = the gradient clamped or scaled.");
  m.def("sum_duplicates", &sum_duplicates, py::arg("who"), py::arg("dtype"), py::arg("values"), py::arg("indices"),
        py::arg("rows"), "The unique rows, ascending, and the sums of their values in batch order.");
}

}  // namespace steepest::bind
