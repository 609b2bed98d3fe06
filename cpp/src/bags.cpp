// Lookups of many tables in one pass: ids are checked and copied, rows are summed, by stripes of bags.
#include "steepest/runtime/bags.hpp"

#include <algorithm>
#include <cstring>

#include "steepest/runtime/isa_select.hpp"
#include "tasks.hpp"

namespace steepest {

extern const BagKernels kBagKernels_baseline;
#ifdef STEEPEST_HAS_AVX2
extern const BagKernels kBagKernels_avx2;
#endif

namespace {

const BagKernels& bag_kernels() {
#ifdef STEEPEST_HAS_AVX2
  if (std::strcmp(kernels().isa, "avx2") == 0) return kBagKernels_avx2;
#endif
  return kBagKernels_baseline;
}

struct Stripe {
  std::size_t table;
  std::int64_t begin, end;  // bags
  std::int64_t bad = -1;    // position of the first bad id
};

std::int64_t first_id(const BagLookup& lookup, std::int64_t bag) {
  return lookup.args.offsets != nullptr ? lookup.args.offsets[bag] : bag * lookup.args.length;
}

// Copies the ids of bags [begin, end) and checks the copy: another thread may write to the ids meanwhile. Returns the
// position of the first that is no row, or -1.
template <class Index>
std::int64_t take_ids(const BagLookup& lookup, std::int64_t begin, std::int64_t end) {
  const auto* const ids = static_cast<const Index*>(lookup.ids);
  const std::int64_t first = first_id(lookup, begin), last = first_id(lookup, end), length = lookup.args.length;
  std::int64_t* const rows = lookup.rows;
  if (lookup.args.offsets != nullptr || lookup.bag_step == length * lookup.id_step) {
    for (std::int64_t k = first; k < last; ++k) rows[k] = ids[k * lookup.id_step];
  } else {
    std::int64_t k = first;
    for (std::int64_t b = begin; b < end; ++b)
      for (std::int64_t j = 0; j < length; ++j) rows[k++] = ids[b * lookup.bag_step + j * lookup.id_step];
  }
  asm volatile("" ::: "memory");  // the compiler shall read the copy below, not the ids once more
  const auto limit = std::uint64_t(lookup.table_rows);
  bool bad = false;
  for (std::int64_t k = first; k < last; ++k) bad |= std::uint64_t(rows[k]) >= limit;
  if (!bad) return -1;
  return std::find_if(rows + first, rows + last, [&](std::int64_t row) { return std::uint64_t(row) >= limit; }) - rows;
}

}  // namespace

BadId combine_rows(DType dtype, const std::vector<BagLookup>& lookups) {
  std::vector<Stripe> stripes;
  std::int64_t elements = 0;
  for (std::size_t t = 0; t < lookups.size(); ++t) {
    const BagLookup& lookup = lookups[t];
    const std::int64_t ids = std::max(lookup.count, lookup.bags) * std::max<std::int64_t>(1, lookup.args.width);
    const std::int64_t parts =
        std::clamp<std::int64_t>(ids / kSmallestChunk, 1, std::max<std::int64_t>(1, lookup.bags));
    const std::int64_t each = divide_up(lookup.bags, parts);
    for (std::int64_t begin = 0; begin < lookup.bags; begin += each)
      stripes.push_back({t, begin, std::min(lookup.bags, begin + each)});
    elements += ids;
  }
  const CombineFn combine = bag_kernels().combine[int(dtype)];
  run_tasks(std::int64_t(stripes.size()), elements, [&](std::int64_t k) {
    Stripe& stripe = stripes[static_cast<std::size_t>(k)];
    const BagLookup& lookup = lookups[stripe.table];
    stripe.bad = lookup.wide_ids ? take_ids<std::int64_t>(lookup, stripe.begin, stripe.end)
                                 : take_ids<std::int32_t>(lookup, stripe.begin, stripe.end);
    if (stripe.bad < 0) combine(lookup.args, stripe.begin, stripe.end);
  });
  for (const Stripe& stripe : stripes)
    if (stripe.bad >= 0) return {std::int64_t(stripe.table), stripe.bad, lookups[stripe.table].rows[stripe.bad]};
  return {};
}

}  // namespace steepest
