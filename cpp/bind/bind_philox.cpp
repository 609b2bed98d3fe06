// Random words of a key and a counter.
#include "array_view.hpp"
#include "bind.hpp"
#include "gil.hpp"
#include "steepest/runtime/philox.hpp"

namespace steepest::bind {
namespace {

constexpr ItemType kWord{'u', 4};

void fill(std::uint64_t key, std::uint64_t low, std::uint64_t high, std::int64_t blocks, std::uint64_t skip,
          const py::handle& out) {
  const View words = view(out, "_core: out", kWord, true);
  if (blocks < 1 || words.size % 4 != 0 || words.size / 4 % blocks != 0)
    fail(PyExc_ValueError, "_core: out must have four words for each block of each group");
  const GilRelease release;
  philox_words(key, {low, high}, words.size / 4 / blocks, blocks, skip, static_cast<std::uint32_t*>(words.data));
}

}  // namespace

void bind_philox(py::module_& m) {
  m.def("philox_words", &fill, py::arg("key"), py::arg("low"), py::arg("high"), py::arg("blocks"), py::arg("skip"),
        py::arg("out"), "Fills an array with the words that Philox makes of a key, and of counters in groups.");
}

}  // namespace steepest::bind
