// The pieces of rows that are worked on in memory of their own. Compiled once per instruction set.
#include "steepest/kernel/staged_rows.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

template <class Stored>
StagedRows<Stored>::StagedRows(const UpdateArgs& args, bool keeps)
    : Staging<T>(args, sizeof(Stored), keeps), args_(args), batch_(args) {}

template <class Stored>
void StagedRows<Stored>::begin(std::int64_t begin, std::int64_t end) {
  batch_.begin(begin, end);
}

template <class Stored>
STEEPEST_FLATTEN auto StagedRows<Stored>::open(std::int64_t u, std::int64_t column, std::int64_t columns) -> Piece<T> {
  const T* const gradient = batch_.panel(u, column, columns, this->gradient_);
  return {gradient, load(args_.groups->rows[u] * args_.width + column, columns)};
}

template <class Stored>
STEEPEST_FLATTEN auto StagedRows<Stored>::load(std::int64_t i, std::int64_t count) -> T* {
  if constexpr (std::is_same_v<Stored, T>)
    if (!this->copies_) return stored(i);
  for_blocks<kBlock<T>>(0, count, [&]<int N>(std::int64_t k) {
    steepest::store<N>(this->parameter_ + k, steepest::load<N>(stored(i + k)));
  });
  return this->parameter_;
}

template <class Stored>
STEEPEST_FLATTEN void StagedRows<Stored>::store(std::int64_t i, std::int64_t count) {
  if (!this->copies_) return;
  for_blocks<kBlock<T>>(0, count, [&]<int N>(std::int64_t k) {
    steepest::store<N>(stored(i + k), steepest::load<N>(this->parameter_ + k));
  });
}

template class StagedRows<float>;
template class StagedRows<double>;
template class StagedRows<Half>;
template class StagedRows<BFloat16>;

}  // namespace STEEPEST_ISA
}  // namespace steepest
