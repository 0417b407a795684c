// ID3: one branch per value once on a path, or a cut; by gain, the missing a branch of their own.
#pragma once
#include "core/trees/cuts.hpp"
#include "core/trees/learner.hpp"
#include "core/trees/values.hpp"

namespace clearwood {

struct Id3Settings {
  Measure measure = Measure::entropy;
  int max_depth = -1;
  double min_rows = 2, min_leaf = 1, min_gain = 0;
};

class Id3 : public Learner {
 public:
  explicit Id3(const Id3Settings& settings) : settings_(settings) {}
  std::size_t scores_width() const override { return 1; }
  void begin(const Pack& pack) override;
  bool may_split(const double* counts, double weight, int depth) const override;
  Candidate ask(const NodeView& node, int attribute, Scratch& scratch) const override;
  int choose(const NodeView& node, const std::vector<Candidate>& offers) const override;
  void score(const NodeView& node, Candidate& choice, const std::vector<double>& own) const override;
  void settle(const NodeView& node, Candidate& choice, int threads) const override;

 private:
  Candidate ask_cut(const NodeView& node, int attribute, Scratch& scratch) const;
  Candidate ask_values(const NodeView& node, int attribute, Scratch& scratch) const;

  Id3Settings settings_;
  LogTable logs_;
  const Problem* problem_ = nullptr;
};

}  // namespace clearwood
