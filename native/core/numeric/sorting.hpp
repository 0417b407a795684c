// Sorting numbers by their bits, and the numeric columns once, into entries that say rank, class and instance in eight bytes.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/counting/problem.hpp"

namespace clearwood {

// Bits that sort as the number does, and back; −0 is 0, NaN is last.
constexpr std::uint32_t missing_key = ~0u;
inline std::uint32_t ordered(float value) {
  if (value != value) return missing_key;
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
inline std::uint64_t ordered(double value) {
  if (value != value) return ~0ull;
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return bits & 0x8000000000000000ull ? ~bits : bits | 0x8000000000000000ull;
}
inline double number_of(std::uint32_t key) {
  return static_cast<double>(std::bit_cast<float>(key & 0x80000000u ? key ^ 0x80000000u : ~key));
}
inline double number_of(std::uint64_t key) {
  return std::bit_cast<double>(key & 0x8000000000000000ull ? key ^ 0x8000000000000000ull : ~key);
}

// Least-significant-digit radix sort by key_of(entry), whose numbers have so many bytes, stable; a digit that all keys share
// costs nothing. Where the result is: in the data or in the other array.
template <std::size_t Bytes, class Entry, class KeyOf>
Entry* radix_sort(Entry* data, Entry* other, std::size_t count, KeyOf key_of) {
  constexpr std::size_t digits = 256;
  std::array<std::array<std::uint32_t, digits>, Bytes> histogram{};
  for (std::size_t i = 0; i < count; ++i) {
    auto key = key_of(data[i]);
    for (auto& counts : histogram) {
      ++counts[key & (digits - 1)];
      key >>= 8;
    }
  }
  for (std::size_t pass = 0; pass < Bytes && count > 0; ++pass) {
    auto& starts = histogram[pass];
    const auto digit = [&](const Entry& entry) { return key_of(entry) >> (8 * pass) & (digits - 1); };
    if (starts[digit(data[0])] == count) continue;
    std::uint32_t start = 0;
    for (auto& each : starts) start += std::exchange(each, start);
    for (std::size_t i = 0; i < count; ++i) other[starts[digit(data[i])]++] = data[i];
    std::swap(data, other);
  }
  return data;
}

// High half: rank among the column's distinct values, then the class in the lowest `class_bits`; low half: instance.
using Entry = std::uint64_t;

inline std::uint32_t instance_of(Entry entry) { return static_cast<std::uint32_t>(entry); }
inline Entry with_instance(Entry entry, std::uint32_t instance) {
  return (entry & 0xFFFFFFFF00000000ull) | instance;
}

struct SortedColumn {
  std::vector<double> values;  // [rank] where requested
  bool any_missing = false;
};

// Writes `problem.rows` entries for every numeric column, ascending, the missing last with every rank bit set; column c's go
// to entries + slots[c]·rows, and slots[c] is negative for a column that is not numeric. `class_bits` 0 leaves the class out.
// `room` is one scratch a thread.
std::vector<SortedColumn> sort_columns(const Problem& problem, const std::vector<int>& slots, int class_bits,
                                       bool keep_values, Entry* entries, std::vector<std::vector<Entry>>& room,
                                       int threads, const StopFlag& stop);

}  // namespace clearwood
