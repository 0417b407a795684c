#include "core/rules/ripper_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace clearwood {
namespace {

void rank_numbers(const Column& column, std::size_t rows, RankedColumn& made) {
  std::vector<std::pair<double, std::uint32_t>> cells;
  cells.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const double value = column.number(row);
    if (!std::isnan(value)) cells.emplace_back(value, static_cast<std::uint32_t>(row));
  }
  std::sort(cells.begin(), cells.end());
  for (const auto& [value, row] : cells) {
    if (made.values.empty() || value != made.values.back()) made.values.push_back(value);
    made.rank[row] = static_cast<std::uint32_t>(made.values.size());
  }
  made.ranks = made.values.size();
  made.possible = 2.0 * static_cast<double>(made.ranks);
  if (made.ranks <= most_counted_ranks) return;
  made.sorted.reserve(cells.size());
  for (const auto& cell : cells)
    made.sorted.push_back(static_cast<std::uint64_t>(made.rank[cell.second]) << 32 | cell.second);
}

void rank_codes(const Column& column, std::size_t rows, RankedColumn& made) {
  made.ranks = static_cast<std::size_t>(std::max(column.values, 0));
  std::vector<char> met(made.ranks + 1, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    made.rank[row] = static_cast<std::uint32_t>(std::max(column.code(row), -1) + 1);
    met[made.rank[row]] = 1;
  }
  made.possible = static_cast<double>(std::count(met.begin() + 1, met.end(), 1));
}

}  // namespace

std::vector<RankedColumn> rank_columns(const Problem& problem, int threads, const StopFlag& stop) {
  std::vector<RankedColumn> made(problem.columns.size());
  run_parallel(made.size(), threads, [&](std::size_t c, int) {
    check(stop);
    made[c].numeric = problem.columns[c].numeric();
    made[c].rank.assign(problem.rows, 0);
    (made[c].numeric ? rank_numbers : rank_codes)(problem.columns[c], problem.rows, made[c]);
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
