// The learners of trees: ID3, C4.5, CART and CHAID, each by its settings.
#pragma once
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/trees/chaid_merge.hpp"
#include "core/trees/learner.hpp"
#include "core/trees/measure.hpp"

namespace clearwood {

// ID3: one branch per value once on a path, or a cut; by gain, the missing a branch of their own.
struct Id3Settings {
  Measure measure = Measure::entropy;
  int max_depth = -1;
  double min_rows = 2, min_leaf = 1, min_gain = 0;
};
std::unique_ptr<Learner> id3_learner(const Id3Settings& settings);

// C4.5: one branch per value, or a cut; the best gain ratio among splits of at least average gain.
struct C45Settings {
  double min_rows = 2;
  int max_depth = -1;
  bool group_values = false;
  bool threshold_from_data = true;
  double min_gap = 1e-5;
};
std::unique_ptr<Learner> c45_learner(const C45Settings& settings);

// CART: a cut, or two groups of values; Gini, entropy or error for classes, squared or absolute error for numbers.
struct CartSettings {
  Measure measure = Measure::gini;
  int max_depth = -1;  // −1: no limit
  double min_rows = 2, min_leaf = 1, min_decrease = 0;
  bool missing_by_direction = false;
  int surrogates = 5;
  double min_value = 0;
};
std::unique_ptr<Learner> cart_learner(const CartSettings& settings);

// CHAID: categories merged by test, split by the smallest adjusted p (Kass 1980; exhaustive: Biggs et al. 1991).
//
// Every column holds codes, those of numeric attributes being bins. The missing are one more category of a nominal
// column, and of an ordered one a category that floats: it may join any group.
struct ChaidSettings {
  ChaidTest test = ChaidTest::pearson;
  MergeRules merging;
  double alpha_split = 0.05;
  bool bonferroni = true;
  int max_depth = 3;  // −1: no limit
  double min_rows = 100, min_leaf = 50;
  std::vector<char> ordered;  // [column]
};
std::unique_ptr<Learner> chaid_learner(const ChaidSettings& settings);

// A column with more values than can be compared in pairs.
struct TooManyValues : std::length_error {
  int attribute;
  explicit TooManyValues(int attribute_) : std::length_error("too many values"), attribute(attribute_) {}
};

}  // namespace clearwood
