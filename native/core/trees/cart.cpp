#include "core/trees/cart.hpp"

#include <algorithm>
#include <numeric>

#include "core/numeric/infinity.hpp"
#include "core/trees/groups.hpp"
#include "core/trees/surrogates.hpp"
#include "core/trees/scores.hpp"
#include "core/trees/target.hpp"

namespace clearwood {

void Cart::begin(const Pack& pack) {
  problem_ = &pack.problem();
  nothing_.assign(static_cast<std::size_t>(problem_->classes), 0.0);
  if (settings_.measure == Measure::entropy && pack.unit()) logs_.fill(problem_->rows);
}

bool Cart::may_split(const double* counts, double weight, int depth) const {
  if (settings_.max_depth >= 0 && depth >= settings_.max_depth) return false;
  const double rows = raw_weight(*problem_, counts, weight);
  if (rows < settings_.min_rows - slack || rows < 2 * settings_.min_leaf - slack) return false;
  return !is_pure(*problem_, counts);
}

Candidate Cart::ask(const NodeView& node, int attribute, Scratch& scratch) const {
  return problem_->columns[static_cast<std::size_t>(attribute)].numeric() ? ask_cut(node, attribute, scratch)
                                                                          : ask_groups(node, attribute, scratch);
}

bool Cart::heavy_enough(const std::vector<double>& sums) const {
  const double weight = problem_->classes > 0 ? std::accumulate(sums.begin(), sums.end(), 0.0) : sums[0];
  return raw_weight(*problem_, sums.data(), weight) >= settings_.min_leaf - slack;
}

bool Cart::may_stand_apart(const NodeView& node, const TargetSums& sums) const {
  const Limits limits{true, 0, node.bounds, problem_->margin};
  auto value = [&](const std::vector<double>& side) {
    return problem_->classes > 0 ? limited_value(*problem_, side.data()) : node.counts[1] + side[1] / side[0];
  };
  return limits.admit(value(sums.known()), value(sums.missing()));
}

Candidate Cart::ask_cut(const NodeView& node, int attribute, Scratch& scratch) const {
  Candidate offer;
  const Pack& pack = node.pack;
  const bool can_cut = known_to_cut(node, attribute) > 0;
  const std::size_t known = pack.known(node.range, attribute);
  const bool may_part = settings_.missing_by_direction && known > 0 && known < node.range.size;
  if (!can_cut && !may_part) return offer;
  const Entry* entries = pack.entries(node.range, attribute);
  CutRules rules;
  rules.measure = settings_.measure;
  rules.least_left = rules.least_right = settings_.min_leaf;
  rules.tolerance = tie * node_impurity(*problem_, settings_.measure, node.counts, node.weight) * node.weight;
  rules.limits = limits_of(*problem_, attribute, node.bounds);
  Cut best;
  bool left = false, apart = false;
  double before = 0.0;
  const bool whole = known == node.range.size;
  if (whole && problem_->classes > 0) {
    // The usual case, without a sum of its own: deep trees come here a million times.
    before = purity(settings_.measure, node.counts, nothing_.size(), node.weight);
    best = best_cut(node, attribute, known, node.counts, nothing_.data(), rules, logs_, scratch);
  } else if (problem_->classes > 0 && !settings_.missing_by_direction) {
    auto& counts = scratch.numbers;
    double weight = node.weight;
    counts.assign(node.counts, node.counts + nothing_.size());
    for (std::size_t i = known; i < node.range.size; ++i) {
      const std::uint32_t instance = instance_of(entries[i]);
      counts[static_cast<std::size_t>(pack.class_of(instance))] -= pack.weight(instance);
      weight -= pack.weight(instance);
    }
    for (double& count : counts) count = std::max(0.0, count);
    before = purity(settings_.measure, counts.data(), counts.size(), weight);
    best = best_cut(node, attribute, known, counts.data(), nothing_.data(), rules, logs_, scratch);
  } else if (const TargetSums sums(node, attribute, known, settings_.measure);
             may_part) {
    // The missing rows are tried below the cut and above it, with equal scores they go above; then by themselves.
    if (can_cut) {
      const Cut above = sums.best_cut(sums.known_and_missing(), sums.nothing(), rules, logs_, scratch);
      CutRules stricter = rules;
      if (above.valid) stricter.least = above.purity;
      const Cut below = sums.best_cut(sums.known(), sums.missing(), stricter, logs_, scratch);
      best = below.valid ? below : above;
      left = below.valid;
    }
    const double purity_apart = sums.purity_known() + sums.purity_missing();
    if (heavy_enough(sums.known()) && heavy_enough(sums.missing()) && may_stand_apart(node, sums) &&
        (!best.valid || purity_apart > best.purity + rules.tolerance)) {
      best = {true, known, purity_apart, 1};
      apart = true;
      left = false;
    }
    before = sums.purity_all();
  } else {
    before = sums.purity_known();
    best = sums.best_cut(sums.known(), sums.nothing(), rules, logs_, scratch);
  }
  if (!best.valid) return offer;
  offer.valid = true;
  offer.branches = 2;
  offer.score = offer.figures[0] = (best.purity - before) / node.weight;
  offer.cut_rank = pack.rank(entries[best.position - 1]);
  offer.below = pack.number(instance_of(entries[best.position - 1]), attribute);
  offer.above = apart ? infinity : pack.number(instance_of(entries[best.position]), attribute);
  if (may_part) offer.missing_branch = left ? 0 : 1;
  return offer;
}

Candidate Cart::ask_groups(const NodeView& node, int attribute, Scratch& scratch) const {
  Candidate offer;
  const GroupRules rules{settings_.measure, settings_.min_leaf, settings_.missing_by_direction,
                         limits_of(*problem_, attribute, node.bounds), settings_.min_value};
  const Groups best = best_two_groups(node, attribute, rules, scratch);
  if (!best.valid) return offer;
  offer.valid = true;
  offer.branches = 2;
  offer.score = offer.figures[0] = best.decrease;
  offer.branch_of.assign(
      static_cast<std::size_t>(problem_->columns[static_cast<std::size_t>(attribute)].values), -1);
  for (std::size_t i = 0; i < best.codes.size(); ++i)
    offer.branch_of[static_cast<std::size_t>(best.codes[i])] = best.group[i];
  offer.missing_branch = best.missing_branch;
  return offer;
}

int Cart::choose(const NodeView& node, const std::vector<Candidate>& offers) const {
  int best = -1;
  const double scale = node_impurity(*problem_, settings_.measure, node.counts, node.weight);
  for (std::size_t a = 0; a < offers.size(); ++a)
    if (offers[a].valid &&
        (best < 0 || better(offers[a].score, offers[static_cast<std::size_t>(best)].score, scale)))
      best = static_cast<int>(a);
  if (best < 0) return -1;
  const double decrease = node.weight / node.total * offers[static_cast<std::size_t>(best)].score;
  return decrease < settings_.min_decrease - tie * scale ? -1 : best;
}

void Cart::score(const NodeView& node, Candidate& choice, const std::vector<double>& own) const {
  choice.figures[0] = split_gain(settings_.measure, own, static_cast<std::size_t>(problem_->classes), node.weight);
}

void Cart::settle(const NodeView& node, Candidate& choice, int threads) const {
  choice.threshold = choice.above == infinity ? infinity : midpoint(choice.below, choice.above);
  // Sought only where an attribute has gaps at all: elsewhere they would cost as much as the splits themselves.
  if (!settings_.missing_by_direction && settings_.surrogates > 0 && node.pack.any_missing(choice.attribute))
    choice.surrogates = find_surrogates(node, choice, settings_.surrogates, threads);
  choice.otherwise = larger_branch(node, choice);
}

}  // namespace clearwood
