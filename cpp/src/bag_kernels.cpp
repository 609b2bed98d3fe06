// The sums of bags for one instruction set. Compiled once per set.
#include "steepest/kernel/bags.hpp"

namespace steepest {

extern const BagKernels STEEPEST_NAME(kBagKernels);

constinit const BagKernels STEEPEST_NAME(kBagKernels) = {
    {combine_bags<float>, combine_bags<double>, combine_bags<Half>, combine_bags<BFloat16>}};

}  // namespace steepest
