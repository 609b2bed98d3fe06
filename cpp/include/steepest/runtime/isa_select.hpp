// Which compiled instruction sets this processor can run.
#pragma once

#include <string>
#include <vector>

#include "steepest/runtime/kernel_api.hpp"

namespace steepest {

// The tables that this build has and this processor runs, best last.
std::vector<const KernelTable*> available_kernels();

// The one named by the environment variable STEEPEST_ISA, else the best. Throws std::invalid_argument.
const KernelTable& kernels();

}  // namespace steepest
