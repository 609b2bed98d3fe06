// Threads for the loops that are timed beside steepest: contiguous parts, cut at whole cache lines.
#pragma once

#include <omp.h>

#include <algorithm>

template <class Body>
void in_parts(long count, int threads, const Body& body) {
  if (threads <= 1) return body(0L, count);
#pragma omp parallel num_threads(threads)
  {
    const long parts = omp_get_num_threads(), k = omp_get_thread_num();
    const long part = ((count + parts - 1) / parts + 63) / 64 * 64;
    const long begin = std::min(count, k * part), end = std::min(count, begin + part);
    if (begin < end) body(begin, end);
  }
}
