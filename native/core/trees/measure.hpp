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
#include <vector>

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

// Scores of a split from its counts, as learners/trees/offers.py defines them: the same sums in the same order.

inline double impurity_by_parts(Measure measure, const double* counts, std::size_t classes, double weight) {
  if (!(weight > 0.0)) return 0.0;
  double sum = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    const double share = counts[c] / weight;
    if (measure == Measure::entropy) {
      sum -= xlog2x(share);
    } else if (measure == Measure::gini) {
      sum += share * share;
    } else {
      sum = std::max(sum, share);
    }
  }
  return measure == Measure::entropy ? sum : 1.0 - sum;
}

// The decrease of impurity by counts [branch][class], for the part of the weight that follows a branch.
inline double split_gain(Measure measure, const std::vector<double>& counts, std::size_t classes, double weight) {
  std::vector<double> whole(classes, 0.0);
  double known = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    whole[i % classes] += counts[i];
    known += counts[i];
  }
  double gain = impurity_by_parts(measure, whole.data(), classes, known);
  for (std::size_t b = 0; b * classes < counts.size(); ++b) {
    const double* branch = counts.data() + b * classes;
    double here = 0.0;
    for (std::size_t c = 0; c < classes; ++c) here += branch[c];
    gain -= here / known * impurity_by_parts(measure, branch, classes, here);
  }
  return known / weight * gain;
}

// The bits of knowing which branch a row follows; the rows that follow none are one more.
inline double split_bits(const std::vector<double>& counts, std::size_t classes, double weight) {
  double known = 0.0;
  for (const double each : counts) known += each;
  double bits = -xlog2x((weight - known) / weight);
  for (std::size_t b = 0; b * classes < counts.size(); ++b) {
    double here = 0.0;
    for (std::size_t c = 0; c < classes; ++c) here += counts[b * classes + c];
    bits -= xlog2x(here / weight);
  }
  return bits;
}

// The class whose mistakes cost least, by costs [true class][called]; that of the largest share where there are none. First of
// equals.
inline std::size_t cheapest(const double* shares, const double* costs, std::size_t classes) {
  if (costs == nullptr) return static_cast<std::size_t>(std::max_element(shares, shares + classes) - shares);
  std::size_t best = 0;
  double least = 0.0;
  for (std::size_t called = 0; called < classes; ++called) {
    double cost = 0.0;
    for (std::size_t truth = 0; truth < classes; ++truth) cost += shares[truth] * costs[truth * classes + called];
    if (called > 0 && !(cost < least)) continue;
    least = cost;
    best = called;
  }
  return best;
}

}  // namespace clearwood
