#include "passes.hpp"

#include <cstring>
#include <limits>
#include <type_traits>

namespace steepest::tape {
namespace {

// The passes are written once and have an instance for each type.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// A float's bits under a mask: neither a branch nor an arithmetic that an infinity would turn to NaN.
template <class T>
T masked(T value, bool kept) {
  Bits<T> bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits &= Bits<T>(0) - Bits<T>(kept);
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace

template <class T>
void sum_rows(const T* __restrict in, std::size_t rows, std::size_t width, T* __restrict out) {
  if (rows == 0) {
    for (std::size_t j = 0; j < width; ++j) out[j] = 0;
    return;
  }
  std::memcpy(out, in, width * sizeof(T));  // not 0 + in[0]: that of -0 would be 0
  std::size_t i = 1;
  for (; i + 4 <= rows; i += 4) {  // the sums are read and written once for four rows
    const T *a = in + i * width, *b = a + width, *c = b + width, *d = c + width;
    for (std::size_t j = 0; j < width; ++j) out[j] = (((out[j] + a[j]) + b[j]) + c[j]) + d[j];
  }
  for (; i < rows; ++i)
    for (std::size_t j = 0; j < width; ++j) out[j] += in[i * width + j];
}

template <class T>
void keep_where(const T* g, Compared<T> a, Relation relation, Compared<T> b, std::size_t count, T* __restrict out) {
  const auto pass = [=](auto first, auto second) {
    const auto keep = [=](auto holds) {
      for (std::size_t k = 0; k < count; ++k) out[k] = masked(g[k], holds(first(k), second(k)));
    };
    if (relation == Relation::above) return keep([](T x, T y) { return x > y; });
    if (relation == Relation::at_least) return keep([](T x, T y) { return x >= y; });
    keep([](T x, T y) { return !(x >= y); });
  };
  const auto each = [](const T* values) { return [=](std::size_t k) { return values[k]; }; };
  const auto one = [](T value) { return [=](std::size_t) { return value; }; };
  if (count == 0) return;
  if (a.step && b.step) return pass(each(a.values), each(b.values));
  if (a.step) return pass(each(a.values), one(*b.values));
  if (b.step) return pass(one(*a.values), each(b.values));
  pass(one(*a.values), one(*b.values));
}

template <class T>
void share_extremes(const T* g, const T* y, const T* x, Reduced shape, T* __restrict out) {
  for (std::size_t o = 0; o < shape.outer; ++o)
    for (std::size_t i = 0; i < shape.inner; ++i) {
      const std::size_t result = o * shape.inner + i, first = o * shape.count * shape.inner + i;
      const T* const values = x + first;
      std::size_t ties = 0;
      for (std::size_t k = 0; k < shape.count; ++k) ties += values[k * shape.inner] == y[result];
      const T share = ties > 0 ? g[result] / T(ties) : std::numeric_limits<T>::quiet_NaN();
      for (std::size_t k = 0; k < shape.count; ++k)
        out[first + k * shape.inner] = masked(share, ties == 0 || values[k * shape.inner] == y[result]);
    }
}

template <class T>
void add_at(T* target, const std::int64_t* positions, std::size_t count, std::size_t width, const T* values) {
  for (std::size_t k = 0; k < count; ++k) {
    T* const row = target + std::size_t(positions[k]) * width;
    for (std::size_t j = 0; j < width; ++j) row[j] += values[k * width + j];
  }
}

template void sum_rows(const float*, std::size_t, std::size_t, float*);
template void sum_rows(const double*, std::size_t, std::size_t, double*);
template void keep_where(const float*, Compared<float>, Relation, Compared<float>, std::size_t, float*);
template void keep_where(const double*, Compared<double>, Relation, Compared<double>, std::size_t, double*);
template void share_extremes(const float*, const float*, const float*, Reduced, float*);
template void share_extremes(const double*, const double*, const double*, Reduced, double*);
template void add_at(float*, const std::int64_t*, std::size_t, std::size_t, const float*);
template void add_at(double*, const std::int64_t*, std::size_t, std::size_t, const double*);

}  // namespace steepest::tape
