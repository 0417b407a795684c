#include "core/trees/learners.hpp"

#include <numeric>

#include "core/trees/cuts.hpp"
#include "core/trees/target.hpp"
#include "core/trees/values.hpp"

namespace clearwood {
namespace {

class Id3 : public LearnerOf<Id3Settings> {
 public:
  using LearnerOf::LearnerOf;
  std::size_t scores_width() const override { return 1; }
  void begin(const Pack& pack) override {
    LearnerOf::begin(pack);
    if (settings_.measure == Measure::entropy && pack.unit()) logs_.fill(problem_->rows);
  }
  bool may_split(const double* counts, double weight, int depth) const override {
    if (deep_enough(depth)) return false;
    return raw_weight(*problem_, counts, weight) >= settings_.min_rows - slack && !is_pure(*problem_, counts);
  }
  Candidate ask(const NodeView& node, int attribute, Scratch& scratch) const override {
    if (problem_->columns[static_cast<std::size_t>(attribute)].numeric()) return ask_cut(node, attribute, scratch);
    if (node.used[static_cast<std::size_t>(attribute)]) return {};
    return ask_values(node, attribute, scratch);
  }
  int choose(const NodeView& node, const std::vector<Candidate>& offers) const override {
    const double scale = node_impurity(*problem_, settings_.measure, node.counts, node.weight);
    int best = -1;
    double to_beat = settings_.min_gain;
    for (std::size_t a = 0; a < offers.size(); ++a)
      if (offers[a].valid && better(offers[a].score, to_beat, scale)) {
        best = static_cast<int>(a);
        to_beat = offers[a].score;
      }
    return best;
  }
  void score(const NodeView& node, Candidate& choice, const std::vector<double>& own) const override {
    choice.figures[0] = split_gain(settings_.measure, own, static_cast<std::size_t>(problem_->classes), node.weight);
  }
  void settle(const NodeView&, Candidate& choice, int) const override {
    const Column& column = problem_->columns[static_cast<std::size_t>(choice.attribute)];
    if (column.numeric()) {
      choice.threshold = midpoint(choice.below, choice.above);
    } else {
      choice.branch_of = one_branch_each(column.values);
    }
  }

 private:
  Candidate ask_cut(const NodeView& node, int attribute, Scratch& scratch) const {
    Candidate offer;
    const Pack& pack = node.pack;
    const std::size_t known = known_to_cut(node, attribute);
    if (known == 0) return offer;
    const Entry* entries = pack.entries(node.range, attribute);
    const TargetSums sums(node, attribute, known, settings_.measure);
    CutRules rules;
    rules.measure = settings_.measure;
    rules.least_left = rules.least_right = settings_.min_leaf;
    rules.tolerance = tie * sums.impurity * node.weight;
    const Cut cut = sums.best_cut(sums.known, sums.nothing, rules, logs_, scratch);
    if (!cut.valid) return offer;
    const auto classes = static_cast<std::size_t>(problem_->classes);
    const auto& missing = sums.missing;
    const double missing_weight = std::accumulate(missing.begin(), missing.end(), 0.0);
    const double after = cut.purity + purity(settings_.measure, missing.data(), classes, missing_weight);
    offer.valid = true;
    offer.score = offer.figures[0] = (after - sums.purity_all) / node.weight;
    offer.branches = 2;
    if (known < node.range.size) {
      offer.branches = 3;
      offer.missing_branch = 2;
      offer.missing_alone = true;
    }
    offer.cut_rank = pack.rank(entries[cut.position - 1]);
    offer.below = pack.number(instance_of(entries[cut.position - 1]), attribute);
    offer.above = pack.number(instance_of(entries[cut.position]), attribute);
    return offer;
  }
  Candidate ask_values(const NodeView& node, int attribute, Scratch& scratch) const {
    Candidate offer;
    const auto classes = static_cast<std::size_t>(problem_->classes);
    ValueCounts& counts = scratch.values;
    count_values(node, attribute, scratch, counts);
    const bool missing = counts.missing_weight > 0.0;
    auto heavy = [&](const double* row, double weight) {
      return raw_weight(*problem_, row, weight) >= settings_.min_leaf - slack;
    };
    int branches = missing && heavy(counts.missing.data(), counts.missing_weight);
    double after = purity(settings_.measure, counts.missing.data(), classes, counts.missing_weight);
    for (std::size_t v = 0; v < counts.codes.size(); ++v) {
      const double* row = counts.table.data() + v * classes;
      branches += heavy(row, counts.weights[v]);
      after += purity(settings_.measure, row, classes, counts.weights[v]);
    }
    if (branches < 2) return offer;
    const auto values = problem_->columns[static_cast<std::size_t>(attribute)].values;
    offer.valid = true;
    offer.score = offer.figures[0] = (after - purity(settings_.measure, node.counts, classes, node.weight)) / node.weight;
    offer.branches = values + missing;
    if (missing) {
      offer.missing_branch = values;
      offer.missing_alone = true;
    }
    return offer;
  }

  LogTable logs_;
};

}  // namespace

std::unique_ptr<Learner> id3_learner(const Id3Settings& settings) { return std::make_unique<Id3>(settings); }

}  // namespace clearwood
