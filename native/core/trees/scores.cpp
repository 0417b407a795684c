#include "core/trees/scores.hpp"

#include <algorithm>
#include <cmath>

namespace clearwood {
namespace {

double impurity_by_parts(Measure measure, const double* counts, std::size_t classes, double weight) {
  if (!(weight > 0.0)) return 0.0;
  double sum = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    const double share = counts[c] / weight;
    if (measure == Measure::entropy) {
      sum -= clearwood::xlog2x(share);
    } else if (measure == Measure::gini) {
      sum += share * share;
    } else {
      sum = std::max(sum, share);
    }
  }
  return measure == Measure::entropy ? sum : 1.0 - sum;
}

}  // namespace

double split_gain(Measure measure, const std::vector<double>& counts, std::size_t classes, double weight) {
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

double split_bits(const std::vector<double>& counts, std::size_t classes, double weight) {
  double known = 0.0;
  for (const double each : counts) known += each;
  double bits = -clearwood::xlog2x((weight - known) / weight);
  for (std::size_t b = 0; b * classes < counts.size(); ++b) {
    double here = 0.0;
    for (std::size_t c = 0; c < classes; ++c) here += counts[b * classes + c];
    bits -= clearwood::xlog2x(here / weight);
  }
  return bits;
}

}  // namespace clearwood
