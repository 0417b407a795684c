#include "core/trees/c45.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/trees/gain_cuts.hpp"
#include "core/trees/joined_values.hpp"
#include "core/trees/scores.hpp"
#include "core/trees/target.hpp"

namespace clearwood {
namespace {

// Gains and gain ratios closer than this are equal, and weights this much short are enough: as in WEKA's J48.
constexpr double small = 1e-6;
constexpr double below_average = 1e-3;

}  // namespace

void C45::begin(const Pack& pack) {
  problem_ = &pack.problem();
  if (pack.unit()) logs_.fill(problem_->rows);
  double weight = 0.0;
  for (std::size_t row = 0; row < problem_->rows; ++row)
    weight += problem_->weight_of != nullptr ? problem_->weight_of[row] : 1.0;
  for (const Column& column : problem_->columns)
    many_values_.push_back(!column.numeric() && column.values >= 0.3 * weight - small);
  all_many_ = std::all_of(many_values_.begin(), many_values_.end(), [](char many) { return many != 0; });
}

bool C45::may_split(const double* counts, double weight, int depth) const {
  if (settings_.max_depth >= 0 && depth >= settings_.max_depth) return false;
  if (weight < 2 * settings_.min_rows - small) return false;
  return *std::max_element(counts, counts + problem_->classes) < weight - small;
}

Candidate C45::ask(const NodeView& node, int attribute, Scratch& scratch) const {
  if (problem_->columns[static_cast<std::size_t>(attribute)].numeric()) return ask_cut(node, attribute, scratch);
  // Below a split on it the known rows have one value: it cannot be split on again.
  if (node.used[static_cast<std::size_t>(attribute)] && !settings_.group_values) return {};
  return ask_values(node, attribute, scratch);
}

Candidate C45::ask_cut(const NodeView& node, int attribute, Scratch& scratch) const {
  Candidate offer;
  const Pack& pack = node.pack;
  const std::size_t known = known_to_cut(node, attribute);
  if (known == 0) return offer;
  const Entry* entries = pack.entries(node.range, attribute);
  const auto classes = static_cast<std::size_t>(problem_->classes);
  auto& counts = scratch.numbers;
  counts.assign(node.counts, node.counts + classes);
  double missing = 0.0;
  if (known < node.range.size) {
    counts.assign(classes, 0.0);
    for (std::size_t i = 0; i < known; ++i) {
      const std::uint32_t instance = instance_of(entries[i]);
      counts[static_cast<std::size_t>(pack.class_of(instance))] += pack.weight(instance);
    }
    for (std::size_t i = known; i < node.range.size; ++i) missing += pack.weight(instance_of(entries[i]));
  }
  const double weight = std::accumulate(counts.begin(), counts.end(), 0.0);
  double least = 0.1 * weight / static_cast<double>(classes);
  if (least <= settings_.min_rows + small) {
    least = settings_.min_rows;
  } else {
    least = std::min(least, 25.0);
  }
  if (weight < 2 * least - small) return offer;
  const Limits limits = limits_of(*problem_, attribute, node.bounds);
  const double missing_last = node.counts[classes - 1] - counts[classes - 1];
  const GainCutRules rules{least - small, settings_.min_gap, small,
                           missing > 0.0 ? limits.before_spread(missing_last, missing, weight) : limits};
  const Cut cut = best_gain_cut(node, attribute, known, counts.data(), rules, logs_, scratch);
  if (!cut.valid) return offer;
  const double before = purity(Measure::entropy, counts.data(), classes, weight);
  // The more places there are to cut, the likelier one of them looks good by chance.
  const double gain =
      (cut.purity - before) / node.weight - std::log2(static_cast<double>(cut.admissible)) / node.weight;
  if (gain <= small) return offer;
  double below = 0.0;
  for (std::size_t i = 0; i < cut.position; ++i) below += pack.weight(instance_of(entries[i]));
  const double information =
      (xlog2x(node.weight) - xlog2x(below) - xlog2x(weight - below) - xlog2x(missing)) / node.weight;
  offer.valid = true;
  offer.branches = 2;
  offer.figures[0] = gain;
  offer.score = offer.figures[1] = information > 1e-12 ? gain / information : 0.0;
  offer.admissible = static_cast<std::int64_t>(cut.admissible);
  offer.cut_rank = pack.rank(entries[cut.position - 1]);
  const auto& values = pack.values(attribute);
  offer.below = values[offer.cut_rank];
  offer.above = values[pack.rank(entries[cut.position])];
  return offer;
}

Candidate C45::ask_values(const NodeView& node, int attribute, Scratch& scratch) const {
  Candidate offer;
  const auto classes = static_cast<std::size_t>(problem_->classes);
  ValueCounts& counts = scratch.values;
  count_values(node, attribute, scratch, counts);
  const auto values = static_cast<std::size_t>(problem_->columns[static_cast<std::size_t>(attribute)].values);
  if (counts.codes.size() < 2) return offer;
  // One branch per value, or per group of values.
  std::size_t branches = values;
  auto& table = counts.table;
  auto& weights = counts.weights;
  if (settings_.group_values) {
    const auto group = join_values(table, weights, classes, counts.missing_weight, node.stop);
    offer.branch_of.assign(values, -1);
    branches = static_cast<std::size_t>(*std::max_element(group.begin(), group.end())) + 1;
    std::vector<double> joined(branches * classes, 0.0), joined_weights(branches, 0.0);
    for (std::size_t v = 0; v < group.size(); ++v) {
      const auto g = static_cast<std::size_t>(group[v]);
      offer.branch_of[static_cast<std::size_t>(counts.codes[v])] = group[v];
      joined_weights[g] += weights[v];
      for (std::size_t c = 0; c < classes; ++c) joined[g * classes + c] += table[v * classes + c];
    }
    table = std::move(joined);
    weights = std::move(joined_weights);
  }
  const auto heavy = std::count_if(weights.begin(), weights.end(),
                                   [&](double w) { return w >= settings_.min_rows - small; });
  if (heavy < 2) return offer;
  if (Limits limits = limits_of(*problem_, attribute, node.bounds); limits.apply) {
    if (counts.missing_weight > 0.0)
      limits = limits.before_spread(counts.missing[classes - 1], counts.missing_weight, counts.known);
    for (std::size_t v = 0; v < weights.size(); ++v)
      if (weights[v] > 0.0 && !limits.inside(limited_value(*problem_, table.data() + v * classes))) return offer;
  }
  auto& whole = scratch.numbers;
  whole.assign(classes, 0.0);
  double after = 0.0, sizes = 0.0;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    after += purity(Measure::entropy, table.data() + v * classes, classes, weights[v]);
    sizes += xlog2x(weights[v]);
    for (std::size_t c = 0; c < classes; ++c) whole[c] += table[v * classes + c];
  }
  const double before = purity(Measure::entropy, whole.data(), classes, counts.known);
  const double gain = (after - before) / node.weight;
  const double information = (xlog2x(node.weight) - sizes - xlog2x(counts.missing_weight)) / node.weight;
  offer.valid = true;
  offer.branches = static_cast<int>(branches);
  offer.figures[0] = gain;
  offer.score = offer.figures[1] = information > 1e-12 ? gain / information : 0.0;
  return offer;
}

