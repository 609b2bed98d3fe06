// Philox against the known answers of Random123's kat_vectors, and groups against single counters.
#include "steepest/runtime/philox.hpp"

#include <cstdint>
#include <vector>

#include "check.hpp"

using namespace steepest;

namespace {

using Words = std::array<std::uint32_t, 4>;

void test_known_answers() {
  CHECK((philox(0, {0, 0}) == Words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}), "zeros");
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  CHECK((philox(ones, {ones, ones}) == Words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}), "ones");
  CHECK((philox(0x299F31D0A4093822, {0x85A308D3243F6A88, 0x0370734413198A2E}) ==
         Words{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}),
        "digits of pi");
}

void test_groups_carry_into_the_upper_half() {
  const Counter start{~std::uint64_t{0} - 1, 6};
  std::vector<std::uint32_t> out(std::size_t{3} * 2 * 4);
  philox_words(9, start, 3, 2, 5, out.data());
  for (std::uint64_t group = 0; group < 3; ++group)
    for (std::uint64_t block = 0; block < 2; ++block) {
      const std::uint64_t steps = 5 * group + block;
      const Counter at{start.low + steps, start.high + (steps > 1)};
      const Words words = philox(9, at);
      for (std::size_t k = 0; k < 4; ++k)
        CHECK(out[4 * (2 * group + block) + k] == words[k], "group %d block %d", int(group), int(block));
    }
}

}  // namespace

int main() {
  test_known_answers();
  test_groups_carry_into_the_upper_half();
  return report("philox");
}
