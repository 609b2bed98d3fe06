// A radix sort. Measured and slower (ns an id, 1e6 rows, uniform and Zipf ids): a hash table 3.7 to
// 11, counting in an array of the table's length 4 to 200, comparing 40 and more; this sort 3.4 to 4.6. Ascending rows
// are also what norms need. Where few ids repeat others, rows in batch order are visited sooner: repeated.hpp.
#include "steepest/runtime/grouping.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "radix_sort.hpp"
#include "repeated.hpp"

namespace steepest {
namespace {

template <class Index>
std::int64_t find_out_of_range(const Indices<Index>& indices, std::int64_t rows) {
  constexpr std::int64_t kStretch = 1024;  // without a branch for each index
  const auto limit = std::uint64_t(rows);
  for (std::int64_t begin = 0; begin < indices.count; begin += kStretch) {
    const std::int64_t end = std::min(indices.count, begin + kStretch);
    bool bad = false;
    for (std::int64_t k = begin; k < end; ++k) bad |= std::uint64_t(std::int64_t(indices[k])) >= limit;
    if (!bad) continue;
    for (std::int64_t k = begin; k < end; ++k)
      if (std::uint64_t(std::int64_t(indices[k])) >= limit) return k;
  }
  return -1;
}

// Writes the arrays of RowGroups.
struct GroupsWriter {
  std::int64_t* rows;
  std::uint32_t *offsets, *positions;
  std::int64_t count = 0;

