// The summary of a node's rows: weight by class; or weight, value and error of a number.
#pragma once
#include <vector>

#include "core/trees/pack.hpp"

namespace clearwood {

// The weighted median of (value, weight) pairs, which get sorted: the smallest value with at least half the weight at or
// below it, or the middle between it and the next where exactly half is.
double weighted_median(std::vector<std::pair<double, double>>& pairs);

// Summaries of a node's branches after `Pack::route`: [branch][width]. Rows that go down all count by `shares`.
std::vector<double> summarise_branches(const Pack& pack, const Range& range, int branches, const Pack::Routed& routed,
                                       const std::vector<double>& shares);

// Counts without the priors' factors: [.][class].
std::vector<double> without_factors(const Problem& problem, std::vector<double> counts);

// The summary of all rows of a range.
std::vector<double> summarise(const Pack& pack, const Range& range);

}  // namespace clearwood
