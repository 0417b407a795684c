// Limits: what a node's probability, or mean, must lie between, so that a tree goes one way with a column.
//
// The idea and its definition are in learners/directions.py. What is limited is the part of the last class, with the priors'
// factors, or the mean.
#pragma once
#include <cstddef>

#include "core/counting/problem.hpp"

namespace clearwood {

// What a value may be between: splits on columns with a direction above it set these.
struct Bounds {
  double low = -infinity, high = infinity;
};

// What the branches of one split keep to. `sign` 1: the second branch has more than the first; −1: less; 0: no order.
struct Limits {
  bool apply = false;
  int sign = 0;
  Bounds bounds;
  double margin = 0.0;

  bool inside(double value) const { return value > bounds.low + margin && value < bounds.high - margin; }
  bool admit(double first, double second) const {
    return inside(first) && inside(second) && (sign == 0 || sign * (second - first) > margin);
  }
  // The same for values before rows of weight `weight`, `of_last` of it of the last class, go down every branch in
  // proportion to the branches' parts of `known`.
  Limits before_spread(double of_last, double weight, double known) const {
    Limits result = *this;
    const double wider = 1 + weight / known;
    result.bounds.low = bounds.low * wider - of_last / known;
    result.bounds.high = bounds.high * wider - of_last / known;
    result.margin = margin * wider;
    return result;
  }
};

inline int sign_of(const Problem& problem, int attribute) {
  return problem.signs.empty() ? 0 : problem.signs[static_cast<std::size_t>(attribute)];
}

inline Limits limits_of(const Problem& problem, int attribute, const Bounds& bounds) {
  const int sign = sign_of(problem, attribute);
  return {sign != 0 || bounds.low > -infinity || bounds.high < infinity, sign, bounds, problem.margin};
}

// Of a summary [class], or weight, value and error.
inline double limited_value(const Problem& problem, const double* summary) {
  if (problem.classes == 0) return summary[1];
  double whole = 0.0;
  for (std::int32_t c = 0; c < problem.classes; ++c) whole += summary[c];
  return whole > 0.0 ? summary[problem.classes - 1] / whole : 0.0;
}

}  // namespace clearwood
