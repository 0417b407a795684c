// Counting a nominal column at a node: weight by value and class.
#pragma once
#include <vector>

#include "core/trees/learner.hpp"
#include "core/trees/pack.hpp"

namespace clearwood {

// Classes: counts of every present value.
void count_values(const NodeView& node, int attribute, Scratch& scratch, ValueCounts& result);

// Numbers: the table is [value][2]: weight, and weight × (number − centre); `missing` likewise.
void sum_values(const NodeView& node, int attribute, double centre, Scratch& scratch, ValueCounts& result);

// Numbers: the table is [value][3], weight, mean and squares about the mean. The second pass over the rows keeps the digits that
// a difference of sums would lose.
void measure_values(const NodeView& node, int attribute, Scratch& scratch, ValueCounts& result);

// branch_of for one branch per value.
std::vector<std::int32_t> one_branch_each(std::int32_t values);

// Gathers what counting a node's nominal columns needs.
void gather_rows(const Pack& pack, const Range& range, NodeRows& rows);

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
