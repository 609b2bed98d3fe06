// The rules as data: what Python's classes, the documentation and the tests read.
#include <pybind11/pybind11.h>

#include "bind.hpp"
#include "steepest/runtime/isa_select.hpp"
#include "steepest/runtime/plan.hpp"

namespace steepest::bind {
namespace {

namespace py = pybind11;

py::dict describe(const RuleInfo& rule) {
  py::list hyper, scalars, slots;
  for (int k = 0; k < rule.hyper_count; ++k) {
    const HyperInfo& h = rule.hyper[k];
    py::dict entry;
    entry["name"] = h.name;
    entry["default"] = h.initial;
    entry["low"] = h.range.low;
    entry["high"] = h.range.high;
    entry["low_open"] = h.range.low_open;
    entry["high_open"] = h.range.high_open;
    entry["integer"] = h.range.integer;
    entry["requirement"] = h.range.text;
    hyper.append(entry);
  }
  for (int k = 0; k < rule.scalar_count; ++k) scalars.append(rule.scalars[k].name);
  for (int k = 0; k < rule.slot_count; ++k) {
    const SlotInfo& s = rule.slots[k];
    py::dict entry;
    entry["name"] = s.name;
    entry["extent"] = s.extent == Extent::row ? "row" : "element";
    entry["slot_type"] = s.kind == SlotKind::integer ? "integer" : "real";
    entry["initial"] = s.initial;
    entry["from_parameter"] = s.from_parameter;
    entry["initial_hyper"] = s.initial_hyper == nullptr ? py::object(py::none()) : py::object(py::str(s.initial_hyper));
    slots.append(entry);
  }
  py::dict out;
  out["hyper"] = hyper;
  out["scalars"] = scalars;
  out["slots"] = slots;
  out["every_row"] = rule.every_row;
  out["needs_rows"] = rule.needs_rows;
  out["ratio"] = rule.kernels[0].measure != nullptr;
  return out;
}

}  // namespace

void bind_schema(py::module_& m) {
  // A dtype and a kind of hook are passed as their position here.
  m.attr("DTYPES") = py::make_tuple("float32", "float64", "float16", "bfloat16");
  m.attr("HOOK_KINDS") =
      py::make_tuple("clip_by_value", "l2", "decoupled", "clip_by_norm", "clip_by_global_norm", "check_finite");
  static_assert(int(DType::bf16) + 1 == 4 && int(Hook::check_finite) + 1 == 6, "the names above follow the enums");
  m.def(
      "schema",
      [] {
        py::dict out;
        for (int k = 0; k < kernels().rule_count; ++k) out[kernels().rules[k]->name] = describe(*kernels().rules[k]);
        return out;
      },
      "Every rule by name: hyper-parameters with default and range, scalars, slots, whether every row moves.");
}

}  // namespace steepest::bind
