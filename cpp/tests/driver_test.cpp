// Every driver on every rule and type: counts x misalignments, sentinels around every buffer, and the same bits from
// every compiled instruction set.
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "steepest/kernel/half.hpp"
#include "steepest/runtime/grouping.hpp"
#include "steepest/runtime/isa_select.hpp"

using namespace steepest;

namespace {

constexpr std::size_t kGuard = 64;
constexpr unsigned char kSentinel = 0xa5;

// Bytes between two guards, starting `shift` elements after an aligned address.
class Guarded {
 public:
  Guarded(std::size_t count, std::size_t size, std::size_t shift)
      : bytes_(count * size), offset_(kGuard + shift * size), memory_(offset_ + bytes_ + kGuard, kSentinel) {}
  void* data() { return memory_.data() + offset_; }
  std::size_t bytes() const { return bytes_; }
  bool intact() const {
    for (std::size_t k = 0; k < memory_.size(); ++k)
      if ((k < offset_ || k >= offset_ + bytes_) && memory_[k] != kSentinel) return false;
    return true;
  }
  std::string contents() const { return {reinterpret_cast<const char*>(memory_.data()) + offset_, bytes_}; }

 private:
  std::size_t bytes_, offset_;
  std::vector<unsigned char> memory_;
};

std::size_t stored_size(int dtype) { return dtype == int(DType::f64) ? 8 : dtype == int(DType::f32) ? 4 : 2; }

void fill(Guarded& buffer, int dtype, std::uint32_t seed, bool positive) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(positive ? 0.5f : -1.0f, 1.0f);
  const std::size_t size = stored_size(dtype), count = buffer.bytes() / size;
  auto* at = static_cast<unsigned char*>(buffer.data());
  for (std::size_t k = 0; k < count; ++k, at += size) {
    const float value = uniform(random);
    if (dtype == int(DType::f64)) {
      const double wide = double(value) * 1.0000001;
      std::memcpy(at, &wide, 8);
    } else if (dtype == int(DType::f32)) {
      std::memcpy(at, &value, 4);
    } else {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      const auto narrow = std::uint16_t((dtype == int(DType::f16) ? Half::narrow(bits) : BFloat16::narrow(bits)) >> 16);
      std::memcpy(at, &narrow, 2);
    }
  }
}

// Everything that one update has written.
struct Outcome {
  std::string bytes;
  bool intact = true;
};

Outcome update(const RuleInfo& rule, int dtype, std::int64_t rows, std::int64_t width, std::size_t shift,
               const std::vector<std::int64_t>* indices, std::int64_t split, std::int64_t ahead = -1,
               const std::vector<GradientOp>& ops = {}) {
  const auto size = static_cast<std::size_t>(rows * width);
  const auto batch = indices == nullptr ? size : indices->size() * std::size_t(width);
  const int wide = dtype == int(DType::f64) ? dtype : int(DType::f32);
  Guarded w(size, stored_size(dtype), shift), g(batch, stored_size(dtype), (shift * 3 + 1) % 5);
  fill(w, dtype, 1, false);
  fill(g, dtype, 2, false);
  std::vector<Guarded> slots;
  for (int k = 0; k < rule.slot_count; ++k) {
    const bool row = rule.slots[k].extent == Extent::row;
    slots.emplace_back(row ? std::size_t(rows) : size, row ? 8 : stored_size(wide), row ? 0 : (shift + 2) % 5);
    if (row)
      std::memset(slots.back().data(), 0, slots.back().bytes());
    else
      fill(slots.back(), wide, 3 + std::uint32_t(k), true);
  }
  std::vector<double> values;
  for (int k = 0; k < rule.hyper_count; ++k) values.push_back(rule.hyper[k].initial);
  for (int k = 0; k < rule.scalar_count; ++k)
    values.push_back(std::string(rule.scalars[k].name) == "global_step" ? 100000 : 0.9);
  alignas(64) std::byte step[kStepBytes];
  rule.kernels[dtype].step(values.data(), step);

  UpdateArgs args{};
  args.parameter = w.data();
  args.gradient = g.data();
  for (int k = 0; k < rule.slot_count; ++k) args.slots[k] = slots[std::size_t(k)].data();
  args.rows = rows;
  args.width = width;
  args.ops = ops.data();
  args.op_count = int(ops.size());
  args.parameter_norm = args.measured_norm = 1;
  UpdateArgs next = args;  // of so many elements, none of which may be changed
  next.rows = ahead;
  next.width = 1;
  if (ahead >= 0) args.next = &next;
  Grouping grouping;
  RowGroups groups{};
  std::int64_t count = rows * width;
  if (indices != nullptr) {
    grouping = coalesce({indices->data(), std::int64_t(indices->size())}, rows);
    groups = grouping.groups();
    args.groups = &groups;
    count = rule.every_row ? rows : groups.count;
  }
  const auto fn = indices != nullptr ? rule.kernels[dtype].sparse : rule.kernels[dtype].dense;
  split = indices == nullptr ? split * width : split;  // whole rows
  if (split > 0 && split < count) {
    fn(step, args, split, count);
    fn(step, args, 0, split);
  } else {
    fn(step, args, 0, count);
  }
  Outcome out{w.contents(), w.intact() && g.intact()};
  for (const Guarded& slot : slots) {
    out.bytes += slot.contents();
    out.intact = out.intact && slot.intact();
  }
  return out;
}

}  // namespace

