// Compiled once per instruction set; CMakeLists.txt names it with STEEPEST_ISA and renames Eigen's namespace to match.
#include "steepest/kernel/table.hpp"

#define STEEPEST_JOIN_(a, b) a##b
#define STEEPEST_JOIN(a, b) STEEPEST_JOIN_(a, b)
#define STEEPEST_TEXT_(a) #a
#define STEEPEST_TEXT(a) STEEPEST_TEXT_(a)

namespace steepest {

extern const KernelTable STEEPEST_JOIN(kKernels_, STEEPEST_ISA);
const KernelTable STEEPEST_JOIN(kKernels_, STEEPEST_ISA) = make_table(STEEPEST_TEXT(STEEPEST_ISA));

}  // namespace steepest
