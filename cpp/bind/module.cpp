#include <pybind11/numpy.h>

#include <exception>
#include <new>

#include "bind.hpp"
#include "steepest/runtime/allocation.hpp"
#include "steepest/runtime/isa_select.hpp"
#include "steepest/runtime/pool.hpp"

// Not declared safe without the GIL: count(), repeat() and bump_version() write the fields of a Variable where they
// lie, which Python code reads and writes too, so locks on this side alone would prove nothing.
PYBIND11_MODULE(_core, m) {
  m.doc() = "The native core of steepest: update rules, norms, duplicates, threads.";
  pybind11::register_local_exception_translator([](std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const pybind11::cast_error&) {
      pybind11::set_error(PyExc_TypeError,
                          "_core: what lists hold must be of the types that the call takes, got others");
    } catch (const std::bad_alloc&) {
      pybind11::set_error(
          PyExc_MemoryError,
          "steepest: a call's work must fit into memory, got none from the system; nothing has changed");
    }
  });
  // All statics are made now: one that another thread is just making would never be ready in the child of a fork.
  steepest::kernels();  // a wrong STEEPEST_ISA fails the import, not the first update
  steepest::Pool::instance();
  steepest::cached_bytes();
  pybind11::detail::npy_api::get();
  steepest::bind::bind_config(m);
  steepest::bind::bind_caching_allocator(m);
  steepest::bind::bind_step_history(m);
  steepest::bind::bind_allocation(m);
  steepest::bind::bind_crc32(m);
  steepest::bind::bind_philox(m);
  steepest::bind::bind_schema(m);
  steepest::bind::bind_update(m);
  steepest::bind::bind_gradients(m);
  steepest::bind::bind_step_cache(m);
  steepest::bind::bind_tape(m);
  steepest::bind::bind_passes(m);
  steepest::bind::bind_bags(m);
}
