// Measured against it and slower, by batch and table (ns an id, 1e6 rows, uniform and Zipf ids): a hash table 3.7 to
// 11, counting in an array of the table's length 4 to 200, comparing 40 and more; this sort 3.4 to 4.6. Ascending rows
// are also what norms need, and what the table's pages like best.
#include "steepest/coalesce.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "steepest/pool.hpp"

namespace steepest {
namespace {

template <class Index>
std::int64_t find_out_of_range(const Index* indices, std::int64_t count, std::int64_t rows) {
  constexpr std::int64_t kStretch = 1024;  // without a branch for each index
  const auto limit = std::uint64_t(rows);
  for (std::int64_t begin = 0; begin < count; begin += kStretch) {
    const std::int64_t end = std::min(count, begin + kStretch);
    bool bad = false;
    for (std::int64_t k = begin; k < end; ++k) bad |= std::uint64_t(std::int64_t(indices[k])) >= limit;
    if (!bad) continue;
    for (std::int64_t k = begin; k < end; ++k)
      if (std::uint64_t(std::int64_t(indices[k])) >= limit) return k;
  }
  return -1;
}

// A row in the upper half, its position in the batch in the lower.
using Key = std::uint64_t;
constexpr int kRowShift = 32;

// The batch in equal parts, one for each thread; what comes of them does not depend on their number.
class Parts {
 public:
  explicit Parts(std::int64_t count) : count_(count) {
    constexpr std::int64_t kWorthAThread = 131072;  // measured: two threads lose at 65,536 ids, gain a third at 1e6
    parts_ = std::clamp<std::int64_t>(count / kWorthAThread, 1, std::min(kMost, Pool::instance().threads()));
  }

  static constexpr int kMost = 16;
  std::int64_t size() const { return parts_; }
  std::int64_t begin(std::int64_t part) const { return count_ * part / parts_; }

  template <class Body>
  void each(const Body& body) const {
    if (parts_ == 1)
      body(std::int64_t{0});
    else
      Pool::instance().run(parts_, body);
  }

 private:
  std::int64_t count_, parts_;
};

// Tables of how often each value of a digit comes, then of where the next key that has it is written.
class Counts {
 public:
  Counts(std::int64_t tables, int bits)
      : values_(std::int64_t{1} << bits), memory_(std::size_t(tables * values_) * sizeof(std::uint32_t)) {
    std::memset(memory_.data(), 0, std::size_t(tables * values_) * sizeof(std::uint32_t));
  }

  std::uint32_t* of(std::int64_t table) const { return static_cast<std::uint32_t*>(memory_.data()) + table * values_; }
  // Tables [begin, end) are those of parts, in order.
  void scan(std::int64_t begin, std::int64_t end) const {
    std::uint32_t sum = 0;
    for (std::int64_t value = 0; value < values_; ++value)
      for (std::int64_t table = begin; table < end; ++table) sum += std::exchange(of(table)[value], sum);
  }

