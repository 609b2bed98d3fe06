// Bytes of an element. Not for kernel units, which share no code (kernel_api.hpp).
#pragma once

#include <cstdint>

#include "steepest/runtime/kernel_api.hpp"

namespace steepest {

// Of parameters and gradients.
inline std::int64_t stored_bytes(DType dtype) { return dtype == DType::f64 ? 8 : dtype == DType::f32 ? 4 : 2; }

// Of slots: the type of the arithmetic.
inline std::int64_t slot_bytes(DType dtype) { return dtype == DType::f64 ? 8 : 4; }

}  // namespace steepest