int main() {
  const std::vector<const KernelTable*> tables = available_kernels();
  for (int r = 0; r < tables[0]->rule_count; ++r)
    for (int dtype = 0; dtype < kDTypes; ++dtype)
      for (std::int64_t n = 0; n <= 35; ++n)
        for (const std::int64_t width : {std::int64_t{1}, n}) {
          if (width == 0) continue;
          const std::int64_t rows = width == 1 ? n : 3;
          std::vector<std::int64_t> all(static_cast<std::size_t>(rows));
          for (std::int64_t k = 0; k < rows; ++k) all[std::size_t(k)] = rows - 1 - k;
          std::vector<std::int64_t> ascending(all.rbegin(), all.rend());
          const RuleInfo& rule = *tables[0]->rules[r];
          const Outcome expected = update(rule, dtype, rows, width, 0, nullptr, 0);
          for (const KernelTable* table : tables)
            for (std::size_t shift = 0; shift < 4; ++shift) {
              const std::int64_t split = rows / 2;
              const Outcome dense = update(*table->rules[r], dtype, rows, width, shift, nullptr, split);
              const Outcome sparse = update(*table->rules[r], dtype, rows, width, shift, &ascending, split);
              const std::int64_t ahead = std::int64_t(shift) * 16;
              const Outcome followed = update(*table->rules[r], dtype, rows, width, shift, nullptr, split, ahead);
              CHECK(followed.bytes == expected.bytes && followed.intact, "%s %s dtype %d rows %ld, then %ld elements",
                    table->isa, rule.name, dtype, long(rows), long(ahead));
              CHECK(dense.intact && sparse.intact, "%s wrote outside its buffers", rule.name);
              CHECK(dense.bytes == expected.bytes, "%s %s dtype %d rows %ld width %ld shift %zu", table->isa, rule.name,
                    dtype, long(rows), long(width), shift);
              CHECK(sparse.bytes == expected.bytes, "%s sparse %s dtype %d rows %ld width %ld", table->isa, rule.name,
                    dtype, long(rows), long(width));
            }
        }
  // Ops, one and several: dense goes tile by tile and rows piece by piece, and rows may be longer than either.
  const std::vector<std::vector<GradientOp>> chains{
      {{GradientOp::clamp, -0.5, 0.5}},
      {{GradientOp::decoupled, 0.01, 0}},
      {{GradientOp::scale, 0.5, 0}, {GradientOp::l2, 0.1, 0}},
      {{GradientOp::l2, 0.1, 0}, {GradientOp::decoupled, 0.01, 0}, {GradientOp::clamp, -0.5, 0.5}}};
  const std::vector<std::int64_t> all{0, 1, 2};
  for (int r = 0; r < tables[0]->rule_count; ++r)
    for (int dtype = 0; dtype < kDTypes; ++dtype)
      for (const std::int64_t width : {1, 3, 4, 17, 64, 600, 1030, 2100})
        for (const auto& ops : chains) {
          const Outcome expected = update(*tables[0]->rules[r], dtype, 3, width, 0, nullptr, 0, -1, ops);
          const Outcome plain = update(*tables[0]->rules[r], dtype, 3, width, 0, nullptr, 0);
          // A few numbers may all lie within a clamp, and dual averaging does not look at the parameter.
          CHECK(width < 17 || ops.size() == 1 || expected.bytes != plain.bytes, "%s dtype %d: ops change nothing",
                tables[0]->rules[r]->name, dtype);
          for (const KernelTable* table : tables) {
            const RuleInfo& rule = *table->rules[r];
            const Outcome dense = update(rule, dtype, 3, width, 1, nullptr, 1, -1, ops);
            const Outcome sparse = update(rule, dtype, 3, width, 2, &all, 1, -1, ops);
            CHECK(dense.intact && sparse.intact, "%s wrote outside its buffers", rule.name);
            CHECK(dense.bytes == expected.bytes && sparse.bytes == expected.bytes,
                  "%s %s dtype %d width %ld with %zu ops", table->isa, rule.name, dtype, long(width), ops.size());
          }
        }
  return report("driver");
}
