// Bonferroni: in how many ways could the categories have been merged into as many groups?
#pragma once
#include <cstddef>

namespace clearwood {

// A number of ways, and its logarithm for where the number itself is more than a double holds.
struct Ways {
  double number = 1.0;
  double log = 0.0;
};

Ways ways_ordinal(std::size_t categories, std::size_t groups);   // C(I − 1, r − 1)
Ways ways_nominal(std::size_t categories, std::size_t groups);   // the Stirling number S(I, r)
Ways ways_floating(std::size_t categories, std::size_t groups);  // C(I − 2, r − 2) + r C(I − 2, r − 1)
Ways ways_exhaustive(std::size_t categories, bool nominal);      // as SPSS counts them

}  // namespace clearwood
