// Square roots by multiplications have the bits of the instruction's: special numbers in every place of a block, all
// mantissas of two binades, which stand for the others, and the ends of the range; with --all every float there is.
#include "steepest/kernel/root.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "check.hpp"

using namespace steepest;

#if defined(__AVX2__) && defined(__FMA__)
namespace {

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }

bool quick_roots() { return __builtin_cpu_supports("avx512vl"); }

// Whole blocks against the instruction, one float after the other from `first` on, `step` apart. Compares NaNs by bits
// too.
void check_blocks(std::uint64_t first, std::uint64_t end, std::uint64_t step) {
  std::uint64_t wrong = 0, by_multiplication = 0, outside = 0;
  std::uint32_t example = 0;
  for (std::uint64_t at = first; at < end; at += 8 * step) {
    alignas(32) std::uint32_t bits[8], expected[8], got[8];
    for (std::uint64_t k = 0; k < 8; ++k) bits[k] = std::uint32_t(std::min(at + k * step, end - 1));
    __m256 x;
    std::memcpy(&x, bits, sizeof x);
    const __m256 root = _mm256_sqrt_ps(x);
    std::memcpy(expected, &root, sizeof root);
    bool fits = true;  // by its definition
    for (const std::uint32_t one : bits) fits &= one >= 0x0d800000 && one < 0x7f800000;
    outside += fits != in_range_of_root(x);
    if (!fits) continue;
    const __m256 quick = root_by_multiplication(x);
    std::memcpy(got, &quick, sizeof quick);
    by_multiplication += 8;
    for (int k = 0; k < 8; ++k)
      if (got[k] != expected[k]) ++wrong, example = bits[k];
  }
  CHECK(outside == 0, "%llu blocks taken for inside the range, or outside", static_cast<unsigned long long>(outside));
  CHECK(wrong == 0, "%llu of %llu roots, one of them of %08x", static_cast<unsigned long long>(wrong),
        static_cast<unsigned long long>(by_multiplication), example);
}

void test_blocks_of_any_numbers() {
  std::vector<float> numbers{0.0f,
                             -0.0f,
                             1.0f,
                             -1.0f,
                             as_float(1),
                             as_float(0x80000001),
                             as_float(0x007fffff),
                             as_float(0x00800000),
                             as_float(0x0d7fffff),
                             as_float(0x0d800000),
                             as_float(0x0d800001),
                             as_float(0x7f7fffff),
                             as_float(0x7f800000),
                             as_float(0xff800000),
                             as_float(0x7fc00000),
                             as_float(0x7fc12345),
                             as_float(0xffc00000),
                             as_float(0x8d7fffff),
                             as_float(0x8d800000)};
  std::mt19937 random(1);
  for (int k = 0; k < 20; ++k) numbers.push_back(as_float(std::uint32_t(random())));
  for (const float rest : numbers)
    for (const float special : numbers)
      for (int place = 0; place < 16; ++place) {
        DenseBlock<float, 16> block;
        for (int k = 0; k < 16; ++k) block[k] = rest;
        block[place] = special;
        const Block<float, 16> roots = sqrt(block);
        for (int k = 0; k < 16; ++k) {
          const float expected = std::sqrt(block[k]);
          CHECK(std::isnan(expected) ? std::isnan(roots[k])
                                     : std::bit_cast<std::uint32_t>(roots[k]) == std::bit_cast<std::uint32_t>(expected),
                "root of %g at %d beside %g is %g", double(block[k]), k, double(rest), double(roots[k]));
        }
      }
}

void test_all_mantissas() { check_blocks(0x3f800000, 0x40800000, 1); }  // [1, 4)

void test_the_ends_of_the_range() {
  check_blocks(0x0d700000, 0x0e800000, 1);
  check_blocks(0x7e800000, 0x80000000, 1);
}

void test_many_floats() { check_blocks(0, std::uint64_t{1} << 32, 211); }

void test_every_float() { check_blocks(0, std::uint64_t{1} << 32, 1); }

}  // namespace

int main(int count, char** arguments) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return report("roots (no AVX2 here)");
  test_blocks_of_any_numbers();
  if (!quick_roots()) return report("roots (by the instruction: no AVX-512 here)");
  test_all_mantissas();
  test_the_ends_of_the_range();
  test_many_floats();
  if (count > 1 && std::strcmp(arguments[1], "--all") == 0) test_every_float();
  return report("roots");
}
#else
int main() { return report("roots (no AVX2 compiled)"); }
#endif
