// Rows that a rule cannot work on where they lie, those of half types and those with ops: a piece of a row is brought
// to memory of its own, in the type of the arithmetic, and the parameter is taken back afterwards. So the rule's loop
// over rows is compiled once for each arithmetic, and not for each stored type with and without ops.
#pragma once

#include "steepest/kernel/occurrences.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

// Columns of a row: where the rule finds its gradient and its parameter.
template <class T>
struct Piece {
  const T* gradient;
  T* parameter;
};

template <class T>
class Staging {
 public:
  // What ops do to a parameter of the arithmetic's type they do where it lies, except if it `keeps` its values.
  Staging(const UpdateArgs& args, std::int64_t bytes, bool keeps)
      : stored_bytes(bytes),
        ops_(args),
        copies_(bytes != std::int64_t(sizeof(T)) || (keeps && ops_.changes_parameter())) {}

  const std::int64_t stored_bytes;  // of a number of the parameter

  // Whether parameters are brought elsewhere. If not, only the ops are needed.
  bool copies() const { return copies_; }

  // Unique rows [begin, end) come next, in this order.
  virtual void begin(std::int64_t begin, std::int64_t end) = 0;
  // Columns [column, column + columns) of unique row u, at most kPanel: the sum of its gradients before the ops.
  virtual Piece<T> open(std::int64_t u, std::int64_t column, std::int64_t columns) = 0;
  // Elements [i, i + count) of the parameter, at most kPanel.
  virtual T* load(std::int64_t i, std::int64_t count) = 0;
  // Takes the elements that are open back to the parameter.
  virtual void store(std::int64_t i, std::int64_t count) = 0;

  void apply_ops(Piece<T>& piece, std::int64_t columns) {
    if (ops_.count() == 0) return;
    ops_.apply(piece.gradient, piece.parameter, gradient_, columns);
    piece.gradient = gradient_;
  }

 protected:
  ~Staging() = default;

  const GradientOps<T> ops_;
  const bool copies_;
  alignas(64) T gradient_[kPanel];
  alignas(64) T parameter_[kPanel];
};

// Compiled once for all rules, in src/staged_rows.cpp.
template <class Stored>
class StagedRows final : public Staging<Compute<Stored>> {
 public:
  using T = Compute<Stored>;

  StagedRows(const UpdateArgs& args, bool keeps);
  void begin(std::int64_t begin, std::int64_t end) override;
  Piece<T> open(std::int64_t u, std::int64_t column, std::int64_t columns) override;
  T* load(std::int64_t i, std::int64_t count) override;
  void store(std::int64_t i, std::int64_t count) override;

 private:
  Stored* stored(std::int64_t i) const { return static_cast<Stored*>(args_.parameter) + i; }

  const UpdateArgs& args_;
  Occurrences<Stored, 0> batch_;
};

// body(staging), nullptr where rows are worked on as they lie. Keeps: the parameter is not to be changed yet.
template <class Stored, class Body>
auto with_staging(const UpdateArgs& args, bool keeps, const Body& body) {
  using T = Compute<Stored>;
  if constexpr (std::is_same_v<Stored, T>)
    if (args.op_count == 0) return body(static_cast<Staging<T>*>(nullptr));
  StagedRows<Stored> rows(args, keeps);
  return body(static_cast<Staging<T>*>(&rows));
}

}  // namespace STEEPEST_ISA
}  // namespace steepest
