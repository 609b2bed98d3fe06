// The table of one instruction set: every rule, and the norms and transforms of gradients. Compiled once per set.
#include "steepest/kernel/norms.hpp"
#include "steepest/kernel/rules/all.hpp"

namespace steepest {

#define STEEPEST_DECLARE(rule, file) extern const RuleInfo STEEPEST_NAME(kRule_##file);
STEEPEST_RULES(STEEPEST_DECLARE)

extern const KernelTable STEEPEST_NAME(kKernels);

#define STEEPEST_POINTER(rule, file) &STEEPEST_NAME(kRule_##file),
static constexpr const RuleInfo* STEEPEST_NAME(kRules)[] = {STEEPEST_RULES(STEEPEST_POINTER)};

constinit const KernelTable STEEPEST_NAME(kKernels) = {
    STEEPEST_TEXT(STEEPEST_ISA),
    STEEPEST_NAME(kRules),
    int(std::size(STEEPEST_NAME(kRules))),
    {squares_dense<float>, squares_dense<double>, squares_dense<Half>, squares_dense<BFloat16>},
    {squares_sparse<float>, squares_sparse<double>, squares_sparse<Half>, squares_sparse<BFloat16>},
    {transform<float>, transform<double>, transform<Half>, transform<BFloat16>}};

}  // namespace steepest
