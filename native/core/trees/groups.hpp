// The best division of a nominal column's values into two groups.
//
// Two classes or numbers: exact, by ordering the values on the share of the second class or on the mean. More classes:
// every division while at most 10 values are present; above that the order along the first principal component of the
// class shares.
#pragma once
#include <vector>

#include "core/trees/learner.hpp"
#include "core/trees/measure.hpp"

namespace clearwood {

struct GroupRules {
  Measure measure;
  double min_leaf;
  bool missing_joins;  // the missing rows are one more value, and go where they fit best
  Limits limits;
  double min_value = 0;  // rows of a value, of more than `few_values`, to be grouped; rarer ones no branch takes
};

constexpr std::int32_t few_values = 3;

struct Groups {
  bool valid = false;
  double decrease = 0.0;                  // per row of the node
  std::vector<std::int32_t> codes;        // present values
  std::vector<std::int32_t> group;        // 0 or 1 for each; the first code is in group 0
  std::int32_t missing_branch = -1;
};

// [value] its place along the first principal component of the values' class shares [value][class], weighted by `weights`.
std::vector<double> principal_scores(const std::vector<double>& table, const std::vector<double>& weights,
                                     std::size_t classes);

Groups best_two_groups(const NodeView& node, int attribute, const GroupRules& rules, Scratch& scratch);

}  // namespace clearwood
