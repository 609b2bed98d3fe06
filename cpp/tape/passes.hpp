// Parts of derivatives as one pass over packed memory, for float and double; NumPy would take several.
#pragma once

#include <cstddef>
#include <cstdint>

namespace steepest::tape {

// out[j] = in[0][j] + in[1][j] + ..., added in this order, as NumPy adds along a first axis. Zeros of no rows.
template <class T>
void sum_rows(const T* in, std::size_t rows, std::size_t width, T* out);

// Values to compare: `step` is 1, or 0 for one value beside all others.
template <class T>
struct Compared {
  const T* values;
  std::size_t step;
};

enum class Relation { at_least, not_at_least, above };

// out[k] = g[k] where the relation is between a and b, else 0. A NaN is neither above nor at least anything.
template <class T>
void keep_where(const T* g, Compared<T> a, Relation relation, Compared<T> b, std::size_t count, T* out);

// An array reduced along one axis: `outer` blocks of `count` times `inner` elements.
struct Reduced {
  std::size_t outer, count, inner;
};

// The gradient of a maximum or minimum y of x: the elements that tie for it share g equally. NaN where y is one.
template <class T>
void share_extremes(const T* g, const T* y, const T* x, Reduced shape, T* out);

// target[positions[k] * width + j] += values[k * width + j], in the order of k.
template <class T>
void add_at(T* target, const std::int64_t* positions, std::size_t count, std::size_t width, const T* values);

}  // namespace steepest::tape
