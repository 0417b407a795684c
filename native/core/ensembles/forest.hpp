// A forest: trees on drawn rows, each node on drawn columns. tests/definitions/forest.py defines it.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/counting/problem.hpp"
#include "core/ensembles/forest_rows.hpp"
#include "core/numeric/parallel.hpp"
#include "core/trees/measure.hpp"

namespace clearwood {

struct ForestSettings {
  std::size_t first = 0;  // number of the first tree: chance depends on it, so that trees can be added later
  std::size_t trees = 100;
  Measure measure = Measure::gini;
  std::size_t drawn_columns = 1;
  double part = 0;  // of the rows, without replacement; 0: as many as there are, with replacement
  bool random_cuts = false;
  int max_depth = -1;  // −1: no limit
  double min_rows = 2, min_leaf = 1, min_value = 0;
  std::uint64_t seed = 0;
  bool out_of_bag = true;
  bool by_votes = false;
  std::vector<double> priors;  // [class] factors on the shares of leaves; empty: 1
  std::vector<double> costs;   // [true][predicted]; empty: the class of the largest share
};

// What rows that a tree did not draw were answered by the trees so far.
struct OutOfBag {
  std::vector<double> sums;       // [row][class] of shares or votes; of numbers [row]
  std::vector<std::int32_t> size; // [row] how many trees answered
  std::vector<double> wrong, all; // [tree] weight of the rows answered wrongly (or squared errors), and of all answered
};

// The columns of clearwood.models.kinds.tree.nodes.Nodes, without scores and surrogates. Not initialised first: they are large.
struct ForestNodes {
  std::size_t size = 0, width = 0, codes = 0;
  std::unique_ptr<std::int32_t[]> parent, end, otherwise, attribute, set_codes;
  std::unique_ptr<double[]> counts, share, low, high;
  std::unique_ptr<bool[]> or_missing;
  std::unique_ptr<std::int64_t[]> set_start;
};

struct GrownForest {
  ForestNodes nodes;
  std::vector<std::int64_t> start;  // [tree + 1]
  OutOfBag out_of_bag;
};

// The problem's columns are coded. `order` [place] are the rows as they are drawn from. `before` is what the first trees left where trees are added; empty at the first. There are fewer trees than asked for,
// one at least, if `progress` is enough before all have begun.
GrownForest grow_forest(const Problem& problem, const std::vector<std::uint32_t>& order, const ForestSettings& settings, OutOfBag before, int threads, Progress& progress, const StopFlag& stop);

}  // namespace clearwood
