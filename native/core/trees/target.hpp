// The target at a node, classes or numbers alike: sums over the known and the missing rows of an attribute.
#pragma once
#include <vector>

#include "core/trees/cuts.hpp"
#include "core/trees/learner.hpp"

namespace clearwood {

bool is_pure(const Problem& problem, const double* counts);
// The weight without priors' factors.
double raw_weight(const Problem& problem, const double* counts, double weight);
double node_impurity(const Problem& problem, Measure measure, const double* counts, double weight);
// Half-way, or the lower value where that rounds up to the upper one; and the same as short as a person would write it.
double half_way(double below, double above);
double midpoint(double below, double above);
// The branch of a two-way choice that takes more weight; the first of equals.
int larger_branch(const NodeView& node, const Candidate& choice);

// For classes a weight per class; for numbers weight and weight × (number − the node's value).
struct TargetSums {
  TargetSums(const NodeView& node, int attribute, std::size_t known, Measure measure);

  double purity_missing() const;
  // The best cut with `above` above the lowest cut (the known rows, or all), and `first` below it from the start.
  Cut best_cut(const std::vector<double>& above, const std::vector<double>& first, const CutRules& rules,
               const LogTable& logs, Scratch& scratch) const;

  std::vector<double> known, missing, nothing, all;
  double purity_known = 0, purity_all = 0, impurity = 0;

 private:
  double purity_of(const std::vector<double>& sums) const;

  const NodeView& node_;
  int attribute_;
  std::size_t known_size_;
  Measure measure_;
};

}  // namespace clearwood
