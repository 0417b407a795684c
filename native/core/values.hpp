// Counting a nominal column at a node: weight by value and class.
#pragma once
#include <vector>

#include "core/learner.hpp"

namespace clearwood {

// A table [present value][class], the values in schema order; the last row is the missing, where there are any.
struct ValueCounts {
  std::vector<std::int32_t> codes;  // of the rows of the table; the missing are not among them
  std::vector<double> table;        // [codes.size() (+ 1)][classes]
  std::vector<double> weights;      // [codes.size()]
  std::vector<double> missing;      // [classes]
  double known = 0.0;
  double missing_weight = 0.0;
};

// Classes: counts of every present value.
void count_values(const NodeView& node, int attribute, Scratch& scratch, ValueCounts& result);

// Numbers: the table is [value][2]: weight, and weight × (number − centre); `missing` likewise.
void sum_values(const NodeView& node, int attribute, double centre, Scratch& scratch, ValueCounts& result);

}  // namespace clearwood
