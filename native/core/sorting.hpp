// Sorting a numeric column once, into entries that say rank, class and instance in eight bytes.
#pragma once
#include <cstdint>
#include <vector>

#include "core/problem.hpp"

namespace clearwood {

// High half: rank among the column's distinct values, then the class in the lowest `class_bits`; low half: instance.
using Entry = std::uint64_t;

inline std::uint32_t instance_of(Entry entry) { return static_cast<std::uint32_t>(entry); }
inline Entry with_instance(Entry entry, std::uint32_t instance) {
  return (entry & 0xFFFFFFFF00000000ull) | instance;
}

struct SortedColumn {
  std::vector<double> values;  // [rank] where asked for
  bool any_missing = false;
};

// Writes `problem.rows` entries for a numeric column to `out`, ascending, the missing last with every rank bit set.
// `class_bits` 0 leaves the class out. `scratch` is room that one thread may use again.
SortedColumn sort_column(const Problem& problem, const Column& column, int class_bits, bool keep_values, Entry* out,
                         std::vector<Entry>& scratch);

}  // namespace clearwood
