// Row effects: do the rows differ in where on an ordered scale they lie?
#pragma once
#include <cstddef>
#include <span>

namespace clearwood {

// The likelihood ratio of the model "row i has the shares ∝ b_j · exp(g_i · j)" against independence.
// Every row has weight; classes without any are left out. 0 where fewer than two rows or classes remain.
double row_effects_statistic(std::span<const double* const> rows, std::size_t classes);

}  // namespace clearwood
