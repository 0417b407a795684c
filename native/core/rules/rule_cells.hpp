// Cells as the rule learners read them: a code for each row of every column, below zero where it is missing.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/counting/problem.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

using Row = std::uint32_t;
using RowList = std::vector<Row>;  // ascending

struct RuleColumn {
  bool numeric = false;
  bool stepped = false;             // numbers between given cuts: a cut between two steps is a whole one
  std::vector<std::int32_t> codes;  // [row] −1: missing
  std::vector<double> values;       // numeric [code]
  std::size_t size = 0;             // how many codes there are
};

inline std::vector<RuleColumn> rule_columns(const Problem& problem, int threads, const StopFlag& stop) {
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

// What a row is counted as: a class, or one class against the rest.
struct Labels {
  std::vector<std::int32_t> of;  // [row]
  std::size_t size = 0;
  const double* weights = nullptr;  // [row]; null: all 1
  double weight(Row row) const { return weights ? weights[row] : 1.0; }
  void add(Row row, double* counts) const { counts[of[row]] += weight(row); }
  std::vector<double> count(const RowList& rows) const {
    std::vector<double> counts(size, 0.0);
    for (const Row row : rows) add(row, counts.data());
    return counts;
  }
};

// Scratch of one thread: rows of a complex by their code in one column.
class RowsByCode {
 public:
  // Known rows, ascending by code and then by row.
  const std::vector<std::pair<std::int32_t, Row>>& sort(const RuleColumn& column, const RowList& rows) {
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

 private:
  std::vector<std::pair<std::int32_t, Row>> sorted_;
  std::vector<std::uint32_t> place_;
};

// One condition of a rule: a code, or any code but that one, or where it is −1 low < x ≤ high.
struct RuleTest {
  std::int32_t column = 0;
  std::int32_t code = -1;
  double low = 0.0, high = 0.0;
  bool negated = false;
  bool operator==(const RuleTest&) const = default;
};

inline bool satisfies(const RuleTest& test, const RuleColumn& column, Row row) {
  const std::int32_t code = column.codes[row];
  if (code < 0) return false;
  if (test.code >= 0) return (code == test.code) != test.negated;
  const double number = column.values[static_cast<std::size_t>(code)];
  return test.low < number && number <= test.high;
}

// What the rule learners give back: rule r has tests [start[r], start[r + 1]).
struct LearnedRules {
  std::vector<std::int64_t> start{0};
  std::vector<RuleTest> tests;
  std::vector<std::int32_t> answer;  // [rule]
  std::vector<double> counts;        // [rule, class]
  std::vector<double> otherwise;     // [class]
  void add(const std::vector<RuleTest>& when, int cls, const std::vector<double>& rows) {
    tests.insert(tests.end(), when.begin(), when.end());
    start.push_back(static_cast<std::int64_t>(tests.size()));
    answer.push_back(cls);
    counts.insert(counts.end(), rows.begin(), rows.end());
  }
};

}  // namespace clearwood
