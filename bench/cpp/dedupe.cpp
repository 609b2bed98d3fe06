// Grouping the duplicates of a batch: the library's way, and the ways one would write first.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "problem.hpp"

namespace {

using namespace bench;

constexpr std::int64_t kRows = 1'000'000;

// Occurrences of each distinct row, ascending, in the order in which rows are visited.
struct Groups {
  std::vector<std::int64_t> rows, offsets;
  std::vector<std::uint32_t> positions;
};

void by_library(const std::vector<std::int64_t>& ids, Groups*) {
  benchmark::DoNotOptimize(coalesce({ids.data(), std::int64_t(ids.size())}, kRows));
}

void by_stable_sort(const std::vector<std::int64_t>& ids, Groups* out) {
  out->positions.resize(ids.size());
  std::iota(out->positions.begin(), out->positions.end(), 0u);
  std::stable_sort(out->positions.begin(), out->positions.end(), [&](auto a, auto b) { return ids[a] < ids[b]; });
  out->rows.clear();
  out->offsets.clear();
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const std::int64_t id = ids[out->positions[k]];
    if (!out->rows.empty() && out->rows.back() == id) continue;
    out->rows.push_back(id);
    out->offsets.push_back(std::int64_t(k));
  }
  out->offsets.push_back(std::int64_t(ids.size()));
}

// Counts, then places: `slot_of(id)` is the row's number among the distinct ones, given out in order of first sight.
template <class SlotOf>
void count_and_place(const std::vector<std::int64_t>& ids, Groups* out, const SlotOf& slot_of) {
  std::vector<std::uint32_t> slots(ids.size());
  out->rows.clear();
  out->offsets.assign(1, 0);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    slots[k] = slot_of(ids[k], std::uint32_t(out->rows.size()));
    if (slots[k] == out->rows.size()) {
      out->rows.push_back(ids[k]);
      out->offsets.push_back(0);
    }
    ++out->offsets[slots[k] + 1];
  }
  std::partial_sum(out->offsets.begin(), out->offsets.end(), out->offsets.begin());
  std::vector<std::int64_t> next(out->offsets.begin(), out->offsets.end() - 1);
  out->positions.resize(ids.size());
  for (std::size_t k = 0; k < ids.size(); ++k) out->positions[std::size_t(next[slots[k]]++)] = std::uint32_t(k);
}

void by_map(const std::vector<std::int64_t>& ids, Groups* out) {
  std::unordered_map<std::int64_t, std::uint32_t> seen;
  seen.reserve(ids.size());
  count_and_place(ids, out,
                  [&](std::int64_t id, std::uint32_t next) { return seen.try_emplace(id, next).first->second; });
}

// Needs memory for the whole table, kept from batch to batch.
void by_table(const std::vector<std::int64_t>& ids, Groups* out) {
  static std::vector<std::uint32_t> seen(kRows, UINT32_MAX);
  count_and_place(ids, out, [&](std::int64_t id, std::uint32_t next) {
    auto& slot = seen[std::size_t(id)];
    return slot == UINT32_MAX ? slot = next : slot;
  });
  for (const std::int64_t row : out->rows) seen[std::size_t(row)] = UINT32_MAX;
}

// The same groups, whatever the order of the rows.
bool right(const std::vector<std::int64_t>& ids, const Groups& groups) {
  std::size_t seen = 0;
  for (std::size_t u = 0; u < groups.rows.size(); ++u)
    for (std::int64_t k = groups.offsets[u]; k < groups.offsets[u + 1]; ++k, ++seen) {
      const std::uint32_t position = groups.positions[std::size_t(k)];
      if (ids[position] != groups.rows[u]) return false;
      if (k > groups.offsets[u] && groups.positions[std::size_t(k - 1)] >= position) return false;
    }
  auto sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto distinct = std::size_t(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
  return seen == ids.size() && groups.rows.size() == distinct;
}

Groups of(const RowGroups& s, std::int64_t batch) {
  Groups out;
  out.rows.assign(s.rows, s.rows + s.count);
  out.offsets.resize(std::size_t(s.count) + 1);
  std::iota(out.offsets.begin(), out.offsets.end(), std::int64_t{0});
  out.positions.resize(std::size_t(batch));
  std::iota(out.positions.begin(), out.positions.end(), 0u);
  if (s.positions != nullptr) {
    out.offsets.assign(s.offsets, s.offsets + s.count + 1);
    out.positions.assign(s.positions, s.positions + batch);
  }
  return out;
}

using Way = void (*)(const std::vector<std::int64_t>&, Groups*);

void run(benchmark::State& state, const char* law, Way way) {
  Pool::instance().set_threads(1);
  const auto ids = draw({law, state.range(0)}, kRows);
  Groups groups;
  if (way == by_library) {
    const Grouping grouping = coalesce({ids.data(), std::int64_t(ids.size())}, kRows);
    groups = of(grouping.groups(), std::int64_t(ids.size()));
  } else {
    way(ids, &groups);
  }
  if (!right(ids, groups)) return state.SkipWithError("wrong answer");
  for (auto _ : state) {
    way(ids, &groups);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * state.range(0) * 8);
}

const bool registered = [] {
  const std::pair<const char*, Way> ways[] = {
      {"library", by_library}, {"stable_sort", by_stable_sort}, {"unordered_map", by_map}, {"table", by_table}};
  for (const char* law : {"uniform", "zipf", "ascending"})
    for (const auto& [name, way] : ways)
      benchmark::RegisterBenchmark((std::string("dedupe/") + law + "/" + name).c_str(),
                                   [law, way = way](benchmark::State& state) { run(state, law, way); })
          ->Arg(4096)
          ->Arg(65'536)
          ->Arg(1'000'000)
          ->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
