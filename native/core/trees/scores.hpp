// Scores of a split from its counts, as learners/trees/offers.py defines them: the same sums in the same order.
#pragma once
#include <cstddef>
#include <vector>

#include "core/trees/measure.hpp"

namespace clearwood {

// The decrease of impurity by counts [branch][class], for the part of the weight that follows a branch.
double split_gain(Measure measure, const std::vector<double>& counts, std::size_t classes, double weight);
// The bits of knowing which branch a row follows; the rows that follow none are one more.
double split_bits(const std::vector<double>& counts, std::size_t classes, double weight);

}  // namespace clearwood
