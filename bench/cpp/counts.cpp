// Does one kernel's work inside `measured`, which is all that counts.py lets callgrind count.
#include <cstdio>
#include <functional>
#include <map>

#include "problem.hpp"

namespace {

using namespace bench;

const RuleInfo& rule_named(const KernelTable& table, const char* name) {
  for (int k = 0; k < table.rule_count; ++k)
    if (std::string(table.rules[k]->name) == name) return *table.rules[k];
  std::fprintf(stderr, "no rule %s\n", name);
  std::exit(2);
}

}  // namespace

extern "C" [[gnu::noinline]] void measured(const std::function<void()>& work) { work(); }

// counts KERNEL: prints how many elements, rows or ids the counted instructions are for.
int main(int argc, char** argv) {
  Pool::instance().set_threads(1);
  const KernelTable& table = kernels();
  struct Kernel {
    const char* rule;
    DType type;
    std::int64_t rows, width;
    Ids ids;
  };
  const std::map<std::string, Kernel> named{
      {"dense adam f32", {"adam", DType::f32, 1000, 100, {}}},
      {"dense sgd bf16", {"sgd", DType::bf16, 1000, 100, {}}},
      {"sparse adagrad uniform", {"adagrad", DType::f32, 20'000, 16, {"uniform", 8192}}},
      {"sparse adagrad zipf", {"adagrad", DType::f32, 20'000, 16, {"zipf", 8192}}},
  };
  const auto entry = argc == 2 ? named.find(argv[1]) : named.end();
  if (entry == named.end()) {
    for (const auto& [name, kernel] : named) std::printf("%s\n", name.c_str());
    return argc == 1 ? 0 : 2;
  }
  const Kernel& k = entry->second;
  Problem problem(table, rule_named(table, k.rule), k.type, k.rows, k.width, k.ids);
  problem.step();
  if (!problem.right()) {
    std::fprintf(stderr, "%s: wrong answer\n", argv[1]);
    return 1;
  }
  measured([&] { problem.step(); });
  std::printf("%lld %s\n", static_cast<long long>(k.ids.batch > 0 ? k.ids.batch : k.rows * k.width), table.isa);
  return 0;
}
