#include "core/rules/rule_cells.hpp"

#include <algorithm>

namespace clearwood {

std::vector<RuleColumn> rule_columns(const Problem& problem, int threads, const StopFlag& stop) {
  std::vector<RuleColumn> made(problem.coded.size());
  run_parallel(made.size(), threads, [&](std::size_t c, int) {
    check(stop);
    const CodedColumn& column = problem.coded[c];
    made[c] = {column.kind == CodedColumn::Kind::numbers, !column.cuts.empty(), {}, column.steps, column.known};
    made[c].codes.resize(problem.rows);
    column.visit([&](const auto* codes) {
      for (std::size_t row = 0; row < problem.rows; ++row)
        made[c].codes[row] = codes[row] == column.known ? -1 : static_cast<std::int32_t>(codes[row]);
    });
  });
  return made;
}

std::vector<double> Labels::count(const RowList& rows) const {
  std::vector<double> counts(size, 0.0);
  for (const Row row : rows) add(row, counts.data());
  return counts;
}

const std::vector<std::pair<std::int32_t, Row>>& RowsByCode::sort(const RuleColumn& column, const RowList& rows) {
  sorted_.clear();
  if (column.size > 4 * rows.size() + 64) {
    for (const Row row : rows)
      if (column.codes[row] >= 0) sorted_.emplace_back(column.codes[row], row);
    std::sort(sorted_.begin(), sorted_.end());
    return sorted_;
  }
  place_.assign(column.size + 1, 0);
  for (const Row row : rows)
    if (column.codes[row] >= 0) ++place_[static_cast<std::size_t>(column.codes[row]) + 1];
  for (std::size_t code = 1; code <= column.size; ++code) place_[code] += place_[code - 1];
  sorted_.resize(place_[column.size]);
  for (const Row row : rows)
    if (const std::int32_t code = column.codes[row]; code >= 0)
      sorted_[place_[static_cast<std::size_t>(code)]++] = {code, row};
  return sorted_;
}

bool satisfies(const RuleTest& test, const RuleColumn& column, Row row) {
  const std::int32_t code = column.codes[row];
  if (code < 0) return false;
  if (test.code >= 0) return (code == test.code) != test.negated;
  const double number = column.values[static_cast<std::size_t>(code)];
  return test.low < number && number <= test.high;
}

void LearnedRules::add(const std::vector<RuleTest>& when, int cls, const std::vector<double>& rows) {
  tests.insert(tests.end(), when.begin(), when.end());
  start.push_back(static_cast<std::int64_t>(tests.size()));
  answer.push_back(cls);
  counts.insert(counts.end(), rows.begin(), rows.end());
}

}  // namespace clearwood
