// Every rule and instruction set on rows of a table: duplicates grouped, rows updated.
#include <benchmark/benchmark.h>

#include "problem.hpp"

namespace {

using namespace bench;

constexpr std::int64_t kRows = 500'000;

void run(benchmark::State& state, const KernelTable* table, const RuleInfo* rule, const char* law) {
  Pool::instance().set_threads(1);
  Problem problem(*table, *rule, DType::f32, kRows, state.range(0), {law, state.range(1)});
  problem.step();
  if (!problem.right()) return state.SkipWithError("wrong answer");
  for (auto _ : state) problem.step();
  state.SetItemsProcessed(state.iterations() * state.range(1));
  state.SetBytesProcessed(std::int64_t(double(state.iterations()) * problem.bytes()));
}

const bool registered = [] {
  for (const KernelTable* table : available_kernels())
    for (int r = 0; r < table->rule_count; ++r)
      for (const char* law : {"uniform", "zipf"}) {
        const RuleInfo* rule = table->rules[r];
        const auto name = std::string("sparse/") + rule->name + "/" + law + "/" + table->isa;
        auto* entry =
            benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { run(state, table, rule, law); });
        entry->ArgNames({"width", "ids"})->Args({16, 65'536})->Unit(benchmark::kMicrosecond);
        if (!rule->every_row) entry->Args({64, 65'536})->Args({64, 4096});
      }
  return true;
}();

}  // namespace
