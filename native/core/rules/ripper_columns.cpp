#include "core/rules/ripper_columns.hpp"

#include <algorithm>
#include <utility>

namespace clearwood {
namespace {

// The known cells in the order of their codes, and of rows where these are alike: rank and row.
std::vector<std::uint64_t> in_order(const std::vector<std::uint32_t>& rank, std::vector<std::size_t> rows_of) {
  std::size_t begin = 0;
  for (std::size_t r = 1; r < rows_of.size(); ++r) begin += std::exchange(rows_of[r], begin);
  std::vector<std::uint64_t> sorted(begin);
  for (std::size_t row = 0; row < rank.size(); ++row)
    if (rank[row] > 0) sorted[rows_of[rank[row]]++] = std::uint64_t{rank[row]} << 32 | row;
  return sorted;
}

}  // namespace

std::vector<RankedColumn> rank_columns(const Problem& problem, int threads, const StopFlag& stop) {
  std::vector<RankedColumn> made(problem.coded.size());
  run_parallel(made.size(), threads, [&](std::size_t c, int) {
    check(stop);
    const CodedColumn& column = problem.coded[c];
    RankedColumn& ranked = made[c];
    ranked.numeric = column.kind == CodedColumn::Kind::numbers;
    ranked.ranks = column.known;
    ranked.values = column.steps;
    ranked.rank.resize(problem.rows);
    std::vector<std::size_t> rows_of(ranked.ranks + 1, 0);
    column.visit([&](const auto* codes) {
      for (std::size_t row = 0; row < problem.rows; ++row)
        ++rows_of[ranked.rank[row] = codes[row] == column.known ? 0 : std::uint32_t{codes[row]} + 1];
    });
    const auto met = std::count_if(rows_of.begin() + 1, rows_of.end(), [](std::size_t rows) { return rows > 0; });
    ranked.possible = (ranked.numeric ? 2.0 : 1.0) * static_cast<double>(met);
    if (ranked.numeric && ranked.ranks > most_counted_ranks) ranked.sorted = in_order(ranked.rank, std::move(rows_of));
  });
  return made;
}

RankInterval interval_of(const RankedColumn& column, const RipperTest& test) {
  if (test.kind == RipperTest::Kind::equals) return {static_cast<std::uint32_t>(test.value) + 1, 0};
  const auto up_to = std::upper_bound(column.values.begin(), column.values.end(), test.value) - column.values.begin();
  const auto low = static_cast<std::uint32_t>(up_to);  // ranks 1 … low are at most the limit, and there is one
  const auto all = static_cast<std::uint32_t>(column.ranks);
  if (test.kind == RipperTest::Kind::at_most) return {1, low - 1};
  return {low + 1, all - low - 1};
}

}  // namespace clearwood
