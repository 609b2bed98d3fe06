#include "steepest/coalesce.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace steepest {
namespace {

template <class Index>
std::int64_t find_out_of_range(const Index* indices, std::int64_t count, std::int64_t rows) {
  for (std::int64_t k = 0; k < count; ++k)
    if (indices[k] < 0 || std::int64_t(indices[k]) >= rows) return k;
  return -1;
}

// Least significant digit first: stable, and only as many passes as the largest row has digits.
void radix_sort(std::vector<std::uint64_t>& keys, std::int64_t rows) {
  constexpr int kBits = 11;
  constexpr std::uint64_t kMask = (1u << kBits) - 1;
  std::vector<std::uint64_t> other(keys.size());
  const int significant = 64 - std::countl_zero(std::uint64_t(rows > 0 ? rows - 1 : 0));
  for (int shift = 32; shift < 32 + significant; shift += kBits) {
    std::array<std::size_t, kMask + 1> start{};
    for (const std::uint64_t key : keys) ++start[(key >> shift) & kMask];
    std::exclusive_scan(start.begin(), start.end(), start.begin(), std::size_t{0});
    for (const std::uint64_t key : keys) other[start[(key >> shift) & kMask]++] = key;
    keys.swap(other);
  }
}

// The positions of the batch by row, equal rows in batch order.
template <class Index>
std::vector<std::uint32_t> sorted_positions(const Index* indices, std::int64_t count, std::int64_t rows) {
  std::vector<std::uint32_t> positions(static_cast<std::size_t>(count));
  if (rows > (std::int64_t{1} << 32)) {
    std::iota(positions.begin(), positions.end(), 0u);
    std::stable_sort(positions.begin(), positions.end(), [&](auto a, auto b) { return indices[a] < indices[b]; });
    return positions;
  }
  constexpr std::int64_t kSmall = 512;  // below, the histograms of a radix sort cost more than comparing
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) keys[k] = std::uint64_t(indices[k]) << 32 | std::uint64_t(k);
  if (count < kSmall)
    std::sort(keys.begin(), keys.end());
  else
    radix_sort(keys, rows);
  std::transform(keys.begin(), keys.end(), positions.begin(), [](std::uint64_t key) { return std::uint32_t(key); });
  return positions;
}

template <class Index>
Coalesced group(const Index* indices, std::int64_t count, std::int64_t rows) {
  Coalesced out;
  const bool ascending_unique =
      std::adjacent_find(indices, indices + count, [](Index a, Index b) { return a >= b; }) == indices + count;
  if (ascending_unique) {
    out.rows.assign(indices, indices + count);
    return out;
  }
  out.positions = sorted_positions(indices, count, rows);
  out.rows.reserve(out.positions.size());
  out.offsets.reserve(out.positions.size() + 1);
  for (std::size_t k = 0; k < out.positions.size(); ++k) {
    const std::int64_t row = indices[out.positions[k]];
    if (out.rows.empty() || out.rows.back() != row) {
      out.rows.push_back(row);
      out.offsets.push_back(std::int64_t(k));
    }
  }
  out.offsets.push_back(count);
  return out;
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