  // The k-th occurrence in sorted order; `last` of its row. Without a branch: rows end at random.
  void add(std::int64_t k, std::int64_t row, std::uint32_t position, bool last) {
    positions[k] = position;
    rows[count] = row;
    offsets[count + 1] = std::uint32_t(k + 1);
    count += last;
  }
};

void group_sorted(const std::int64_t* indices, std::int64_t count, GroupsWriter& out) {
  for (std::int64_t k = 0; k < count; ++k)
    out.add(k, indices[k], std::uint32_t(k), k + 1 == count || indices[k] != indices[k + 1]);
}

// The keys follow the `out.count` rows of one occurrence each that are there already.
void group_keys(const Key* keys, std::int64_t count, const SortParts& parts, GroupsWriter& out) {
  const auto row = [&](std::int64_t k) { return keys[k] >> kRowShift; };
  const auto last = [&](std::int64_t k) { return k + 1 == count || row(k) != row(k + 1); };
  // SortParts are cut between rows, and each is told how many rows end before it.
  std::int64_t cuts[SortParts::kMost + 1], ends[SortParts::kMost];
  for (std::int64_t part = 0; part <= parts.size(); ++part) {
    std::int64_t k = parts.begin(part);
    while (k > 0 && k < count && !last(k - 1)) ++k;
    cuts[part] = k;
  }
  if (parts.size() > 1)
    parts.each([&](std::int64_t part) {
      std::int64_t rows = 0;
      for (std::int64_t k = cuts[part]; k < cuts[part + 1]; ++k) rows += last(k);
      ends[part] = rows;
    });
  const std::int64_t single = out.count;
  parts.each([&](std::int64_t part) {
    GroupsWriter mine{out.rows, out.offsets, out.positions, single};
    for (std::int64_t before = 0; before < part; ++before) mine.count += ends[before];
    for (std::int64_t k = cuts[part]; k < cuts[part + 1]; ++k)
      mine.add(single + k, std::int64_t(row(k)), std::uint32_t(keys[k]), last(k));
    if (part + 1 == parts.size()) out.count = mine.count;
  });
}

// For tables of more than 2^32 rows, which no memory holds but an index may name.
void group_by_comparing(const std::int64_t* indices, std::int64_t count, GroupsWriter& out, std::uint32_t* order) {
  std::iota(order, order + count, 0u);
  std::stable_sort(order, order + count, [&](auto a, auto b) { return indices[a] < indices[b]; });
  for (std::int64_t k = 0; k < count; ++k)
    out.add(k, indices[order[k]], order[k], k + 1 == count || indices[order[k]] != indices[order[k + 1]]);
}

enum class Order { none, ascending, ascending_unique };

Order order_of(const std::int64_t* rows, std::int64_t count) {
  Order order = Order::ascending_unique;
  for (std::int64_t k = 1; k < count; ++k) {
    if (rows[k - 1] < rows[k]) continue;
    if (rows[k - 1] > rows[k]) return Order::none;
    order = Order::ascending;
  }
  return order;
}

// Copies indices to `rows` and checks the copy. Another thread may write to the indices meanwhile: each is read once,
// and nothing that follows trusts the caller's memory. Throws std::out_of_range.
template <class Index>
void take_rows(const Indices<Index>& indices, std::int64_t limit, std::int64_t* rows) {
  constexpr std::int64_t kStretch = 1024;  // stays in the first-level cache
  for (std::int64_t begin = 0; begin < indices.count; begin += kStretch) {
    const std::int64_t end = std::min(indices.count, begin + kStretch);
    if (indices.step == 1)
      std::copy(indices.data + begin, indices.data + end, rows + begin);
    else
      for (std::int64_t k = begin; k < end; ++k) rows[k] = indices[k];
    asm volatile("" ::: "memory");  // the compiler shall read the copy below, not the indices once more
    std::uint64_t signs = 0;        // the uppermost bit: of an index below 0, or of what is left up to the limit
    for (std::int64_t k = begin; k < end; ++k)
      signs |= std::uint64_t(rows[k]) | (std::uint64_t(limit) - 1 - std::uint64_t(rows[k]));
    if (signs >> 63 == 0) continue;
    const std::int64_t bad = rows[begin + find_out_of_range(Indices<std::int64_t>{rows + begin, end - begin}, limit)];
    throw std::out_of_range("steepest: indices must not be changed by another thread during the call, got row " +
                            std::to_string(bad) + " of " + std::to_string(limit));
  }
}

// Writes rows that come once to `out`, in batch order, and the others' occurrences to `keys`. Returns how many these
// are.
std::int64_t set_apart(const std::int64_t* indices, std::int64_t count, const Repeated& repeated, GroupsWriter& out,
                       Key* keys) {
  std::int64_t several = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t row = indices[k];
    const bool again = repeated(row);
    out.rows[out.count] = row;
    out.positions[out.count] = std::uint32_t(k);
    keys[several] = key_of(row, k);
    out.count += !again;
    several += again;
  }
  std::iota(out.offsets, out.offsets + out.count + 1, 0u);
  return several;
}

template <class Index>
Grouping group(const Indices<Index>& indices, std::int64_t rows, RowOrder row_order) {
  const std::int64_t count = indices.count;
  if (count == 0) return {};
  Allocation memory(Carver::bytes<std::int64_t>(count) + Carver::bytes<std::uint32_t>(count + 1) +
                    Carver::bytes<std::uint32_t>(count));
  Carver carver(memory.data());
  // The copy lies where the rows of the groups go: the k-th row is written once index k is read.
  std::int64_t* const taken = carver.take<std::int64_t>(count);
  GroupsWriter out{taken, nullptr, nullptr};
  take_rows(indices, rows, taken);
  const Order order = order_of(taken, count);
  if (order == Order::ascending_unique) return {std::move(memory), {out.rows, nullptr, nullptr, count}};
  out.offsets = carver.take<std::uint32_t>(count + 1);
  out.positions = carver.take<std::uint32_t>(count);
  out.offsets[0] = 0;
  if (order == Order::ascending) {
    group_sorted(taken, count, out);
    return {std::move(memory), {out.rows, out.offsets, out.positions, out.count}};
  }
  static_assert(sizeof(Key) == Repeated::kBytesAnId);
  const Allocation memory_of_keys(2 * Carver::bytes<Key>(count));
  Carver halves(memory_of_keys.data());
  Key* const first = halves.take<Key>(count);
  Key* const second = halves.take<Key>(count);
  const auto sort = [&](const auto& key_at, std::int64_t keys) {
    const SortParts parts(keys);
    group_keys(radix_sort(key_at, keys, rows, parts, first, second), keys, parts, out);
  };
  if (rows > std::int64_t{1} << kRowShift) {
    auto* const apart = reinterpret_cast<std::int64_t*>(second);
    std::copy(taken, taken + count, apart);
    group_by_comparing(apart, count, out, reinterpret_cast<std::uint32_t*>(first));
    return {std::move(memory), {out.rows, out.offsets, out.positions, out.count}};
  }
  if (row_order == RowOrder::any) {
    auto* const list = reinterpret_cast<std::int64_t*>(second);
    if (const Repeated repeated(taken, count, rows, first, list); repeated.few()) {
      const std::int64_t several = set_apart(taken, count, repeated, out, second);
      if (several == 0) return {std::move(memory), {out.rows, nullptr, nullptr, count}};
      sort([&](std::int64_t k) { return second[k]; }, several);
      return {std::move(memory), {out.rows, out.offsets, out.positions, out.count}};
    }
  }
  sort([&](std::int64_t k) { return key_of(taken[k], k); }, count);
  return {std::move(memory), {out.rows, out.offsets, out.positions, out.count}};
}

}  // namespace