int C45::choose(const NodeView&, const std::vector<Candidate>& offers) const {
  double sum = 0.0;
  int offered = 0;
  for (std::size_t a = 0; a < offers.size(); ++a) {
    if (!offers[a].valid || (many_values_[a] && !all_many_)) continue;
    sum += offers[a].figures[0];
    ++offered;
  }
  if (offered == 0) return -1;
  const double average = sum / offered;
  int best = -1;
  double to_beat = 0.0;
  for (std::size_t a = 0; a < offers.size(); ++a)
    if (offers[a].valid && offers[a].figures[0] >= average - below_average && offers[a].score > to_beat + small) {
      best = static_cast<int>(a);
      to_beat = offers[a].score;
    }
  return best;
}

void C45::score(const NodeView& node, Candidate& choice, const std::vector<double>& own) const {
  const auto classes = static_cast<std::size_t>(problem_->classes);
  double gain = split_gain(Measure::entropy, own, classes, node.weight);
  if (problem_->columns[static_cast<std::size_t>(choice.attribute)].numeric())
    gain -= std::log2(static_cast<double>(choice.admissible)) / node.weight;
  const double bits = split_bits(own, classes, node.weight);
  choice.figures[0] = gain;
  choice.figures[1] = bits > 1e-12 ? gain / bits : 0.0;
}

void C45::settle(const NodeView& node, Candidate& choice, int) const {
  const Column& column = problem_->columns[static_cast<std::size_t>(choice.attribute)];
  if (!column.numeric()) {
    if (!settings_.group_values) choice.branch_of = one_branch_each(column.values);
    return;
  }
  choice.threshold = midpoint(choice.below, choice.above);
  if (settings_.threshold_from_data) {
    // The largest value of the whole training set that does not exceed the midpoint.
    const auto& values = node.pack.values(choice.attribute);
    choice.threshold = *(std::upper_bound(values.begin(), values.end(), half_way(choice.below, choice.above)) - 1);
  }
}

}  // namespace clearwood
