// PRISM: for each class in turn, rules that add the value of the highest precision until only that class is left.
#pragma once
#include "core/numeric/parallel.hpp"
#include "core/rules/rule_cells.hpp"

namespace clearwood {

// Columns of codes only. The counts are those of the first rule that takes a row, in order.
LearnedRules learn_prism(const Problem& problem, int threads, const StopFlag& stop);

}  // namespace clearwood
