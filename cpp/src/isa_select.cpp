#include "steepest/runtime/isa_select.hpp"

#include <cstdlib>
#include <stdexcept>

#ifdef STEEPEST_HAS_AVX2
#include <cpuid.h>
#endif

namespace steepest {

extern const KernelTable kKernels_baseline;
#ifdef STEEPEST_HAS_AVX2
extern const KernelTable kKernels_avx2;
#endif

#ifdef STEEPEST_HAS_AVX2
// Everything that -march=x86-64-v3 lets the compiler use, and the operating system's consent to wide registers.
static bool has_avx2() {
  unsigned a, b, c, d;
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) != 0;
}
#endif

// Intel's processors with AVX-512 for narrow registers too: there it is quicker (docs/limits.md). Others are not
// measured.
static bool has_quick_root_estimates() {
#ifdef STEEPEST_HAS_AVX2
  __builtin_cpu_init();
  return has_avx2() && __builtin_cpu_supports("avx512vl") && __builtin_cpu_is("intel");
#else
  return false;
#endif
}

const bool kRootsByMultiplication = has_quick_root_estimates();

static bool is_intel_with_avx2() {
#ifdef STEEPEST_HAS_AVX2
  __builtin_cpu_init();
  return __builtin_cpu_is("intel");
#else
  return false;
#endif
}

// Measured (64 columns, 65,536 ids, ns an id): on a Xeon SGD took 20 in place of 28, Momentum 35 in place of 42, lazy
// Adam the same; on Zen 4, where few requests of the first level can wait at once, Adagrad 89 in place of 58.
const bool kRowsToFirstLevel = is_intel_with_avx2();

// Measured (8,000,000 elements, over the loop that moves their bytes): on a Xeon Lion took 1.17 without, 1.00 with it;
// on Zen 3 SGD 1.00 without, 1.24 with it, Momentum 1.00 and 1.17, and with two slots Adadelta 1.15 and 0.98, FTRL 1.14
// and 1.06.
const int kFewestSlotsAhead = is_intel_with_avx2() ? 0 : 2;

std::vector<const KernelTable*> available_kernels() {
  std::vector<const KernelTable*> tables{&kKernels_baseline};
#ifdef STEEPEST_HAS_AVX2
  if (has_avx2()) tables.push_back(&kKernels_avx2);
#endif
  return tables;
}

const KernelTable& kernels() {
  static const KernelTable& chosen = []() -> const KernelTable& {
    const auto tables = available_kernels();
    const char* name = std::getenv("STEEPEST_ISA");
    if (name == nullptr || *name == '\0') return *tables.back();
    std::string names;
    for (const KernelTable* table : tables) {
      if (std::string(name) == table->isa) return *table;
      names += (names.empty() ? "" : ", ") + std::string(table->isa);
    }
    throw std::invalid_argument("steepest: STEEPEST_ISA must be one of " + names + " on this machine, got '" + name +
                                "'");
  }();
  return chosen;
}

}  // namespace steepest
