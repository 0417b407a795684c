// Counting a nominal column at a node: weight by value and class.
#pragma once
#include <vector>

#include "core/trees/learner.hpp"

namespace clearwood {

// Classes: counts of every present value.
void count_values(const NodeView& node, int attribute, Scratch& scratch, ValueCounts& result);

// Numbers: the table is [value][2]: weight, and weight × (number − centre); `missing` likewise.
void sum_values(const NodeView& node, int attribute, double centre, Scratch& scratch, ValueCounts& result);

// branch_of for one branch per value.
std::vector<std::int32_t> one_branch_each(std::int32_t values);

// Gathers what counting a node's nominal columns needs.
void gather_rows(const Pack& pack, const Range& range, NodeRows& rows);

}  // namespace clearwood
