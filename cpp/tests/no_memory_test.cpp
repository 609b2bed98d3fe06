// A step that gets no memory has changed nothing, and the next one is right: each request in turn is refused.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "check.hpp"
#include "refuse_memory.hpp"
#include "steepest/runtime/isa_select.hpp"
#include "steepest/runtime/plan.hpp"
#include "steepest/runtime/pool.hpp"

using namespace steepest;

namespace {

const RuleInfo* find_rule(const char* name) {
  for (int k = 0; k < kernels().rule_count; ++k)
    if (std::strcmp(kernels().rules[k]->name, name) == 0) return kernels().rules[k];
  return nullptr;  // not among the common ones
}

std::vector<double> values_of(const RuleInfo& rule) {
  std::vector<double> values;
  for (int k = 0; k < rule.hyper_count; ++k) values.push_back(rule.hyper[k].initial);
  for (int k = 0; k < rule.scalar_count; ++k) values.push_back(0.5);
  return values;
}

// Parameters and what updates them. `make` gives the items of its two steps, of the same parameters and slots.
struct World {
  std::vector<std::vector<float>> arrays;  // parameters and slots
  std::vector<std::vector<float>> gradients;
  std::vector<std::vector<std::int64_t>> ids;
  std::vector<std::vector<std::int32_t>> short_ids;
  std::vector<std::unique_ptr<StepHistory>> histories;
  std::vector<const RuleInfo*> rules;
  std::vector<Hook> hooks;
  std::vector<std::function<Item()>> items;

  float* array(std::size_t size) {
    auto& out = arrays.emplace_back(size);
    for (std::size_t k = 0; k < size; ++k) out[k] = 1 + float(k % 7) / 8;
    return out.data();
  }
  const float* gradient(std::size_t size) {
    auto& out = gradients.emplace_back(size);
    for (std::size_t k = 0; k < size; ++k) out[k] = float(k % 13) / 8 - 0.75f;
    return out.data();
  }

  // A parameter of `rows` x `width` with its slots, and a dense gradient.
  Item dense(std::int64_t rows, std::int64_t width, int job = 0) {
    const auto size = std::size_t(rows * width);
    Item item;
    item.job = job;
    item.dtype = DType::f32;
    item.args.parameter = array(size);
    item.args.rows = rows;
    item.args.width = width;
    const RuleInfo& rule = *rules[std::size_t(job)];
    for (int k = 0; k < rule.slot_count; ++k)
      item.args.slots[k] = array(rule.slots[k].extent == Extent::row ? 2 * std::size_t(rows) : size);
    item.args.gradient = gradient(size);
    return item;
  }

  // The k-th of `batch` ids is k * stride modulo the rows.
  Item sparse(std::int64_t rows, std::int64_t width, std::int64_t batch, std::int64_t stride, bool wide = true) {
    Item item = dense(rows, width);
    item.args.gradient = gradient(std::size_t(batch * width));
    item.batch = batch;
    item.wide_indices = wide;
    const auto fill = [&](auto& out) {
      for (std::int64_t k = 0; k < batch; ++k) out.push_back(static_cast<std::int32_t>(k * stride % rows));
      item.indices = out.data();
    };
    if (wide)
      fill(ids.emplace_back());
    else
      fill(short_ids.emplace_back());
    return item;
  }

  void add(const Item& made) {
    items.push_back([args = made.args, dtype = made.dtype, job = made.job, indices = made.indices,
                     wide = made.wide_indices, batch = made.batch, history = made.history] {
      Item item;
      item.args = args;
      item.dtype = dtype;
      item.job = job;
      item.indices = indices;
      item.wide_indices = wide;
      item.batch = batch;
      item.history = history;
      return item;
    });
  }

  std::vector<Item> list() const {
    std::vector<Item> out;
    for (const auto& make : items) out.push_back(make());
    return out;
  }

