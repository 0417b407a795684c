// The order of rules: classes by false positives, the class of the rest, and, as a setting, no rule that harms.
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/rules/rule_rows.hpp"

namespace clearwood {

struct ChosenRule {
  std::int32_t number;
  std::int32_t answer;  // its class
  double error;       // pessimistic
  const Word* cover;  // the rows it takes
};

struct RuleOrder {
  std::vector<ChosenRule> rules;  // as they answer
  std::int32_t otherwise = 0;     // the class of rows that none takes
  std::vector<double> counts;     // [place + 1, class] of the rows each answers; last those that none takes
};

// class_of [row]; `drop_harmful` takes out rules without which more rows are answered right.
RuleOrder in_order(std::vector<ChosenRule> rules, const RuleRows& rows, const std::vector<std::int32_t>& class_of,
                   bool drop_harmful, const StopFlag& stop);

}  // namespace clearwood
