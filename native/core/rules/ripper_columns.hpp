// Columns as RIPPER reads them: each cell the rank of its value, so that every test is an interval of ranks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/counting/problem.hpp"
#include "core/rules/ripper.hpp"

namespace clearwood {

using RowList = std::vector<std::uint32_t>;

struct RankedColumn {
  bool numeric = false;
  std::size_t ranks = 0;              // how many there are; cells have 1 … ranks, 0 is missing
  std::vector<std::uint32_t> rank;    // [row]
  std::vector<double> values;         // [rank − 1] of a numeric column
  std::vector<std::uint64_t> sorted;  // wide numeric columns: rank and row of the known cells, ascending
  double possible = 0;                // how many tests it offers
};

// The ranks a test takes: first … first + span.
struct RankInterval {
  std::uint32_t first = 1, span = 0;
  bool takes(std::uint32_t rank) const { return rank - first <= span; }
};

// Columns of at most so many values are counted by value; wider ones are read in sorted order.
constexpr std::size_t most_counted_ranks = 256;

std::vector<RankedColumn> rank_columns(const Problem& problem, int threads, const StopFlag& stop);
RankInterval interval_of(const RankedColumn& column, const RipperTest& test);

}  // namespace clearwood
