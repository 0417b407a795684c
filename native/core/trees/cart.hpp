// CART: a cut, or two groups of values; Gini, entropy or error for classes, squared or absolute error for numbers.
#pragma once
#include "core/trees/cuts.hpp"
#include "core/trees/learner.hpp"
#include "core/trees/target.hpp"
#include "core/trees/values.hpp"

namespace clearwood {

struct CartSettings {
  Measure measure = Measure::gini;
  int max_depth = -1;  // −1: no limit
  double min_rows = 2, min_leaf = 1, min_decrease = 0;
  bool missing_by_direction = false;
  int surrogates = 5;
  double min_value = 0;
};

class Cart : public Learner {
 public:
  explicit Cart(const CartSettings& settings) : settings_(settings) {}
  std::size_t scores_width() const override { return 1; }
  void begin(const Pack& pack) override;
  bool may_split(const double* counts, double weight, int depth) const override;
  Candidate ask(const NodeView& node, int attribute, Scratch& scratch) const override;
  int choose(const NodeView& node, const std::vector<Candidate>& offers) const override;
  void score(const NodeView& node, Candidate& choice, const std::vector<double>& own) const override;
  void settle(const NodeView& node, Candidate& choice, int threads) const override;

 private:
  bool heavy_enough(const std::vector<double>& sums) const;  // for a leaf
  bool may_stand_apart(const NodeView& node, const TargetSums& sums) const;  // what is known, and what is missing
  Candidate ask_cut(const NodeView& node, int attribute, Scratch& scratch) const;
  Candidate ask_groups(const NodeView& node, int attribute, Scratch& scratch) const;

  CartSettings settings_;
  LogTable logs_;
  std::vector<double> nothing_;  // [class] zeros
  const Problem* problem_ = nullptr;
};

}  // namespace clearwood
