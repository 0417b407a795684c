// Rules learned by covering: rows that a rule takes are not looked at again.
#pragma once
#include <cstdint>
#include <limits>

#include "core/rules/rule_cells.hpp"

namespace clearwood {

enum class RuleMeasure : std::uint8_t { laplace, entropy, wracc };

// CN2: rules one after another, each the best complex of conditions among the rows not yet covered.
struct Cn2Settings {
  bool ordered = true;
  RuleMeasure measure = RuleMeasure::laplace;
  int beam = 5;
  int max_conditions = 5;  // below 0: no limit
  bool negations = true;   // try `≠` too
  double min_rows = 1.0;
  double critical = -std::numeric_limits<double>::infinity();  // what a likelihood ratio must reach
};

LearnedRules learn_cn2(const Problem& problem, const Cn2Settings& settings, int threads, const StopFlag& stop);

// PRISM: for each class in turn, rules that add the value of the highest precision until only that class is left. Columns of
// codes only. The counts are those of the first rule that takes a row, in order.
LearnedRules learn_prism(const Problem& problem, int threads, const StopFlag& stop);

}  // namespace clearwood
