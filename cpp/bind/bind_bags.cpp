// combine_rows: the rows of many tables, summed by bags, side by side in one array.
#include <string>
#include <vector>

#include "array_view.hpp"
#include "bind.hpp"
#include "fields.hpp"
#include "gil.hpp"
#include "steepest/runtime/bags.hpp"

namespace steepest::bind {
namespace {

// One table's part, as Python gives it: (table, ids, offsets or None, weights or None, divisors or None).
BagLookup to_lookup(const py::handle& object, DType dtype, std::int64_t bags) {
  const auto part = py::cast<py::tuple>(object);
  if (part.size() != 5) fail(PyExc_ValueError, "_core: lookup must be a tuple of 5");
  const View table = view(part[0], "_core: table", stored_type(dtype), false);
  BagLookup lookup{};
  lookup.args.table = table.data;
  lookup.args.width = table.width;
  lookup.table_rows = table.rows;
  lookup.bags = bags;
  const auto ids = py::cast<py::array>(part[1]);
  const std::int64_t bytes = ids.itemsize();
  const bool flat = !part[2].is_none();
  if (ids.dtype().kind() != 'i' || (bytes != 4 && bytes != 8) || ids.ndim() != (flat ? 1 : 2))
    fail(PyExc_TypeError, "_core: ids must be int32 or int64, a matrix or flat");
  if ((ids.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0)
    fail(PyExc_ValueError, "_core: ids must be aligned");
  for (int axis = 0; axis < ids.ndim(); ++axis)
    if (ids.strides(axis) % bytes != 0) fail(PyExc_ValueError, "_core: ids must lie whole ids apart");
  lookup.wide_ids = bytes == 8;
  lookup.ids = ids.data();
  lookup.count = ids.size();
  lookup.id_step = ids.strides(flat ? 0 : 1) / bytes;
  if (flat) {
    const View offsets = view(part[2], "_core: offsets", kInt64, false);
    const auto* const at = static_cast<const std::int64_t*>(offsets.data);
    bool fits = offsets.size == bags + 1 && at[0] == 0 && at[bags] == lookup.count;
    for (std::int64_t b = 0; fits && b < bags; ++b) fits = at[b] <= at[b + 1];
    if (!fits) fail(PyExc_ValueError, "_core: offsets must go from 0 to the number of ids");
    lookup.args.offsets = at;
  } else {
    if (ids.shape(0) != bags) fail(PyExc_ValueError, "_core: ids must have a row for each bag");
    lookup.args.length = ids.shape(1);
    lookup.bag_step = ids.strides(0) / bytes;
  }
  const auto numbers = [&](const py::handle& array, const char* what, std::int64_t count) -> const void* {
    if (array.is_none()) return nullptr;
    const View values = view(array, what, slot_type(dtype), false);
    if (values.size != count) fail(PyExc_ValueError, std::string(what) + " must be one for each");
    return values.data;
  };
  lookup.args.weights = numbers(part[3], "_core: weights", lookup.count);
  lookup.args.divisors = numbers(part[4], "_core: divisors", bags);
  return lookup;
}

// Returns None, or (table, position, id) of an id that is no row.
py::object combine(int dtype_code, const py::list& parts, const py::array& out, const py::array& rows) {
  const DType dtype = to_dtype(dtype_code);
  const View result = view(out, "_core: out", stored_type(dtype), true);
  const View taken = view(rows, "_core: rows", kInt64, true);
  const py::tuple held(parts);  // what another thread takes off the list stays alive
  std::vector<BagLookup> lookups;
  std::int64_t column = 0, count = 0;
  for (const py::handle& part : held) {
    BagLookup& lookup = lookups.emplace_back(to_lookup(part, dtype, result.rows));
    lookup.args.out = static_cast<std::byte*>(result.data) + column * stored_bytes(dtype);
    lookup.args.out_stride = result.width;
    if (count + lookup.count > taken.size) fail(PyExc_ValueError, "_core: rows must hold all ids");
    lookup.rows = static_cast<std::int64_t*>(taken.data) + count;
    lookup.args.rows = lookup.rows;
    column += lookup.args.width;
    count += lookup.count;
  }
  if (out.ndim() != 2 || column != result.width) fail(PyExc_ValueError, "_core: out must be as wide as all tables");
  BadId bad;
  {
    const GilRelease release;
    bad = combine_rows(dtype, lookups);
  }
  if (bad.table < 0) return py::none();
  return py::make_tuple(bad.table, bad.position, bad.id);
}

}  // namespace

void bind_bags(py::module_& m) {
  m.def("combine_rows", &combine, py::arg("dtype"), py::arg("lookups"), py::arg("out"), py::arg("rows"),
        "out = sums of rows of tables, side by side; rows = the ids. None, or (table, position, id) of a bad one.");
}

}  // namespace steepest::bind
