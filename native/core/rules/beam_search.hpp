// Beam search: the best complex of conditions among these rows, from general to special, a few at a time.
#pragma once
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/rules/rule_cells.hpp"
#include "core/rules/rule_quality.hpp"

namespace clearwood {

struct Complex {
  std::vector<RuleTest> tests;  // in the order of their columns' first; of a column one, or several `≠`
  RowList rows;
};

struct BeamSettings {
  int beam = 5;
  int max_conditions = 5;  // below 0: no limit
  bool negations = true;   // try `≠` too
};

// False where no complex may be a rule. Threads only share the counting; the choice is made in one order.
bool beam_search(const std::vector<RuleColumn>& columns, const Labels& labels, const RowList& rows,
                 const RuleQuality& quality, const BeamSettings& settings, int threads, const StopFlag& stop,
                 Complex& best);

}  // namespace clearwood