 private:
  std::int64_t values_;
  Scratch memory_;
};

// Counts `Digits` digits of the rows, from the `first` one on, into tables that follow each other.
template <int Digits, class Index>
void count_digits(const Index* indices, std::int64_t count, int bits, std::uint32_t* times, int first = 0) {
  const std::uint32_t mask = (1u << bits) - 1;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::uint32_t row = std::uint32_t(indices[k]) >> (first * bits);
    for (int digit = 0; digit < Digits; ++digit) ++times[(digit << bits) + ((row >> (digit * bits)) & mask)];
  }
}

// Sorts by row, equal rows in batch order. Returns the sorted keys: one of the two arrays.
template <class Index>
Key* radix_sort(const Index* indices, std::int64_t count, std::int64_t rows, const Parts& parts, Key* from, Key* to) {
  constexpr std::int64_t kFewIds = 2048;  // below, the counts of wide digits cost more than another pass
  const int significant = std::max(1, int(std::bit_width(std::uint64_t(rows - 1))));
  const int most = count < kFewIds ? 8 : 11;
  const int digits = (significant + most - 1) / most;
  const int bits = (significant + digits - 1) / digits;
  const std::uint32_t mask = (1u << bits) - 1;
  // A table for each digit and part: which part a key belongs to changes with each digit but the first.
  const std::int64_t size = parts.size();
  const Counts counts(digits * size, bits);
  if (size == 1) {
    if (digits == 2)
      count_digits<2>(indices, count, bits, counts.of(0));
    else
      for (int digit = 0; digit < digits; ++digit) count_digits<1>(indices, count, bits, counts.of(digit), digit);
  }
  const auto pass = [&](int digit, const auto& key_at, Key* out) {
    const int shift = kRowShift + digit * bits;
    if (size > 1)
      parts.each([&](std::int64_t part) {
        std::uint32_t* const times = counts.of(digit * size + part);
        for (std::int64_t k = parts.begin(part), end = parts.begin(part + 1); k < end; ++k)
          ++times[(key_at(k) >> shift) & mask];
      });
    counts.scan(digit * size, (digit + 1) * size);
    parts.each([&](std::int64_t part) {
      std::uint32_t* const next = counts.of(digit * size + part);
      for (std::int64_t k = parts.begin(part), end = parts.begin(part + 1); k < end; ++k) {
        const Key key = key_at(k);
        out[next[(key >> shift) & mask]++] = key;
      }
    });
  };
  pass(0, [&](std::int64_t k) { return Key(std::uint32_t(indices[k])) << kRowShift | Key(k); }, from);
  for (int digit = 1; digit < digits; ++digit) {
    const Key* const sorted = from;
    pass(digit, [&](std::int64_t k) { return sorted[k]; }, to);
    std::swap(from, to);
  }
  return from;
}

// Where the arrays of Segments are written.
struct Groups {
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

template <class Index>
void group_sorted(const Index* indices, std::int64_t count, Groups& out) {
  for (std::int64_t k = 0; k < count; ++k)
    out.add(k, indices[k], std::uint32_t(k), k + 1 == count || indices[k] != indices[k + 1]);
}

void group_keys(const Key* keys, std::int64_t count, const Parts& parts, Groups& out) {
  const auto row = [&](std::int64_t k) { return keys[k] >> kRowShift; };
  const auto last = [&](std::int64_t k) { return k + 1 == count || row(k) != row(k + 1); };
  // Parts are cut between rows, and each is told how many rows end before it.
  std::int64_t cuts[Parts::kMost + 1], ends[Parts::kMost];
  for (std::int64_t part = 0; part <= parts.size(); ++part) {
    std::int64_t k = parts.begin(part);
    while (k > 0 && k < count && !last(k - 1)) ++k;
    cuts[part] = k;
  }
  if (parts.size() > 1)
    parts.each([&](std::int64_t part) {
      std::int64_t found = 0;
      for (std::int64_t k = cuts[part]; k < cuts[part + 1]; ++k) found += last(k);
      ends[part] = found;
    });
  parts.each([&](std::int64_t part) {
    Groups mine{out.rows, out.offsets, out.positions};
    for (std::int64_t before = 0; before < part; ++before) mine.count += ends[before];
    for (std::int64_t k = cuts[part]; k < cuts[part + 1]; ++k)
      mine.add(k, std::int64_t(row(k)), std::uint32_t(keys[k]), last(k));
    if (part + 1 == parts.size()) out.count = mine.count;
  });
}

// Tables that no memory has room for; here for the sake of any index that is in range.
template <class Index>
void group_by_comparing(const Index* indices, std::int64_t count, Groups& out, std::uint32_t* order) {
  std::iota(order, order + count, 0u);
  std::stable_sort(order, order + count, [&](auto a, auto b) { return indices[a] < indices[b]; });
  for (std::int64_t k = 0; k < count; ++k)
    out.add(k, indices[order[k]], order[k], k + 1 == count || indices[order[k]] != indices[order[k + 1]]);
}

enum class Order { none, ascending, ascending_unique };

template <class Index>
Order order_of(const Index* indices, std::int64_t count) {
  Order order = Order::ascending_unique;
  for (std::int64_t k = 1; k < count; ++k) {
    if (indices[k - 1] < indices[k]) continue;
    if (indices[k - 1] > indices[k]) return Order::none;
    order = Order::ascending;
  }
  return order;
}

template <class Index>
Coalesced group(const Index* indices, std::int64_t count, std::int64_t rows) {
  if (count == 0) return {};
  const Order order = order_of(indices, count);
  const bool unique = order == Order::ascending_unique;
  Scratch memory(Carver::bytes<std::int64_t>(count) +
                 (unique ? 0 : Carver::bytes<std::uint32_t>(count + 1) + Carver::bytes<std::uint32_t>(count)));
  Carver carver(memory.data());
  Groups out{carver.take<std::int64_t>(count), nullptr, nullptr};
  if (unique) {
    std::copy(indices, indices + count, out.rows);
    return {std::move(memory), {out.rows, nullptr, nullptr, count}};
  }
  out.offsets = carver.take<std::uint32_t>(count + 1);
  out.positions = carver.take<std::uint32_t>(count);
  out.offsets[0] = 0;
  if (order == Order::ascending) {
    group_sorted(indices, count, out);
  } else {
    const Scratch keys(2 * Carver::bytes<Key>(count));
    Carver halves(keys.data());
    const Parts parts(count);
    Key* const from = halves.take<Key>(count);
    if (rows <= std::int64_t{1} << kRowShift)
      group_keys(radix_sort(indices, count, rows, parts, from, halves.take<Key>(count)), count, parts, out);
    else
      group_by_comparing(indices, count, out, reinterpret_cast<std::uint32_t*>(from));
  }
  return {std::move(memory), {out.rows, out.offsets, out.positions, out.count}};
}

}  // namespace

std::int64_t first_out_of_range(const std::int32_t* indices, std::int64_t count, std::int64_t rows) {
  return find_out_of_range(indices, count, rows);
}
std::int64_t first_out_of_range(const std::int64_t* indices, std::int64_t count, std::int64_t rows) {
  return find_out_of_range(indices, count, rows);
}

Coalesced coalesce(const std::int32_t* indices, std::int64_t count, std::int64_t rows) {
  return group(indices, count, rows);
}
Coalesced coalesce(const std::int64_t* indices, std::int64_t count, std::int64_t rows) {
  return group(indices, count, rows);
}

}  // namespace steepest
