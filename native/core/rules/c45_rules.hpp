// C4.5rules: the leaves of a tree as rules, generalised, a subset for each class, the classes in order.
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/rules/rule_subset.hpp"
#include "core/trees/error_based.hpp"
#include "core/trees/walk.hpp"

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

// A tree with the class of each leaf. A condition is named by the first node whose branch has it.
struct LabelledTree {
  const Walk& walk;
  const std::int32_t* answer;      // [node] the class a leaf answers; below 0: no rule
  const double* bits;            // [node] to code its condition
};

struct LeafRules {
  std::vector<std::int32_t> leaf;         // [rule] where it comes from
  std::vector<GeneralRule> rules;         // [rule]
  std::vector<std::int32_t> same_as;      // [rule] the first rule of its class and conditions; −1: none left
  std::vector<double> bits;               // [rule] to code it; 0 where an earlier rule is the same
  std::vector<char> chosen;               // [rule]
  std::vector<double> class_bits;         // [class, 3] of none of its rules, of all, of those chosen
  std::vector<std::int32_t> order;        // [place] rules in the order they answer
  std::vector<double> counts;             // [place + 1, class] of the rows each answers; last those that none takes
  std::int32_t otherwise = 0;             // the class of rows that none takes
};

// How many different conditions there are, and how many leaves give a rule: what the sets of rows will cost.
struct RuleSizes {
  std::size_t conditions = 0, rules = 0;
};
RuleSizes sizes_of(const LabelledTree& from);

struct C45RulesSettings {
  Pessimism pessimism;
  SubsetSettings subset;
  bool drop_harmful;  // in the end, rules without which more training rows are answered right
};

// Every row has a class.
LeafRules c45_rules(const LabelledTree& from, const ClassedRows& rows, const C45RulesSettings& settings,
                    const StopFlag& stop);

}  // namespace clearwood
