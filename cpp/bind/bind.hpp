// One registration function per concept.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "steepest/runtime/step_history.hpp"

namespace steepest::bind {

void bind_update(pybind11::module_& m);
void bind_gradients(pybind11::module_& m);
void bind_schema(pybind11::module_& m);
void bind_config(pybind11::module_& m);
void bind_caching_allocator(pybind11::module_& m);
void bind_step_history(pybind11::module_& m);
void bind_allocation(pybind11::module_& m);
void bind_crc32(pybind11::module_& m);
void bind_philox(pybind11::module_& m);
void bind_step_cache(pybind11::module_& m);
void bind_tape(pybind11::module_& m);
void bind_passes(pybind11::module_& m);
void bind_bags(pybind11::module_& m);

// Raises TypeError for what is not a step history.
StepHistory& to_step_history(const pybind11::handle& object);

}  // namespace steepest::bind
