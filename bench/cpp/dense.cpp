// Every rule, type and instruction set on dense gradients: in cache and from memory.
#include <benchmark/benchmark.h>

#include "problem.hpp"

namespace {

using namespace bench;

void run(benchmark::State& state, const KernelTable* table, const RuleInfo* rule, DType type) {
  Pool::instance().set_threads(1);
  constexpr std::int64_t kWidth = 64;
  Problem problem(*table, *rule, type, state.range(0) / kWidth, kWidth, {});
  problem.step();
  if (!problem.right()) return state.SkipWithError("wrong answer");
  for (auto _ : state) problem.step();
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(std::int64_t(double(state.iterations()) * problem.bytes()));
}

const bool registered = [] {
  for (const KernelTable* table : available_kernels())
    for (int r = 0; r < table->rule_count; ++r)
      for (int type = 0; type < kDTypes; ++type) {
        const RuleInfo* rule = table->rules[r];
        const auto name = std::string("dense/") + rule->name + "/" + kTypeNames[type] + "/" + table->isa;
        auto* entry = benchmark::RegisterBenchmark(
            name.c_str(), [=](benchmark::State& state) { run(state, table, rule, DType(type)); });
        entry->Arg(65'536);
        if (type == 0) entry->Arg(8'388'608);
      }
  return true;
}();

}  // namespace
