// Many tensors at once: threads, waves, norms, hooks.
#include "steepest/runtime/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>

#include "check.hpp"
#include "steepest/runtime/isa_select.hpp"
#include "steepest/runtime/pool.hpp"

using namespace steepest;

namespace {

const RuleInfo& rule_named(const char* name) {
  for (int k = 0; k < kernels().rule_count; ++k)
    if (std::strcmp(kernels().rules[k]->name, name) == 0) return *kernels().rules[k];
  std::abort();
}

Item dense_item(std::vector<float>& w, const float* g) {
  Item item;
  item.dtype = DType::f32;
  item.args.parameter = w.data();
  item.args.gradient = g;
  item.args.rows = std::int64_t(w.size());
  item.args.width = 1;
  return item;
}

// Rows of `width` columns, g's k-th for row indices[k].
Item sparse_item(std::vector<float>& w, std::int64_t rows, std::int64_t width, const float* g,
                 const std::vector<std::int64_t>& indices) {
  Item item = dense_item(w, g);
  item.args.rows = rows;
  item.args.width = width;
  item.indices = indices.data();
  item.wide_indices = true;
  item.batch = std::int64_t(indices.size());
  return item;
}

// The one rule of a plan, with its numbers.
void run(Plan& plan, const double* values) { plan.run(std::span(&values, 1)); }

void run_sgd(std::vector<Item> items, double rate, const std::vector<Hook>& hooks = {}) {
  Plan plan(kernels(), std::move(items), {&rule_named("sgd")});
  CHECK(plan.resolve(hooks) == -1, "resolve");
  run(plan, &rate);
}

std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> out(count);
  for (float& x : out) x = uniform(random);
  return out;
}

void test_a_parameter_that_comes_twice_is_updated_twice() {
  for (const std::size_t n : {std::size_t{5}, std::size_t{100000}}) {
    std::vector<float> w(n, 1.0f), a(n, 1.0f), b(n, 2.0f);
    std::vector<Item> items;
    items.push_back(dense_item(w, a.data()));
    items.push_back(dense_item(w, b.data()));
    run_sgd(std::move(items), 0.25);
    for (const float x : w) CHECK(x == 0.25f, "got %g", double(x));
  }
}

void test_many_updates_of_one_parameter_do_not_race() {
  Pool::instance().set_threads(4);
  std::vector<float> w(20000, 0.0f), g(20000, 1.0f);  // few chunks, so that neighbours in the list meet
  for (int round = 0; round < 20; ++round) {
    std::vector<Item> items;
    for (int k = 0; k < 50; ++k) items.push_back(dense_item(w, g.data()));
    run_sgd(std::move(items), 1);
  }
  for (const float x : w) CHECK(x == -1000, "got %g", double(x));
}

void test_a_gradient_that_is_the_parameter_means_its_old_values() {
  std::vector<float> w{1, 2, 3}, v{5, 5, 5};
  std::vector<Item> items;
  items.push_back(dense_item(w, v.data()));
  items.push_back(dense_item(v, w.data()));
  run_sgd(std::move(items), 1);
  CHECK(w[0] == -4 && w[2] == -2, "w %g %g", double(w[0]), double(w[2]));
  CHECK(v[0] == 4 && v[2] == 2, "v %g %g", double(v[0]), double(v[2]));
}

// A dense gradient, the rows of the same ascending, and these in another order.
struct Forms {
  static constexpr std::int64_t kRows = 30000, kWidth = 7;
  std::vector<float> dense = random_values(std::size_t(kRows * kWidth), 5), shuffled = dense;
  std::vector<std::int64_t> ascending, order;

  Forms() {
    for (std::int64_t k = 0; k < kRows; ++k) {
      ascending.push_back(k);
      order.push_back(k * 7919 % kRows);
      std::copy_n(dense.begin() + order.back() * kWidth, kWidth, shuffled.begin() + k * kWidth);
    }
  }

  template <class Body>
  void each(std::vector<float>& w, const Body& body) const {
    for (const int threads : {1, 2, 3, 7}) {
      Pool::instance().set_threads(threads);
      Item item = dense_item(w, dense.data());
      item.args.rows = kRows;
      item.args.width = kWidth;
      body(std::move(item), "dense");
      body(sparse_item(w, kRows, kWidth, dense.data(), ascending), "ascending rows");
      body(sparse_item(w, kRows, kWidth, shuffled.data(), order), "rows in another order");
    }
  }
};

