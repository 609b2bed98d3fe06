// The gradient of a batch: its rows widened, and summed where they come several times. Compiled once per instruction
// set.
#include "steepest/kernel/occurrences.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// M blocks of N columns, summed over occurrences [k, stop). The first strip of a chunk asks for what comes after it.
template <class Stored, int Width>
template <int N, int M, bool Weighted>
void Occurrences<Stored, Width>::add_strip(std::int64_t k, std::int64_t stop, std::int64_t column, T* out,
                                           bool first) const {
  Block<T, N> sum[M];
  const auto each = [&](const auto& put) {
    if (first) ahead(k);
    const std::int64_t position = positions_[k];
    if constexpr (Weighted) {
      const T weight = load_weight<Stored>(args_, k);
      for (int m = 0; m < M; ++m) put(sum[m], weighted<Stored, N>(args_, at<N>(position, column + m * N), weight));
    } else {
      for (int m = 0; m < M; ++m) put(sum[m], at<N>(position, column + m * N));
    }
  };
  each([](Block<T, N>& total, const Block<T, N>& g) { total = g; });
  for (++k; k < stop; ++k) each([](Block<T, N>& total, const Block<T, N>& g) { total += g; });
  for (int m = 0; m < M; ++m) store<N>(out + m * N, sum[m]);
}

// out = the first kDuplicateChunk of occurrences [k, end). Returns where it stopped.
template <class Stored, int Width>
std::int64_t Occurrences<Stored, Width>::add_chunk(std::int64_t k, std::int64_t end, std::int64_t column,
                                                   std::int64_t columns, T* out) const {
  const std::int64_t stop = std::min(end, k + kDuplicateChunk);
  const bool has_weights = args_.groups->weights != nullptr;
  bool first = true;
  const auto strip = [&]<int N, int M>(std::int64_t c) {
    if (has_weights)
      add_strip<N, M, true>(k, stop, column + c, out + c, first);
    else
      add_strip<N, M, false>(k, stop, column + c, out + c, first);
    first = false;
  };
  constexpr int kWide = 4;  // blocks that fit into registers together
  const std::int64_t count = Width > 0 ? Width : columns;
  std::int64_t c = 0;
  for (; c + kWide * kBlock<T> <= count; c += kWide * kBlock<T>) strip.template operator()<kBlock<T>, kWide>(c);
  for_blocks<kBlock<T>>(c, count, [&]<int N>(std::int64_t at) { strip.template operator()<N, 1>(at); });
  return stop;
}

// Does for a panel what sum_duplicates() does for a block.
template <class Stored, int Width>
STEEPEST_FLATTEN void Occurrences<Stored, Width>::add_up(const UpdateArgs& args, std::int64_t limit, std::int64_t k,
                                                         std::int64_t end, std::int64_t column, std::int64_t columns,
                                                         T* total) {
  Occurrences batch(args);
  batch.limit_ = limit;
  T chunk[kPanel];
  for (T* out = total;; out = chunk) {
    k = batch.add_chunk(k, end, column, columns, out);
    if (out == chunk)
      batch.over(columns, [&]<int N>(std::int64_t c) {
        store<N>(total + c, Block<T, N>(load<N>(total + c) + load<N>(chunk + c)));
      });
    if (k == end) return;
  }
}

template class Occurrences<float, 0>;
template class Occurrences<double, 0>;
template class Occurrences<Half, 0>;
template class Occurrences<BFloat16, 0>;
#define STEEPEST_DEFINE_WIDTH(width) template class Occurrences<float, width>;
STEEPEST_WIDTHS(STEEPEST_DEFINE_WIDTH)

}  // namespace STEEPEST_ISA
}  // namespace steepest
