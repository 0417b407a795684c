// C4.5: one branch per value, or a cut; the best gain ratio among splits of at least average gain.
#pragma once
#include "core/trees/cuts.hpp"
#include "core/trees/grown.hpp"
#include "core/trees/learner.hpp"
#include "core/trees/values.hpp"

namespace clearwood {

struct C45Settings {
  double min_rows = 2;
  int max_depth = -1;
  bool group_values = false;
  bool threshold_from_data = true;
  double min_gap = 1e-5;
};

class C45 : public Learner {
 public:
  explicit C45(const C45Settings& settings) : settings_(settings) {}
  std::size_t scores_width() const override { return 2; }
  bool keep_values() const override { return true; }
  void begin(const Pack& pack) override;
  bool may_split(const double* counts, double weight, int depth) const override;
  Candidate ask(const NodeView& node, int attribute, Scratch& scratch) const override;
  int choose(const NodeView& node, const std::vector<Candidate>& offers) const override;
  void score(const NodeView& node, Candidate& choice, const std::vector<double>& own) const override;
  void settle(const NodeView& node, Candidate& choice, int threads) const override;

 private:
  Candidate ask_cut(const NodeView& node, int attribute, Scratch& scratch) const;
  Candidate ask_values(const NodeView& node, int attribute, Scratch& scratch) const;

  C45Settings settings_;
  LogTable logs_;
  const Problem* problem_ = nullptr;
  std::vector<char> many_values_;  // [attribute] nearly a value per row
  bool all_many_ = false;
};

}  // namespace clearwood