  // Everything that a step may change, and what is read of it.
  std::string state() const {
    std::string out;
    const auto append = [&](const void* data, std::size_t bytes) { out.append(static_cast<const char*>(data), bytes); };
    for (const auto& array : arrays) append(array.data(), array.size() * sizeof(float));
    for (const auto& history : histories) {
      append(history->rates().data(), history->rates().size() * sizeof(double));
      const PendingState& pending = history->pending();
      append(&pending.now, sizeof pending.now);
      append(pending.last, std::size_t(history->rows()) * sizeof *pending.last);
      append(pending.sums, std::size_t((pending.now + 1) * pending.age_ranges * pending.terms) * sizeof(double));
      append(pending.decay1, std::size_t(pending.now + 1) * sizeof(double));
      append(pending.decay2, std::size_t(pending.now + 1) * sizeof(double));
    }
    return out;
  }
};

using MakeWorld = void (*)(World&);

void run(Plan& plan, const World& world) {
  std::vector<std::vector<double>> numbers;
  for (const RuleInfo* rule : world.rules) numbers.push_back(values_of(*rule));
  std::vector<const double*> values;
  for (const auto& list : numbers) values.push_back(list.data());
  if (plan.resolve(world.hooks) >= 0) std::abort();
  plan.run(values);
}

// One step of a plan of its own, as the first step of an optimizer is.
void first_step(World& world, std::unique_ptr<Plan>&) {
  Plan plan(kernels(), world.list(), world.rules);
  run(plan, world);
}

// One step of a plan that is kept, as those after it are.
void next_step(World& world, std::unique_ptr<Plan>& plan) {
  if (!plan) {
    plan = std::make_unique<Plan>(kernels(), world.list(), world.rules);
  } else {
    for (std::size_t k = 0; k < world.items.size(); ++k) {
      const Item given = world.items[k]();
      Item& item = plan->items()[k];
      item.args.gradient = given.args.gradient;
      item.indices = given.indices;
    }
    plan->prepare();
  }
  run(*plan, world);
  plan->release();
}

// Where requests are refused: in the step that makes the plan, or in one after so many others.
void check(const char* name, MakeWorld make, int threads, bool kept, int before, bool rest) {
  const auto step = kept ? next_step : first_step;
  std::vector<std::string> expected;  // after each step, when nothing is refused
  {
    World world;
    make(world);
    std::unique_ptr<Plan> plan;
    for (int k = 0; k < before + 2; ++k) {
      if (k == before) expected.push_back(world.state());
      step(world, plan);
    }
    expected.push_back(world.state());
  }
  long n = 0;
  for (bool reached = true; reached; ++n) {
    World world;
    make(world);
    std::unique_ptr<Plan> plan;
    Pool::instance().set_threads(1);
    Pool::instance().set_threads(threads);  // its workers are made anew
    for (int k = 0; k < before; ++k) step(world, plan);
    refuse_memory(n, rest);
    bool failed = false;
    try {
      step(world, plan);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    reached = has_refused_memory();
    refuse_memory(-1, false);
    if (failed) {
      CHECK(world.state() == expected.front(), "%s: request %ld of %d threads, plan kept %d, all %d", name, n, threads,
            kept, rest);
      step(world, plan);
    }
    step(world, plan);
    CHECK(world.state() == expected.back(), "%s: after request %ld of %d threads, plan kept %d, all %d", name, n,
          threads, kept, rest);
    if (n > 2000) std::abort();
  }
  CHECK(n > 1, "%s asks for no memory", name);
}

void dense(World& world) {
  world.rules = {find_rule("adam")};
  for (const std::int64_t rows : {5, 40000, 300}) world.add(world.dense(rows, 1));
}

void batches(World& world) {
  world.rules = {find_rule("momentum")};
  world.add(world.sparse(100, 3, 300, 7));        // each row three times
  world.add(world.sparse(500, 2, 400, 17));       // each once, in another order
  world.add(world.sparse(90, 1, 100, 1, false));  // some twice
  world.add(world.sparse(100, 1, 30, 1));         // ascending
}

void large_batch(World& world) {
  world.rules = {find_rule("sgd")};
  world.add(world.sparse(50000, 1, 270000, 7919));  // sorted by several threads
}

void every_row(World& world) {
  world.rules = {find_rule("adam")};
  world.add(world.sparse(300, 4, 50, 7));
}

void pending_rows(World& world) {
  world.rules = {find_rule("lazy_adam")};
  Item item = world.sparse(300, 4, 50, 7);
  item.history = world.histories.emplace_back(std::make_unique<StepHistory>(0.9, 0.999, 1e-3, 300, false)).get();
  world.add(item);
}

void own_norms(World& world) {
  dense(world);
  world.add(world.sparse(100, 3, 300, 7));
  world.hooks = {{Hook::l2, 0.01, 0}, {Hook::clip_by_norm, 1, 0}, {Hook::decoupled, 0.01, 0}};
}

void common_norm(World& world) {
  batches(world);
  world.hooks = {{Hook::check_finite, 0, 0}, {Hook::clip_by_value, -0.5, 0.5}, {Hook::clip_by_global_norm, 1, 0}};
}

void shared_memory(World& world) {
  world.rules = {find_rule("sgd"), find_rule("adagrad")};
  const Item first = world.dense(40000, 1);
  world.add(first);
  Item second = world.dense(40000, 1, 1);  // the same parameter, its gradient that parameter's values
  second.args.parameter = first.args.parameter;
  second.args.gradient = first.args.parameter;
  world.add(second);
  Item third = world.dense(200, 100, 1);  // every other column of an array
  world.items.push_back([args = third.args] {
    Item item;
    item.args = args;
    item.args.width = 50;
    item.job = 1;
    item.strided = std::make_unique<Strided>();
    item.strided->data = static_cast<std::byte*>(args.parameter);
    item.strided->axes = {{200, 100 * sizeof(float)}, {50, 2 * sizeof(float)}};
    return item;
  });
}

void ratio(World& world) {
  world.rules = {find_rule("lars")};
  world.add(world.dense(40000, 1));
  world.add(world.sparse(100, 3, 300, 7));
  world.hooks = {{Hook::clip_by_norm, 1, 0}};
}

struct Case {
  const char* name;
  MakeWorld make;
};

}  // namespace

int main() {
  std::vector<Case> cases{{"dense", dense},
                          {"batches", batches},
                          {"every row", every_row},
                          {"pending rows", pending_rows},
                          {"own norms", own_norms},
                          {"common norm", common_norm},
                          {"shared memory", shared_memory}};
  if (find_rule("lars") != nullptr) cases.push_back({"ratio", ratio});
  for (const Case& each : cases)
    for (const bool rest : {false, true})
      for (const int threads : {1, 3}) {
        check(each.name, each.make, threads, false, 0, rest);
        for (const int before : {0, 2}) check(each.name, each.make, threads, true, before, rest);
      }
  check("large batch", large_batch, 3, true, 1, false);
  return report("no_memory");
}
