#include "gradient_item.hpp"

#include "arguments.hpp"
#include "array_view.hpp"

namespace steepest::bind {
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

}  // namespace

void set_gradient(Item& item, const std::string& who, const py::handle& gradient, const Places& places,
                  bool wide_gradient) {
  const bool sparse = !places.indices.is_none();
  item.args.wide_gradient = wide_gradient && stored_bytes(item.dtype) == 2;
  const ItemType type = item.args.wide_gradient ? slot_type(item.dtype) : stored_type(item.dtype);
  const View values = view_rows(gradient, who + ": gradient", type, item.args.row_gap);
  item.args.gradient = values.data;
  std::int64_t rows = item.args.rows;
  if (sparse) {
    set_indices(item, who + ": indices", places.indices);
    rows = item.batch;
  }
  if (places.weights) {
    const View weights = view(places.weights, who + ": weights", type, false);
    if (!sparse || weights.size != item.batch) fail(PyExc_ValueError, who + ": weights must be one for each index");
    item.weights = weights.data;
  }
  if (places.bags) {
    const View bags = view(places.bags, who + ": bags", ItemType{'i', 4}, false);
    if (!sparse || bags.size != item.batch) fail(PyExc_ValueError, who + ": bags must be one for each index");
    item.bags = static_cast<const std::int32_t*>(bags.data);
    item.bag_count = rows = values.rows;
  }
  if (values.size != rows * item.args.width)
    fail(PyExc_ValueError, who + ": gradient must have " + std::to_string(rows * item.args.width) + " elements, got " +
                               std::to_string(values.size));
}

}  // namespace steepest::bind