void test_norms_do_not_depend_on_threads_or_form() {
  const Forms forms;
  const std::vector<float>& g = forms.dense;
  std::vector<float> w(g.size());
  double first = -1;
  forms.each(w, [&](Item item, const char* form) {
    std::vector<Item> items;
    items.push_back(std::move(item));
    const double norm = Plan(kernels(), std::move(items)).norms()[0];
    if (first < 0) first = norm;
    CHECK(norm == first, "%s: %.17g instead of %.17g", form, norm, first);
  });
  long double exact = 0;
  for (const float x : g) exact += static_cast<long double>(x) * x;
  CHECK(std::fabs(first - double(std::sqrt(exact))) < 1e-13 * first, "%.17g", first);
}

void test_updates_do_not_depend_on_threads_or_form() {
  const Forms forms;
  for (const char* name : {"sgd", "adam"}) {  // adam moves every row
    const RuleInfo& rule = rule_named(name);
    std::vector<double> values;
    for (int k = 0; k < rule.hyper_count; ++k) values.push_back(rule.hyper[k].initial);
    for (int k = 0; k < rule.scalar_count; ++k) values.push_back(0.5);
    for (const std::vector<Hook>& hooks : {std::vector<Hook>{}, std::vector<Hook>{{Hook::clip_by_norm, 1, 0}}}) {
      std::vector<float> w, first;
      forms.each(w, [&](Item item, const char* form) {
        w.assign(forms.dense.size(), 1.0f);
        std::vector<float> slots[2] = {w, w};
        item.args.parameter = w.data();
        for (int k = 0; k < rule.slot_count; ++k) item.args.slots[k] = slots[k].data();
        std::vector<Item> items;
        items.push_back(std::move(item));
        Plan plan(kernels(), std::move(items), {&rule});
        plan.resolve(hooks);
        run(plan, values.data());
        if (first.empty()) first = w;
        CHECK(w == first, "%s, %s", name, form);
      });
    }
  }
  Pool::instance().set_threads(1);
}

void test_norms_of_doubles_neither_overflow_nor_vanish() {
  for (const double size : {1e200, 1e-200, 5e-324, 1e300}) {
    std::vector<double> w(4), g{size, 2 * size, 2 * size, 4 * size};
    Item item;
    item.dtype = DType::f64;
    item.args.parameter = w.data();
    item.args.gradient = g.data();
    item.args.rows = 1;
    item.args.width = 4;
    std::vector<Item> items;
    items.push_back(std::move(item));
    const double norm = Plan(kernels(), std::move(items)).norms()[0];
    CHECK(std::fabs(norm / size - 5) < 1e-12, "norm %g of size %g", norm, size);
  }
}

void test_global_norm_scales_everything_alike() {
  std::vector<float> w(2, 0.0f), v(1, 0.0f), g{3, 0}, h{4};
  std::vector<Item> items;
  items.push_back(dense_item(w, g.data()));
  items.push_back(dense_item(v, h.data()));
  run_sgd(std::move(items), 1, {{Hook::clip_by_global_norm, 2.5, 0}});
  CHECK(w[0] == -1.5f && v[0] == -2.0f, "%g %g", double(w[0]), double(v[0]));
}

void test_a_gradient_that_is_not_finite_is_named() {
  std::vector<float> w(2, 0.0f), v(1, 0.0f), g{3, 0}, h{std::numeric_limits<float>::quiet_NaN()};
  std::vector<Item> items;
  items.push_back(dense_item(w, g.data()));
  items.push_back(dense_item(v, h.data()));
  Plan plan(kernels(), std::move(items));
  CHECK(plan.resolve({{Hook::check_finite, 0, 0}}) == 1, "the second item");
  CHECK(w[0] == 0, "nothing has changed");
}

