// The contract of an update rule. A rule is one small struct; everything else is derived from it.
//
//   struct Rule {
//     double <one member per hyper-parameter and scalar>;
//     static constexpr const char* name;
//     static constexpr bool every_row;             // sparse gradients move every row, not only the batch's
//     static constexpr auto hyper();               // std::array<Hyper<Rule>, n>
//     static constexpr auto scalars();             // std::array<Scalar<Rule>, n>: one value per optimizer and step
//     static constexpr auto slots();               // std::array<SlotInfo, n>: element slots, then row slots
//     template <class T> struct Step;              // what apply needs, narrowed once per call
//     template <class T> Step<T> step() const;     // computed in double
//     template <class T, class Block>              // element slots follow g; the value first where there is one
//     static void apply(const Step<T>&, [T value,] Block& w, const Block& g, Block& slot...);
//
//     // Optional: a value for each row, from a row slot (int64 or T), from a Reduction of the row, or from both.
//     template <class T> static T row(const Step<T>&, [Slot& row_slot,] [T reduced]);
//     using Reduction = ...;                            // row_reduction.hpp
//     // Optional: a value for the whole parameter, of a sparse update for the batch's rows together.
//     template <class T> static T ratio(const Step<T>&, double parameter_norm, double measured_norm);
//     // Optional: what is reduced or measured, in place of the gradient.
//     template <class T, class Block>
//     static Block measured(const Step<T>&, const Block& w, const Block& g, const Block& slot...);
//     // Optional, with both: the slots, which `measured` gets as Block&, take the gradient there; apply gets them
//     const. static constexpr bool slots_first = true;
//
//     // Optional, with every_row: what happens to rows without a gradient, in place of apply with zeros.
//     template <class T, class Block> static void rest(const Step<T>&, Block& w, Block& slot...);
//     static constexpr bool common = true;              // optional: kernels for the usual row widths and for one hook
//     using Dense = ...;                                // optional: the rule whose dense kernels serve this one too
//     // Optional: a step that most models take, made of a Step that is_usual(): kernels of their own.
//     template <class T> using UsualStep = ...;
//     // Optional: rows that a batch leaves out move later; adam_pending.hpp shows what a PendingUpdate is.
//     template <class T> using PendingUpdate = ...;
//     double step_rate() const;                         // with a PendingUpdate: what the history records of a step
//   };
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "steepest/kernel/macros.hpp"
#include "steepest/runtime/kernel_api.hpp"

namespace steepest {
inline namespace STEEPEST_ISA {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace range {
inline constexpr Range finite{-kInfinity, kInfinity, true, true, false, "be finite"};
inline constexpr Range positive{0, kInfinity, true, true, false, "be positive and finite"};
inline constexpr Range non_negative{0, kInfinity, false, true, false, "be at least 0 and finite"};
inline constexpr Range decay{0, 1, false, true, false, "be in [0, 1)"};
inline constexpr Range open_unit{0, 1, true, true, false, "be in (0, 1)"};
inline constexpr Range closed_unit{0, 1, false, false, false, "be in [0, 1]"};
inline constexpr Range period{1, 9.2e18, false, true, true, "be an integer of at least 1"};
inline constexpr Range flag{0, 1, false, false, true, "be True or False"};
inline constexpr double kCounted = 9007199254740992;  // 2**53: what a double counts to
inline constexpr Range bounded{-kCounted, kCounted, false, false, false, "be finite and at most 2**53"};
inline constexpr Range count{0, kCounted, false, false, true, "be an integer from 0 to 2**53"};
}  // namespace range

template <class R>
struct Hyper {
  const char* name;
  double R::* member;
  double initial;
  Range range;
};

template <class R>
struct Scalar {
  const char* name;
  double R::* member;
  Range range = range::bounded;
};

constexpr SlotInfo element_slot(const char* name, double initial = 0) {
  return {name, Extent::element, SlotKind::real, initial, nullptr};
}
constexpr SlotInfo element_slot(const char* name, const char* initial_hyper) {
  return {name, Extent::element, SlotKind::real, 0, initial_hyper};
}
constexpr SlotInfo row_slot(const char* name, double initial = 0) {
  return {name, Extent::row, SlotKind::real, initial, nullptr};
}
// Starts at the parameter's own values.
constexpr SlotInfo parameter_slot(const char* name) {
  return {name, Extent::element, SlotKind::real, 0, nullptr, true};
}
constexpr SlotInfo row_counter(const char* name) { return {name, Extent::row, SlotKind::integer, 0, nullptr}; }
constexpr SlotInfo row_slot(const char* name, const char* initial_hyper) {
  return {name, Extent::row, SlotKind::real, 0, initial_hyper};
}

template <class R>
constexpr int slots_of(Extent extent) {
  int count = 0;
  for (const SlotInfo& slot : R::slots()) count += slot.extent == extent;
  return count;
}

template <class R>
constexpr SlotKind row_slot_kind() {
  for (const SlotInfo& slot : R::slots())
    if (slot.extent == Extent::row) return slot.kind;
  return SlotKind::real;
}

template <class R>
concept Reduces = requires { typename R::Reduction; };

template <class R>
concept HasRatio = requires { R::template ratio<float>; };

template <class R>
concept SlotsFirst = requires { requires R::slots_first; };

template <class R>
concept Measures = SlotsFirst<R> || requires { R::template measured<float, float>; };

// A rule in its usual steps.
template <class R>
struct Usual : R {
  template <class T>
  using Whole = typename R::template Step<T>;
  template <class T>
  using Step = typename R::template UsualStep<T>;
};

template <class R>
concept HasUsual =
    requires { typename R::template UsualStep<float>; } && !requires { typename R::template Whole<float>; };

// The step that a kernel is handed, as R's kernels know it.
template <class R, class T>
typename R::template Step<T> step_of(const void* step) {
  if constexpr (requires { typename R::template Whole<T>; })
    return *static_cast<const typename R::template Whole<T>*>(step);
  else
    return *static_cast<const typename R::template Step<T>*>(step);
}

// Whether Usual<R> makes this step.
template <class R, class T>
bool is_usual(const void* step) {
  return static_cast<const typename R::template Step<T>*>(step)->is_usual();
}

template <class R>
concept HasRest = requires { R::template rest<float, float>; };

template <class R>
concept Common = requires { requires R::common; };

// Whether rows are updated as a whole.
template <class R>
constexpr bool by_row() {
  return slots_of<R>(Extent::row) > 0 || Reduces<R>;
}

template <class R>
concept HasPending = requires(const R rule) {
  typename R::template PendingUpdate<float>;
  { rule.step_rate() } -> std::convertible_to<double>;
};

template <class R>
concept Rule = requires(const R rule) {
  { R::name } -> std::convertible_to<const char*>;
  { R::every_row } -> std::convertible_to<bool>;
  R::hyper().size();
  R::scalars().size();
  R::slots().size();
  rule.template step<float>();
  rule.template step<double>();
  requires sizeof(typename R::template Step<double>) <= kStepBytes;
  requires std::is_trivially_copyable_v<typename R::template Step<double>>;
  requires slots_of<R>(Extent::element) + slots_of<R>(Extent::row) <= kMaxSlots;
  requires slots_of<R>(Extent::row) <= 1;
  requires !by_row<R>() || !R::every_row;
  requires !HasRatio<R> || (!by_row<R>() && !R::every_row);
  requires !HasPending<R> || (!by_row<R>() && !R::every_row);
};

}  // namespace STEEPEST_ISA
}  // namespace steepest
