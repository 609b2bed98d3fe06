#include "steepest/isa_select.hpp"

#include <cstdlib>
#include <stdexcept>

namespace steepest {

extern const KernelTable kKernels_baseline;
#ifdef STEEPEST_HAS_AVX2
extern const KernelTable kKernels_avx2;
#endif

std::vector<const KernelTable*> available_kernels() {
  std::vector<const KernelTable*> tables{&kKernels_baseline};
#ifdef STEEPEST_HAS_AVX2
  // Everything that -march=x86-64-v3 lets the compiler use, and the operating system's consent to wide registers.
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c"))
    tables.push_back(&kKernels_avx2);
#endif
  return tables;
}

const KernelTable& kernels() {
  static const KernelTable& chosen = []() -> const KernelTable& {
    const auto tables = available_kernels();
    const char* wanted = std::getenv("STEEPEST_ISA");
    if (wanted == nullptr || *wanted == '\0') return *tables.back();
    std::string names;
    for (const KernelTable* table : tables) {
      if (std::string(wanted) == table->isa) return *table;
      names += (names.empty() ? "" : ", ") + std::string(table->isa);
    }
    throw std::invalid_argument("steepest: STEEPEST_ISA must be one of " + names + " on this machine, got '" + wanted +
                                "'");
  }();
  return chosen;
}

}  // namespace steepest
