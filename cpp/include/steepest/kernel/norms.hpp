// Norms and standalone transforms of gradients.
//
// Element i of the parameter's index space belongs to lane i % 8 of chunk i / kNormChunk, whether its gradient is
// dense or one row of a batch. A lane is summed in ascending order and rows without a gradient add an exact zero, so
// the sum's bits depend on the gradient alone.
#pragma once

#include "steepest/kernel/gradient.hpp"
#include "steepest/kernel/square_sum.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

class ChunkSum : public SquareSum {
 public:
  // Elements from i on, all of which have lanes of their own. Floats need no scale.
  template <class T, int N>
  void add(std::int64_t i, const Block<T, N>& values, double scale) {
    if constexpr (N == kSumLanes) {
      add_all<false>(values.data(), T(scale));
    } else {
      static_assert(N == 1);
      add_one(i % kSumLanes, std::is_same_v<T, double> ? values[0] * scale : double(values[0]));
    }
  }
};

// body<N>(i) over elements [begin, end) of the index space, all within one chunk: by lanes, and one by one at the ends.
template <class Body>
void over_lanes(std::int64_t begin, std::int64_t end, const Body& body) {
  std::int64_t i = begin;
  for (; i < end && i % kSumLanes != 0; ++i) body.template operator()<1>(i);
  for (; i + kSumLanes <= end; i += kSumLanes) body.template operator()<kSumLanes>(i);
  for (; i < end; ++i) body.template operator()<1>(i);
}

// Adds elements [begin, end) of the index space, all within one chunk. gradient<N>(i) is the block at element i.
template <class Stored, class Gradient>
void add_squares(const UpdateArgs& args, const GradientOps<Compute<Stored>>& ops, double scale, std::int64_t begin,
                 std::int64_t end, ChunkSum& sum, const Gradient& gradient) {
  using T = Compute<Stored>;
  const bool reads = ops.reads_parameter();
  over_lanes(begin, end, [&]<int N>(std::int64_t i) {
    Block<T, N> g = gradient.template operator()<N>(i);
    Block<T, N> w = reads ? Block<T, N>(load<N>(static_cast<const Stored*>(args.parameter) + i)) : Block<T, N>::Zero();
    ops.apply(g, w);
    sum.add(i, g, scale);
  });
}

// Chunks that are summed side by side, because the additions of one chunk wait for each other. Fused additions are
// fewer and take longer each, so they need more chains.
#ifdef __FMA__
template <class T>
inline constexpr int kChains = std::is_same_v<T, float> ? 4 : 2;
#else
template <class T>
inline constexpr int kChains = 2;
#endif

// The sums of squares of `count` whole chunks without ops. They are read in `Chains` equal parts side by side:
// several streams are faster than one. The rest is read in fewer.
template <class T, int Chains = kChains<T>>
void chunk_squares(const T* values, std::int64_t count, T scale, double* sums) {
  const std::int64_t part = count / Chains;
  for (std::int64_t c = 0; c < part; ++c) {
    SquareSum chains[Chains];
    for (std::int64_t i = c * kNormChunk; i < (c + 1) * kNormChunk; i += kSumLanes)
      for (int k = 0; k < Chains; ++k)
        chains[k].template add_all<(Chains > 2)>(values + k * part * kNormChunk + i, scale);
    for (int k = 0; k < Chains; ++k) sums[k * part + c] = chains[k].total();
  }
  const std::int64_t done = part * Chains;
  if constexpr (Chains > 1) chunk_squares<T, Chains / 2>(values + done * kNormChunk, count - done, scale, sums + done);
}

