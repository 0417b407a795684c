// CHAID: categories merged by test, split by the smallest adjusted p (Kass 1980; exhaustive: Biggs et al. 1991).
//
// Every column holds codes, those of numeric attributes being bins. The missing are one more category of a nominal
// column, and of an ordered one a category that floats: it may join any group.
#pragma once
#include <vector>

#include "core/trees/chaid_merge.hpp"
#include "core/trees/values.hpp"

namespace clearwood {

struct ChaidSettings {
  Test test = Test::pearson;
  MergeRules merging;
  double alpha_split = 0.05;
  bool bonferroni = true;
  int max_depth = 3;  // −1: no limit
  double min_rows = 100, min_leaf = 50;
  std::vector<char> ordered;  // [column]
};

// A column with more values than can be compared in pairs.
struct TooManyValues : std::length_error {
  int attribute;
  explicit TooManyValues(int attribute_) : std::length_error("too many values"), attribute(attribute_) {}
};

class Chaid : public Learner {
 public:
  explicit Chaid(const ChaidSettings& settings) : settings_(settings) {}
  std::size_t scores_width() const override { return 3; }  // statistic, p, adjusted p
  void begin(const Pack& pack) override;
  bool may_split(const double* counts, double weight, int depth) const override;
  Candidate ask(const NodeView& node, int attribute, Scratch& scratch) const override;
  int choose(const NodeView& node, const std::vector<Candidate>& offers) const override;

 private:
  Verdict adjusted(const Categories& categories, std::size_t groups, const Verdict& verdict) const;

  ChaidSettings settings_;
  const Problem* problem_ = nullptr;
};

}  // namespace clearwood
