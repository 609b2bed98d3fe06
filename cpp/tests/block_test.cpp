// Conversions of half types: every half, and every float near a rounding boundary.
#include "steepest/kernel/block.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "check.hpp"

using namespace steepest;

namespace {

float as_float(std::uint32_t u) { return std::bit_cast<float>(u); }

template <class Stored>
std::uint32_t widened(std::uint32_t bits) {
  return Stored::widen(bits << 16);
}
template <class Stored>
std::uint16_t narrowed(std::uint32_t u) {
  return std::uint16_t(Stored::narrow(u) >> 16);
}

// By the definition of binary16, in double.
double value_of_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return mantissa ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

// Nearest, ties to even, by trying the neighbours.
std::uint16_t nearest_half(float x) {
  const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::fabs(double(x));
  if (magnitude >= 65520) return sign | 0x7c00;
  std::uint16_t low = 0, high = 0x7bff;  // largest half that is at most the magnitude
  while (low < high) {
    const auto middle = std::uint16_t((low + high + 1) / 2);
    if (value_of_half(middle) <= magnitude)
      low = middle;
    else
      high = std::uint16_t(middle - 1);
  }
  const double below = magnitude - value_of_half(low);
  const double above = (low == 0x7bff ? 65536 : value_of_half(std::uint16_t(low + 1))) - magnitude;
  return std::uint16_t(sign | (above < below || (above == below && (low & 1)) ? low + 1 : low));
}

void test_every_half_widens_to_its_value() {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float got = as_float(widened<Half>(bits));
    const double expected = value_of_half(std::uint16_t(bits));
    CHECK(std::isnan(expected) ? std::isnan(got) : double(got) == expected, "half %04x gave %g", bits, double(got));
    CHECK(std::signbit(got) == (bits >= 0x8000), "sign of half %04x", bits);
  }
}

void test_narrowing_rounds_to_nearest_even() {
  std::mt19937 random(1);
  const auto check = [](std::uint32_t u) {
    const float x = as_float(u);
    if (std::isnan(x)) {
      CHECK((narrowed<Half>(u) & 0x7fff) > 0x7c00, "NaN %08x", u);
      CHECK((narrowed<BFloat16>(u) & 0x7fff) > 0x7f80, "NaN %08x", u);
      return;
    }
    CHECK(narrowed<Half>(u) == nearest_half(x), "float %08x gave half %04x, not %04x", u, narrowed<Half>(u),
          nearest_half(x));
    const std::uint32_t low = u & 0xffff0000u;
    const double middle = (double(as_float(low)) + double(as_float(low + 0x10000u))) / 2;
    if (std::isfinite(middle)) {
      const bool up = std::fabs(double(x)) > std::fabs(middle) || (double(x) == middle && (low >> 16 & 1));
      CHECK(narrowed<BFloat16>(u) == std::uint16_t((low >> 16) + (up ? 1 : 0)), "float %08x to bfloat16", u);
    }
  };
  for (std::uint32_t half = 0; half < 65536; ++half)
    for (int delta = -2; delta <= 2; ++delta) {
      check(widened<Half>(half) + std::uint32_t(delta));
      check(widened<Half>(half) + 0x1000u + std::uint32_t(delta));  // a tie and its neighbours
    }
  for (int k = 0; k < 1000000; ++k) check(std::uint32_t(random()));
}

template <class Stored, int N>
void test_blocks_convert_like_single_elements() {
  std::mt19937 random(2);
  Stored stored[N], back[N];
  for (int round = 0; round < 100000; ++round) {
    for (Stored& s : stored) s.bits = std::uint16_t(random());
    const auto block = load<N>(stored);
    for (int k = 0; k < N; ++k)
      CHECK(std::bit_cast<std::uint32_t>(float(block[k])) == widened<Stored>(stored[k].bits), "lane %d of %04x", k,
            stored[k].bits);
    Block<float, N> values;
    for (int k = 0; k < N; ++k) values[k] = as_float(std::uint32_t(random()));
    store<N>(back, values);
    for (int k = 0; k < N; ++k) {
      const auto u = std::bit_cast<std::uint32_t>(float(values[k]));
      CHECK(back[k].bits == narrowed<Stored>(u), "lane %d of %08x", k, u);
    }
  }
}

// The blocks of a range: two registers, one, and less.
template <class Stored>
void test_every_block() {
  test_blocks_convert_like_single_elements<Stored, kBlock<float>>();
  test_blocks_convert_like_single_elements<Stored, kBlock<float> / 2>();
  test_blocks_convert_like_single_elements<Stored, 4>();
  test_blocks_convert_like_single_elements<Stored, 1>();
}

void test_blocks_cover_a_range_once() {
  for (std::int64_t begin = 0; begin < 5; ++begin)
    for (std::int64_t end = begin; end < 100; ++end) {
      std::int64_t next = begin;
      for_blocks<16>(begin, end, [&]<int N>(std::int64_t i) {
        CHECK(i == next, "block at %ld instead of %ld", long(i), long(next));
        next = i + N;
      });
      CHECK(next == end, "[%ld, %ld) ended at %ld", long(begin), long(end), long(next));
    }
}

}  // namespace

int main() {
  test_every_half_widens_to_its_value();
  test_narrowing_rounds_to_nearest_even();
  test_every_block<Half>();
  test_every_block<BFloat16>();
  test_blocks_cover_a_range_once();
  return report("block");
}
