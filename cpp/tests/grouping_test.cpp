// Grouping duplicates, against a map.
#include "steepest/runtime/grouping.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "check.hpp"
#include "steepest/runtime/pool.hpp"

using namespace steepest;

namespace {

using Groups = std::map<std::int64_t, std::vector<std::uint32_t>>;

void compare(const Groups& expected, const RowGroups& s, RowOrder order) {
  CHECK(s.count == std::int64_t(expected.size()), "%ld rows instead of %zu", long(s.count), expected.size());
  std::set<std::int64_t> seen;
  for (std::int64_t u = 0; u < s.count; ++u) {
    const std::int64_t row = s.rows[u];
    CHECK(expected.count(row) == 1 && seen.insert(row).second, "row %ld comes once", long(row));
    CHECK(order == RowOrder::any || u == 0 || s.rows[u - 1] < row, "row %ld ascends", long(row));
    const auto& positions = expected.at(row);
    if (s.positions == nullptr) {
      CHECK(positions.size() == 1 && positions[0] == u, "position of row %ld", long(row));
      continue;
    }
    CHECK(s.offsets[u + 1] - s.offsets[u] == positions.size(), "occurrences of row %ld", long(row));
    for (std::size_t k = 0; k < positions.size(); ++k)
      CHECK(s.positions[s.offsets[u] + std::int64_t(k)] == positions[k], "occurrence %zu of row %ld", k, long(row));
  }
}

template <class Index>
void compare(const std::vector<Index>& indices, std::int64_t rows) {
  Groups expected;
  for (std::size_t k = 0; k < indices.size(); ++k) expected[indices[k]].push_back(std::uint32_t(k));
  for (const RowOrder order : {RowOrder::ascending, RowOrder::any})
    compare(expected, coalesce({indices.data(), std::int64_t(indices.size())}, rows, order).groups(), order);
  if (indices.empty()) return;
  // A column of a matrix, and one that is read backwards.
  const auto count = std::int64_t(indices.size());
  std::vector<Index> apart(indices.size() * 3, -1), backwards(indices.rbegin(), indices.rend());
  for (std::size_t k = 0; k < indices.size(); ++k) apart[3 * k] = indices[k];
  compare(expected, coalesce({apart.data(), count, 3}, rows).groups(), RowOrder::ascending);
  compare(expected, coalesce({backwards.data() + count - 1, count, -1}, rows).groups(), RowOrder::ascending);
}

// Where few rows are repeated, and the order is free, the others' gradients are read as they come.
void test_rows_that_come_once_stay_in_batch_order() {
  std::mt19937_64 random(6);
  for (const std::int64_t rows : {5000L, 1000000L, 4294967296L})
    for (const std::size_t repeats : {0u, 1u, 40u}) {
      std::vector<std::int64_t> indices;
      for (std::int64_t k = 0; k < 1000; ++k) indices.push_back((k * 7919 + 13) % 5000 * (rows / 5000));
      for (std::size_t k = 0; k < repeats; ++k) indices[999 - k] = indices[k];
      compare(indices, rows);
      const Grouping got = coalesce({indices.data(), 1000}, rows, RowOrder::any);
      const RowGroups& s = got.groups();
      std::int64_t in_order = 0;
      for (std::int64_t u = 1; u < s.count; ++u)
        in_order += s.positions == nullptr || s.positions[s.offsets[u - 1]] < s.positions[s.offsets[u]];
      // A few rows share a hash value with another one, and are taken for repeated.
      CHECK(in_order >= 1000 - 3 * std::int64_t(repeats) - 80, "%ld of %ld", long(in_order), long(s.count));
    }
}

template <class Index>
void test_groups_agree_with_a_map() {
  std::mt19937_64 random(3);
  for (const std::int64_t rows : {1L, 2L, 7L, 2048L, 2049L, 1000000L, 2147483647L})
    for (const int count : {0, 1, 2, 3, 100, 511, 512, 513, 5000}) {
      std::vector<Index> indices(static_cast<std::size_t>(count));
      for (Index& index : indices) index = Index(random() % std::uint64_t(rows));
      compare(indices, rows);
      std::sort(indices.begin(), indices.end());
      compare(indices, rows);
      indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
      compare(indices, rows);
    }
}

void test_rows_beyond_32_bits() {
  std::mt19937_64 random(4);
  const std::int64_t rows = std::int64_t{1} << 40;
  for (const int count : {1, 100, 3000}) {
    std::vector<std::int64_t> indices(static_cast<std::size_t>(count));
    for (auto& index : indices) index = std::int64_t(random() % 50) * (rows / 50);
    compare(indices, rows);
  }
}

// Large enough for every number of threads to take part.
void test_groups_do_not_depend_on_threads() {
  std::mt19937_64 random(5);
  constexpr std::size_t kCount = 400000;
  for (const std::int64_t rows : {1L, 3L, 1000L, 1000000L, 4294967296L}) {
    std::vector<std::int64_t> indices(kCount);
    // A third of the batch is one row, which the cuts between threads fall into.
    for (auto& index : indices) index = random() % 3 == 0 ? rows / 2 : std::int64_t(random() % std::uint64_t(rows));
    for (const int threads : {1, 2, 3, 7}) {
      Pool::instance().set_threads(threads);
      compare(indices, rows);
    }
  }
  Pool::instance().set_threads(1);
}

void test_memory_is_bounded() {
  constexpr std::int64_t kCount = 100000;
  const std::size_t before = cached_bytes();
  std::vector<std::int64_t> indices(kCount);
  for (std::int64_t k = 0; k < kCount; ++k) indices[std::size_t(k)] = (k * 7919) % 95000;
  for (const RowOrder order : {RowOrder::ascending, RowOrder::any})
    for (int round = 0; round < 5; ++round) coalesce({indices.data(), kCount}, std::int64_t{1} << 30, order);
  const std::size_t cached = cached_bytes() - before;
  CHECK(cached > 0 && cached <= 44 * kCount, "%zu bytes are cached for %ld ids", cached, long(kCount));
}

void test_the_first_bad_index_is_found() {
  std::vector<std::int32_t> indices{0, 4, 5, -1};
  CHECK(first_out_of_range({indices.data(), 4}, 6) == 3, "negative");
  CHECK(first_out_of_range({indices.data(), 4}, 5) == 2, "too large");
  CHECK(first_out_of_range({indices.data(), 2}, 5) == -1, "all good");
  CHECK(first_out_of_range({indices.data(), 0}, 0) == -1, "empty");
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{9}, INT64_MIN, INT64_MAX, std::int64_t{1} << 32})
    for (const std::size_t at : {0u, 1u, 1023u, 1024u, 1025u, 4999u}) {
      std::vector<std::int64_t> many(5000, 8);
      many[at] = bad;
      const std::int64_t position = first_out_of_range({many.data(), 5000}, 9);
      CHECK(position == std::int64_t(at), "%ld instead of %zu", long(position), at);
    }
}

}  // namespace

int main() {
  test_memory_is_bounded();
  test_groups_do_not_depend_on_threads();
  test_groups_agree_with_a_map<std::int32_t>();
  test_groups_agree_with_a_map<std::int64_t>();
  test_rows_beyond_32_bits();
  test_rows_that_come_once_stay_in_batch_order();
  test_the_first_bad_index_is_found();
  return report("grouping");
}