std::int64_t first_out_of_range(const Indices<std::int32_t>& indices, std::int64_t rows) {
  return find_out_of_range(indices, rows);
}
std::int64_t first_out_of_range(const Indices<std::int64_t>& indices, std::int64_t rows) {
  return find_out_of_range(indices, rows);
}

Grouping coalesce(const Indices<std::int32_t>& indices, std::int64_t rows, RowOrder order) {
  return group(indices, rows, order);
}
Grouping coalesce(const Indices<std::int64_t>& indices, std::int64_t rows, RowOrder order) {
  return group(indices, rows, order);
}

// The positions, which are written out where each occurrence is a row of its own, in batch order.
std::uint32_t* Grouping::positions_of(std::int64_t count) {
  Carver carver(memory_.data());  // as group() has carved it
  carver.take<std::int64_t>(count);
  auto* const offsets = carver.take<std::uint32_t>(count + 1);
  auto* const positions = carver.take<std::uint32_t>(count);
  if (groups_.positions == nullptr) {
    std::iota(offsets, offsets + count + 1, 0u);
    std::iota(positions, positions + count, 0u);
    groups_.offsets = offsets;
    groups_.positions = positions;
  }
  return positions;
}

void Grouping::read_from(const std::int32_t* places, std::int64_t count, std::int64_t rows) {
  if (count == 0) return;
  std::uint32_t* const positions = positions_of(count);
  std::uint32_t most = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto place = std::uint32_t(places[positions[k]]);
    most = std::max(most, place);
    positions[k] = place;
  }
  if (std::int64_t(most) >= rows)
    throw std::out_of_range("steepest: bags must not be changed by another thread during the call, got bag " +
                            std::to_string(most) + " of " + std::to_string(rows));
}

void Grouping::weigh(const void* weights, std::int64_t count, std::int64_t bytes) {
  if (count == 0) return;
  const std::uint32_t* const positions = positions_of(count);
  weights_ = Allocation(std::size_t(count * bytes));
  const auto copy = [&]<class Bits>(Bits) {
    const auto* const from = static_cast<const Bits*>(weights);
    auto* const to = static_cast<Bits*>(weights_.data());
    for (std::int64_t k = 0; k < count; ++k) to[k] = from[positions[k]];
  };
  if (bytes == 8)
    copy(std::uint64_t{});
  else if (bytes == 4)
    copy(std::uint32_t{});
  else
    copy(std::uint16_t{});
  groups_.weights = weights_.data();
}

Grouping all_rows(std::int64_t rows) {
  Allocation memory(Carver::bytes<std::int64_t>(rows));
  auto* const taken = Carver(memory.data()).take<std::int64_t>(rows);
  std::iota(taken, taken + rows, std::int64_t{0});
  return {std::move(memory), {taken, nullptr, nullptr, rows}};
}

}  // namespace steepest
