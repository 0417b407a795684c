// Generalising a rule: drop the condition without which the pessimistic error is lowest, while it does not rise.
#pragma once
#include <cstdint>
#include <vector>

#include "core/trees/pessimistic.hpp"
#include "core/rules/rule_rows.hpp"

namespace clearwood {

struct DroppedCondition {
  std::int32_t condition;
  double error;  // the rule's pessimistic error without it
};

struct GeneralRule {
  std::int32_t answer = 0;                 // its class
  std::vector<std::int32_t> conditions;  // in the order of the path; those that were kept
  std::vector<DroppedCondition> dropped;  // in the order dropped
  double first_error = 0;                // with every condition
  double error = 0;                      // with those kept
  double covered = 0, wrong = 0;         // row weights, with those kept
};

// The share of errors to expect; 1 where no row speaks for the rule.
double pessimistic_share(double covered, double wrong, const Pessimism& pessimism);

// `rule` brings its class and conditions; holds [condition] are the rows that satisfy each.
void generalise(GeneralRule& rule, const std::vector<Bits>& holds, const RuleRows& rows, const Pessimism& pessimism);

Bits covered_by(const std::vector<std::int32_t>& conditions, const std::vector<Bits>& holds, const RuleRows& rows);

}  // namespace clearwood
