// Rows that come several times in a batch, with weights or without: the same bits as their sums given once, on every
// rule, type and processor, however the rows are shared out.
#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "steepest/runtime/grouping.hpp"
#include "steepest/runtime/isa_select.hpp"

using namespace steepest;

namespace {

struct World {
  std::int64_t rows, width;
  std::vector<std::int64_t> indices;
  std::vector<float> gradient;
  std::vector<float> weights;  // empty, or one for each index
};

World make_world(std::int64_t width, unsigned seed) {
  constexpr std::int64_t kRows = 40;
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  World world{kRows, width, {}, {}, {}};
  // Row 7 fills more than two chunks, row 8 exactly one; others come once, twice or not at all.
  for (int k = 0; k < 600; ++k) world.indices.push_back(7);
  for (int k = 0; k < 256; ++k) world.indices.push_back(8);
  for (int k = 0; k < 60; ++k) world.indices.push_back(10 + std::int64_t(random() % 30));
  std::shuffle(world.indices.begin(), world.indices.end(), random);
  for (std::size_t k = 0; k < world.indices.size() * std::size_t(width); ++k) world.gradient.push_back(uniform(random));
  return world;
}

// The sums by the rule that the documentation states, one occurrence after the other.
World summed(const World& world) {
  World out{world.rows, world.width, {}, {}, {}};
  for (std::int64_t row = 0; row < world.rows; ++row) {
    std::vector<std::vector<float>> chunks;
    std::int64_t seen = 0;
    for (std::size_t k = 0; k < world.indices.size(); ++k) {
      if (world.indices[k] != row) continue;
      const auto begin = world.gradient.begin() + std::ptrdiff_t(k) * world.width;
      std::vector<float> g(begin, begin + world.width);
      for (float& x : g) x *= world.weights.empty() ? 1 : world.weights[k];
      if (seen++ % 256 == 0)
        chunks.push_back(g);
      else
        for (std::int64_t c = 0; c < world.width; ++c) chunks.back()[std::size_t(c)] += g[std::size_t(c)];
    }
    if (chunks.empty()) continue;
    for (std::size_t k = 1; k < chunks.size(); ++k)
      for (std::size_t c = 0; c < std::size_t(world.width); ++c) chunks[0][c] += chunks[k][c];
    out.indices.push_back(row);
    out.gradient.insert(out.gradient.end(), chunks[0].begin(), chunks[0].end());
  }
  return out;
}

std::string update(const RuleInfo& rule, DType dtype, const World& world, std::int64_t pieces,
                   const std::vector<GradientOp>& ops) {
  const std::size_t size = std::size_t(world.rows * world.width);
  std::vector<float> slot_memory(size * 4 * 2, 0.5f);
  std::vector<std::int64_t> row_memory(std::size_t(world.rows), 0);
  std::vector<std::uint16_t> half(size, 0x3c00);
  std::vector<float> full(size, 1.0f);
  UpdateArgs args{};
  args.parameter = dtype == DType::f32 ? static_cast<void*>(full.data()) : half.data();
  args.gradient = world.gradient.data();
  args.wide_gradient = dtype != DType::f32;
  args.rows = world.rows;
  args.width = world.width;
  args.ops = ops.data();
  args.op_count = int(ops.size());
  for (int k = 0; k < rule.slot_count; ++k)
    args.slots[k] = rule.slots[k].extent == Extent::row ? static_cast<void*>(row_memory.data())
                                                        : slot_memory.data() + std::size_t(k) * size;
  std::vector<double> values;
  for (int k = 0; k < rule.hyper_count; ++k) values.push_back(rule.hyper[k].initial);
  for (int k = 0; k < rule.scalar_count; ++k)
    values.push_back(std::string(rule.scalars[k].name) == "global_step" ? 100000 : 0.9);
  alignas(64) std::byte step[kStepBytes];
  rule.kernels[int(dtype)].step(values.data(), step);
  const auto batch = std::int64_t(world.indices.size());
  Grouping grouping = coalesce({world.indices.data(), batch}, world.rows);
  if (!world.weights.empty()) grouping.weigh(world.weights.data(), batch, sizeof(float));
  args.groups = &grouping.groups();
  const std::int64_t count = rule.every_row ? world.rows : args.groups->count;
  for (std::int64_t piece = pieces - 1; piece >= 0; --piece)
    rule.kernels[int(dtype)].sparse(step, args, count * piece / pieces, count * (piece + 1) / pieces);
  std::string bytes(static_cast<const char*>(args.parameter), size * (dtype == DType::f32 ? 4 : 2));
  bytes.append(reinterpret_cast<const char*>(slot_memory.data()), slot_memory.size() * sizeof(float));
  bytes.append(reinterpret_cast<const char*>(row_memory.data()), row_memory.size() * sizeof(std::int64_t));
  return bytes;
}

}  // namespace

int main() {
  const std::vector<const KernelTable*> tables = available_kernels();
  const std::vector<GradientOp> none, clamped{{GradientOp::clamp, -0.5, 0.75}};
  for (const std::int64_t width : {1, 2, 3, 4, 5, 8, 15, 16, 17, 32, 64, 65, 128, 300, 1000, 1024, 1025, 2100}) {
    World world = make_world(width, unsigned(width));
    for (std::size_t k = 0; width % 2 == 0 && k < world.indices.size(); ++k)
      world.weights.push_back(0.3f * float(int(k % 7) - 2));
    const World once = summed(world);
    for (int r = 0; r < tables[0]->rule_count; ++r)
      for (const DType dtype : {DType::f32, DType::bf16})
        for (const auto* ops : {&none, &clamped}) {
          const std::string expected = update(*tables[0]->rules[r], dtype, once, 1, *ops);
          for (const KernelTable* table : tables)
            for (const std::int64_t pieces : {1, 2, 5}) {
              const std::string got = update(*table->rules[r], dtype, world, pieces, *ops);
              CHECK(got == expected, "%s %s dtype %d width %ld in %ld pieces, %d ops", table->isa,
                    table->rules[r]->name, int(dtype), long(width), long(pieces), int(ops->size()));
            }
        }
  }
  return report("occurrences");
}
