// Cells as the rule learners read them: a code for each row of every column, below zero where it is missing.
#pragma once
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

std::vector<RuleColumn> rule_columns(const Problem& problem, int threads, const StopFlag& stop);

// What a row is counted as: a class, or one class against the rest.
struct Labels {
  std::vector<std::int32_t> of;  // [row]
  std::size_t size = 0;
  const double* weights = nullptr;  // [row]; null: all 1
  double weight(Row row) const { return weights ? weights[row] : 1.0; }
  void add(Row row, double* counts) const { counts[of[row]] += weight(row); }
  std::vector<double> count(const RowList& rows) const;
};

// Scratch of one thread: rows of a complex by their code in one column.
class RowsByCode {
 public:
  // Known rows, ascending by code and then by row.
  const std::vector<std::pair<std::int32_t, Row>>& sort(const RuleColumn& column, const RowList& rows);

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

bool satisfies(const RuleTest& test, const RuleColumn& column, Row row);

// What the rule learners give back: rule r has tests [start[r], start[r + 1]).
struct LearnedRules {
  std::vector<std::int64_t> start{0};
  std::vector<RuleTest> tests;
  std::vector<std::int32_t> answer;  // [rule]
  std::vector<double> counts;        // [rule, class]
  std::vector<double> otherwise;     // [class]
  void add(const std::vector<RuleTest>& when, int cls, const std::vector<double>& rows);
};

}  // namespace clearwood
