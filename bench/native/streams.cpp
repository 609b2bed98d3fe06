// Rooflines and hand-written loops over whole arrays. The caller places the arrays.
//
// mix: reads and writes what an update does, without its arithmetic. loop: the update as an expert's plain loop, with
// exact division and square root; the compiler vectorizes it for the processor it is compiled for.
#include <cmath>
#include <cstdint>

#include "parallel.hpp"

namespace {

struct Numbers {
  double rate, beta1, beta2, epsilon, momentum;
};

// W: the parameter's and gradient's words; S: the states'.
template <int States, class W, class S>
void mix(void* const* arrays, long begin, long end) {
  W* __restrict w = static_cast<W*>(arrays[0]);
  const W* __restrict g = static_cast<const W*>(arrays[1]);
  S* __restrict a = States > 0 ? static_cast<S*>(arrays[2]) : nullptr;
  S* __restrict b = States > 1 ? static_cast<S*>(arrays[3]) : nullptr;
  S* __restrict c = States > 2 ? static_cast<S*>(arrays[4]) : nullptr;
  S* __restrict d = States > 3 ? static_cast<S*>(arrays[5]) : nullptr;
  for (long i = begin; i < end; ++i) {
    const W x = g[i];
    w[i] ^= x;
    if constexpr (States > 0) a[i] ^= x;
    if constexpr (States > 1) b[i] ^= x;
    if constexpr (States > 2) c[i] ^= x;
    if constexpr (States > 3) d[i] ^= x;
  }
}

template <class W, class S>
void mix_states(int states, void* const* arrays, long begin, long end) {
  if (states == 0) mix<0, W, S>(arrays, begin, end);
  if (states == 1) mix<1, W, S>(arrays, begin, end);
  if (states == 2) mix<2, W, S>(arrays, begin, end);
  if (states == 3) mix<3, W, S>(arrays, begin, end);
  if (states == 4) mix<4, W, S>(arrays, begin, end);
}

template <class T>
void sgd(T* __restrict w, const T* __restrict g, long begin, long end, T rate) {
  for (long i = begin; i < end; ++i) w[i] -= rate * g[i];
}

template <class T>
void momentum(T* __restrict w, const T* __restrict g, T* __restrict m, long begin, long end, T rate, T keep) {
  for (long i = begin; i < end; ++i) {
    const T x = m[i] * keep + g[i];
    m[i] = x;
    w[i] -= rate * x;
  }
}

template <class T>
void adagrad(T* __restrict w, const T* __restrict g, T* __restrict a, long begin, long end, T rate) {
  for (long i = begin; i < end; ++i) {
    const T s = a[i] + g[i] * g[i];
    a[i] = s;
    w[i] -= rate * g[i] / std::sqrt(s);
  }
}

template <class T>
void adam(T* __restrict w, const T* __restrict g, T* __restrict m, T* __restrict v, long begin, long end, T alpha,
          T rate1, T rate2, T epsilon) {
  for (long i = begin; i < end; ++i) {
    const T x = m[i] + (g[i] - m[i]) * rate1, y = v[i] + (g[i] * g[i] - v[i]) * rate2;
    m[i] = x;
    v[i] = y;
    w[i] -= x * alpha / (std::sqrt(y) + epsilon);
  }
}

template <class T>
void update(int rule, void* const* p, long begin, long end, const Numbers& n, double alpha) {
  T* w = static_cast<T*>(p[0]);
  const T* g = static_cast<const T*>(p[1]);
  T *a = static_cast<T*>(p[2]), *b = static_cast<T*>(p[3]);
  if (rule == 0) sgd<T>(w, g, begin, end, T(n.rate));
  if (rule == 1) momentum<T>(w, g, a, begin, end, T(n.rate), T(n.momentum));
  if (rule == 2) adagrad<T>(w, g, a, begin, end, T(n.rate));
  if (rule == 3) adam<T>(w, g, a, b, begin, end, T(alpha), T(1 - n.beta1), T(1 - n.beta2), T(n.epsilon));
}

}  // namespace

// Reads arrays of 32-bit words, all at once.
extern "C" void bench_read(int count, void* const* arrays, long words, int threads) {
  in_parts(words, threads, [&](long begin, long end) {
    std::uint32_t seen = 0;
    for (long i = begin; i < end; i += 4096)
      for (int k = 0; k < count; ++k) {
        const std::uint32_t* x = static_cast<const std::uint32_t*>(arrays[k]);
        for (long j = i; j < std::min(end, i + 4096); ++j) seen ^= x[j];
      }
    asm volatile("" ::"r"(seen));
  });
}

// `tensors` times so many pointers: parameter, gradient, states (null where there are fewer).
constexpr int kPointers = 6;
extern "C" void bench_mix(int states, int parameter_bytes, void* const* arrays, long tensors, long count, int threads) {
  for (long t = 0; t < tensors; ++t)
    in_parts(count, threads, [&](long begin, long end) {
      if (parameter_bytes == 4) mix_states<std::uint32_t, std::uint32_t>(states, arrays + kPointers * t, begin, end);
      if (parameter_bytes == 8) mix_states<std::uint64_t, std::uint64_t>(states, arrays + kPointers * t, begin, end);
      if (parameter_bytes == 2) mix_states<std::uint16_t, std::uint32_t>(states, arrays + kPointers * t, begin, end);
    });
}

extern "C" void bench_copy(void* const* arrays, long count, int threads) {
  in_parts(count, threads, [&](long begin, long end) {
    float* __restrict to = static_cast<float*>(arrays[0]);
    const float* __restrict from = static_cast<const float*>(arrays[1]);
    for (long i = begin; i < end; ++i) to[i] = from[i];
  });
}

// One step of the loop of rule 0 sgd, 1 momentum, 2 adagrad, 3 adam; `step` counts from 1.
extern "C" void bench_loop(int rule, int parameter_bytes, void* const* arrays, long tensors, long count, int threads,
                           long step, const Numbers* numbers) {
  const double alpha = numbers->rate * std::sqrt(1 - std::pow(numbers->beta2, double(step))) /
                       (1 - std::pow(numbers->beta1, double(step)));
  for (long t = 0; t < tensors; ++t)
    in_parts(count, threads, [&](long begin, long end) {
      if (parameter_bytes == 4) update<float>(rule, arrays + kPointers * t, begin, end, *numbers, alpha);
      if (parameter_bytes == 8) update<double>(rule, arrays + kPointers * t, begin, end, *numbers, alpha);
    });
}
