// Impurity as a sum that splits can be compared by: larger is purer.
//
// For counts n_c with sum N, `purity` is such that N·impurity = N_total-part − purity, so that the decrease of a split
// times the node's weight is the purity of its branches less the purity of the node:
//   gini     Σ n_c² / N                 (N·gini = N − purity)
//   entropy  Σ n_c·log2 n_c − N·log2 N  (N·entropy = −purity)
//   error    max n_c                    (N·error = N − purity)
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace clearwood {

enum class Measure { gini, entropy, error, squared, absolute };

inline double xlog2x(double x) { return x > 0.0 ? x * std::log2(x) : 0.0; }

inline double purity(Measure measure, const double* counts, std::size_t classes, double weight) {
  double sum = 0.0;
  if (!(weight > 0.0)) return 0.0;
  switch (measure) {
    case Measure::gini:
      for (std::size_t c = 0; c < classes; ++c) sum += counts[c] * counts[c];
      return sum / weight;
    case Measure::entropy:
      for (std::size_t c = 0; c < classes; ++c) sum += xlog2x(counts[c]);
      return sum - xlog2x(weight);
    case Measure::error:
      return *std::max_element(counts, counts + classes);
    case Measure::squared:
    case Measure::absolute:
      break;  // for numbers, which have no classes to count
  }
  return 0.0;
}

inline double impurity(Measure measure, const double* counts, std::size_t classes, double weight) {
  const double pure = purity(measure, counts, classes, weight);
  if (!(weight > 0.0)) return 0.0;
  const double all = measure == Measure::entropy ? 0.0 : weight;
  return std::max(0.0, (all - pure) / weight);
}

}  // namespace clearwood
