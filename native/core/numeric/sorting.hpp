// Sorting the numeric columns once, into entries that say rank, class and instance in eight bytes.
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/counting/problem.hpp"

namespace clearwood {

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
