// What a rule with a ratio asks of a whole parameter before its update: two sums of squares for each chunk.
//
// Chunks and lanes are those of norms.hpp.
#pragma once

#include "steepest/kernel/ahead.hpp"
#include "steepest/kernel/norms.hpp"
#include "steepest/kernel/staged_rows.hpp"
#include "steepest/kernel/update.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <Rule R, class T>
class Measure {
  using Arrays = Ahead<T, Measures<R> ? slots_of<R>(Extent::element) : 0>;

 public:
  Measure(const void* step, const UpdateArgs& args, double scale, bool dense, double* sums, Staging<T>* staging)
      : update_(step, args),
        batch_(args),
        staging_(staging),
        scale_(scale),
        far_(dense && staging == nullptr && Arrays::of(args) == &args),
        first_(sums),
        sums_(sums) {}

  // Chunks [begin, end) of one row.
  std::int64_t dense(std::int64_t begin, std::int64_t end) {
    const std::int64_t size = update_.args.width;
    for (std::int64_t c = begin; c < end; ++c) {
      add(0, 0, c * kNormChunk, std::min(size, (c + 1) * kNormChunk));
      put();
    }
    return sums_ - first_;
  }

  // Unique rows [begin, end).
  std::int64_t sparse(std::int64_t begin, std::int64_t end) {
    over_row_chunks(
        update_.args, begin, end,
        [&](std::int64_t u, std::int64_t start, std::int64_t i, std::int64_t stop) { add(u, start, i, stop); },
        [&] { put(); });
    return sums_ - first_;
  }

 private:
  // Elements [begin, end) of unique row u, which begins at element `start`.
  void add(std::int64_t u, std::int64_t start, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; i += kPanel) {
      const std::int64_t stop = std::min(end, i + kPanel);
      Piece<T> piece;
      if (staging_ == nullptr) {
        piece = {batch_.panel(u, i - start, stop - i, sum_), static_cast<T*>(update_.args.parameter) + i};
      } else {
        piece = staging_->open(u, i - start, stop - i);
        staging_->apply_ops(piece, stop - i);  // what they do to the parameter is dropped: it is not stored
      }
      ChunkSum parameter = parameter_, measured = measured_;
      const auto sum = [&](const auto& before) {
        over_lanes(i, stop, [&]<int N>(std::int64_t k) {
          before(k);
          const Block<T, N> w = load<N>(piece.parameter + (k - i));
          parameter.add(k, w, scale_);
          measured.add(k, update_.measured(w, load<N>(piece.gradient + (k - i)), k, Whole<N>()), scale_);
        });
      };
      if (far_)
        sum([ahead = Arrays(update_.args, update_.args)](std::int64_t k) { ahead.fetch(k); });
      else
        sum([](std::int64_t) {});
      parameter_ = parameter;
      measured_ = measured;
    }
  }

  void put() {
    *sums_++ = parameter_.total();
    *sums_++ = measured_.total();
    parameter_ = measured_ = ChunkSum();
  }

  const Updater<R, T> update_;
  const Occurrences<T, 0> batch_;
  Staging<T>* const staging_;
  const double scale_;
  const bool far_;
  double *const first_, *sums_;
  ChunkSum parameter_, measured_;
  T sum_[kPanel];
};

template <Rule R, class T>
STEEPEST_FLATTEN std::int64_t run_measure(const void* step, const UpdateArgs& args, double scale, bool dense,
                                          std::int64_t begin, std::int64_t end, double* sums, Staging<T>* staging) {
  Measure<R, T> measure(step, args, scale, dense, sums, staging);
  return dense ? measure.dense(begin, end) : measure.sparse(begin, end);
}

template <Rule R, class Stored>
std::int64_t measure(const void* step, const UpdateArgs& args, double scale, std::int64_t begin, std::int64_t end,
                     double* sums) {
  using T = Compute<Stored>;
  const bool dense = args.groups == nullptr;
  const std::int64_t first = 0;
  const RowGroups whole{&first, nullptr, nullptr, 1};
  UpdateArgs rows = args;
  if (dense) {
    rows.width = args.rows * args.width;
    rows.rows = 1;
    rows.groups = &whole;
  }
  return with_staging<Stored>(rows, true, [&](Staging<T>* staging) {
    return run_measure<R, T>(step, rows, scale, dense, begin, end, sums, staging);
  });
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