// Hundreds of tensors of Adam, of up to `most` elements: one call for all, or one for each.
std::vector<float> train_many(std::size_t most, bool together, const std::vector<Hook>& hooks) {
  const RuleInfo& rule = rule_named("adam");
  const double values[] = {0.001, 0.9, 0.999, 1e-8, 0.9, 0.999};
  const std::vector<float> g = random_values(most, 3);
  std::vector<std::vector<float>> arrays;
  std::vector<Item> items;
  for (std::size_t k = 0; k < 400; ++k) {
    const std::size_t size = (most + 7 * k) % most + 1;
    for (const float first : {1.0f, 0.5f, 2.0f}) arrays.emplace_back(size, first);
    items.push_back(dense_item(arrays[3 * k], g.data()));
    items.back().args.slots[0] = arrays[3 * k + 1].data();
    items.back().args.slots[1] = arrays[3 * k + 2].data();
  }
  std::vector<std::vector<Item>> calls;
  if (together)
    calls.push_back(std::move(items));
  else
    for (Item& item : items) calls.emplace_back().push_back(std::move(item));
  for (std::vector<Item>& call : calls) {
    Plan plan(kernels(), std::move(call), {&rule});
    CHECK(plan.resolve(hooks) == -1, "resolve");
    run(plan, values);
    std::size_t known = 0;
    for (const Item& item : plan.items()) known += item.args.next != nullptr;
    // Of many the last alone has none to follow it; one by itself has none either.
    CHECK(known == (together ? plan.items().size() - 1 : 0), "%zu of %zu", known, plan.items().size());
  }
  std::vector<float> out;
  for (const std::vector<float>& array : arrays) out.insert(out.end(), array.begin(), array.end());
  return out;
}

void test_tensors_that_follow_each_other_are_updated_alone() {
  for (const std::vector<Hook>& hooks :
       {std::vector<Hook>{}, std::vector<Hook>{{Hook::clip_by_value, -0.5, 0.5}, {Hook::l2, 0.01, 0}}})
    for (const std::size_t most : {std::size_t{3000}, std::size_t{700}})
      CHECK(train_many(most, true, hooks) == train_many(most, false, hooks), "%zu hooks", hooks.size());
}

// Tables are grouped by all threads: the same bits as by one, and where an index is wrong all stay as they were.
void test_many_tables_are_grouped_by_any_number_of_threads() {
  constexpr std::size_t kTables = 20, kIds = 2000;
  constexpr std::int64_t kRows = 500, kWidth = 3;
  std::mt19937 random(7);
  std::vector<std::vector<std::int64_t>> indices(kTables, std::vector<std::int64_t>(kIds));
  for (auto& table : indices)
    for (std::int64_t& row : table) row = std::int64_t(random() % kRows);
  const std::vector<float> g = random_values(kIds * std::size_t(kWidth), 1), start = random_values(kRows * kWidth, 2);
  const auto train = [&](int threads, bool wrong_index) {
    Pool::instance().set_threads(threads);
    std::vector<std::vector<float>> tables(kTables, start);
    indices[13][1234] = wrong_index ? kRows : 0;
    std::vector<Item> items;
    for (std::size_t k = 0; k < kTables; ++k)
      items.push_back(sparse_item(tables[k], kRows, kWidth, g.data(), indices[k]));
    bool thrown = false;
    try {
      run_sgd(std::move(items), 0.1);
    } catch (const std::out_of_range&) {
      thrown = true;
    }
    CHECK(thrown == wrong_index, "%d threads", threads);
    return tables;
  };
  const auto expected = train(1, false);
  CHECK(expected[0] != start, "nothing moved");
  for (const int threads : {2, 5}) {
    CHECK(train(threads, false) == expected, "%d threads", threads);
    CHECK(train(threads, true) == std::vector<std::vector<float>>(kTables, start), "%d threads", threads);
  }
  Pool::instance().set_threads(1);
}

}  // namespace

int main() {
  test_a_parameter_that_comes_twice_is_updated_twice();
  test_many_updates_of_one_parameter_do_not_race();
  test_a_gradient_that_is_the_parameter_means_its_old_values();
  test_norms_do_not_depend_on_threads_or_form();
  test_updates_do_not_depend_on_threads_or_form();
  test_norms_of_doubles_neither_overflow_nor_vanish();
  test_global_norm_scales_everything_alike();
  test_a_gradient_that_is_not_finite_is_named();
  test_tensors_that_follow_each_other_are_updated_alone();
  test_many_tables_are_grouped_by_any_number_of_threads();
  return report("plan");
}