template <class Stored>
std::int64_t squares_dense(const UpdateArgs& args, double scale, std::int64_t begin, std::int64_t end, double* sums) {
  const GradientOps<Compute<Stored>> ops(args);
  const std::int64_t size = args.rows * args.width;
  std::int64_t c = begin;
  if constexpr (std::is_same_v<Stored, Compute<Stored>>)
    if (const std::int64_t full_chunks = std::min(end, size / kNormChunk) - begin;
        args.op_count == 0 && full_chunks > 0) {
      chunk_squares(static_cast<const Stored*>(args.gradient) + begin * kNormChunk, full_chunks, Stored(scale), sums);
      c += full_chunks;
      sums += full_chunks;
    }
  for (; c < end; ++c) {
    ChunkSum sum;
    const std::int64_t stop = std::min(size, (c + 1) * kNormChunk);
    add_squares<Stored>(args, ops, scale, c * kNormChunk, stop, sum,
                        [&]<int N>(std::int64_t i) { return load_gradient<Stored, N>(args, i); });
    *sums++ = sum.total();
  }
  return end - begin;
}

// Walks the unique rows [begin, end): add(u, start, i, stop) for the elements [i, stop) of row u, which begins at
// element `start` of the index space, and done() after the last ones of each chunk.
template <class Add, class Done>
void over_row_chunks(const UpdateArgs& args, std::int64_t begin, std::int64_t end, const Add& add, const Done& done) {
  std::int64_t chunk = -1;
  for (std::int64_t u = begin; u < end; ++u) {
    const std::int64_t start = args.groups->rows[u] * args.width;
    for (std::int64_t i = start; i < start + args.width;) {
      if (i / kNormChunk != chunk) {
        if (chunk >= 0) done();
        chunk = i / kNormChunk;
      }
      const std::int64_t stop = std::min(start + args.width, (chunk + 1) * kNormChunk);
      add(u, start, i, stop);
      i = stop;
    }
  }
  if (chunk >= 0) done();
}

template <class Stored>
std::int64_t squares_sparse(const UpdateArgs& args, double scale, std::int64_t begin, std::int64_t end, double* sums) {
  const GradientOps<Compute<Stored>> ops(args);
  double* const first = sums;
  ChunkSum sum;
  over_row_chunks(
      args, begin, end,
      [&](std::int64_t u, std::int64_t start, std::int64_t i, std::int64_t stop) {
        add_squares<Stored>(args, ops, scale, i, stop, sum,
                            [&]<int N>(std::int64_t k) { return sum_duplicates<Stored, N>(args, u, k - start); });
      },
      [&] {
        *sums++ = sum.total();
        sum = ChunkSum();
      });
  return sums - first;
}

// out = the gradient after the ops, in the parameter's type: elements [begin, end), or with groups one summed row for
// each of the unique rows [begin, end). Ops that read the parameter have no meaning here and are not passed.
template <class Stored>
void transform(const UpdateArgs& args, void* out, bool cold, std::int64_t begin, std::int64_t end) {
  using T = Compute<Stored>;
  const GradientOps<T> ops(args);
  if constexpr (std::is_same_v<Stored, T>)
    if (args.groups == nullptr) {
      const T* const from = static_cast<const T*>(args.gradient) + begin;
      T* const to = static_cast<T*>(out) + begin;
      if (!cold) return ops.apply(from, nullptr, to, end - begin);
      ops.template apply<true>(from, nullptr, to, end - begin);
      end_stream();
      return;
    }
  const auto put = [&]<int N>(std::int64_t i, Block<T, N> g) {
    Block<T, N> none = Block<T, N>::Zero();
    ops.apply(g, none);
    store<N>(static_cast<Stored*>(out) + i, g);
  };
  if (args.groups == nullptr) {
    for_blocks<kBlock<T>>(
        begin, end, [&]<int N>(std::int64_t i) { put.template operator()<N>(i, load_gradient<Stored, N>(args, i)); });
  } else {
    for (std::int64_t u = begin; u < end; ++u)
      for_blocks<kBlock<T>>(0, args.width, [&]<int N>(std::int64_t column) {
        put.template operator()<N>(u * args.width + column, sum_duplicates<Stored, N>(args, u, column));
      });
  }
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
