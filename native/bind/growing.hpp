// What every binding of a grower does: columns to a Problem, the grown tree to a dict of arrays.
#pragma once
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/coded.hpp"
#include "bind/interruptible.hpp"
#include "core/trees/learner.hpp"

namespace clearwood {

// A code the schema does not list would write outside a table of counts.
inline void check_codes(const Column& column, std::size_t rows, std::size_t number) {
  for (std::size_t row = 0; row < rows; ++row)
    if (column.code(row) >= column.values)
      throw std::invalid_argument("column " + std::to_string(number) + " has a code beyond its values in row " +
                                  std::to_string(row));
}

inline nb::dict dict_of(FlatTree&& tree) {
  nb::dict d;
  d["parent"] = give_array(std::move(tree.parent));
  d["end"] = give_array(std::move(tree.end));
  d["counts"] = give_array(std::move(tree.counts), tree.width);
  d["scores"] = give_array(std::move(tree.scores), tree.scores_width);
  d["share"] = give_array(std::move(tree.share));
  d["otherwise"] = give_array(std::move(tree.otherwise));
  d["attribute"] = give_array(std::move(tree.attribute));
  d["low"] = give_array(std::move(tree.low));
  d["high"] = give_array(std::move(tree.high));
  d["or_missing"] = give_array(std::move(tree.or_missing));
  d["set_start"] = give_array(std::move(tree.set_start));
  d["set_codes"] = give_array(std::move(tree.set_codes));
  d["s_start"] = give_array(std::move(tree.s_start));
  d["s_attribute"] = give_array(std::move(tree.s_attribute));
  d["s_limit"] = give_array(std::move(tree.s_limit));
  d["s_branch"] = give_array(std::move(tree.s_branch));
  d["s_agreement"] = give_array(std::move(tree.s_agreement));
  d["s_set_start"] = give_array(std::move(tree.s_set_start));
  d["s_set_split"] = give_array(std::move(tree.s_set_split));
  d["s_set_codes"] = give_array(std::move(tree.s_set_codes));
  return d;
}

template <class Make>
nb::dict grow_with(const nb::list& columns, const std::vector<std::int32_t>& values, std::int32_t classes,
                   const nb::object& target, const nb::object& weights, const std::vector<double>& factors,
                   bool by_median, int threads, Make make_learner, const std::vector<int>& signs = {},
                   double margin = 0, double units = 0) {
  Problem problem;
  std::vector<AnyArray> arrays;
  for (const nb::handle each : columns) arrays.push_back(nb::cast<AnyArray>(each));
  if (arrays.size() != values.size()) throw std::invalid_argument("a number of values is needed for every column");
  for (std::size_t c = 0; c < arrays.size(); ++c) problem.columns.push_back(column_of(arrays[c], values[c]));
  problem.factors = factors;
  problem.by_median = by_median;
  if (!signs.empty() && signs.size() != arrays.size()) throw std::invalid_argument("a sign is needed for every column");
  if (!signs.empty() && classes > 2) throw std::invalid_argument("limits are for numbers and two classes");
  problem.signs = signs;
  problem.margin = margin;
  problem.units = units;
  const GivenRows rows(problem, classes, target, weights);
  for (const AnyArray& array : arrays)
    if (array.shape(0) != problem.rows) throw std::invalid_argument("columns and target differ in length");
  FlatTree tree;
  const std::unique_ptr<Learner> learner = make_learner();
  std::size_t steps = 8 * problem.rows * problem.columns.size();
  // Values are put together pair by pair.
  for (const std::int32_t each : values) steps += static_cast<std::size_t>(each) * static_cast<std::size_t>(each);
  run_interruptible(steps, [&](const StopFlag& stop) {
    for (std::size_t c = 0; c < problem.columns.size(); ++c)
      if (!problem.columns[c].numeric()) check_codes(problem.columns[c], problem.rows, c);
    rows.check(problem);
    tree = grow(problem, *learner, threads > 0 ? threads : thread_count(), stop);
  });
  return dict_of(std::move(tree));
}

}  // namespace clearwood
