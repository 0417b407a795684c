#include "core/trees/groups.hpp"

#include <numeric>

#include "core/trees/values.hpp"
#include "core/trees/target.hpp"

namespace clearwood {
namespace {

constexpr std::size_t most_for_all_divisions = 10;
constexpr int power_steps = 100;

// Purity of a set of values, from its summed row of the table.
struct Scorer {
  const NodeView& node;
  Measure measure;
  std::size_t width;
  const std::vector<std::vector<std::pair<double, double>>>& pairs;  // [value] numbers and weights, for absolute error

  double operator()(const std::vector<double>& sums, const std::vector<std::size_t>& members) const {
    if (measure == Measure::squared) return sums[0] > 0 ? sums[1] * sums[1] / sums[0] : 0.0;
    if (measure == Measure::absolute) {
      std::vector<std::pair<double, double>> all;
      for (const std::size_t v : members) all.insert(all.end(), pairs[v].begin(), pairs[v].end());
      const double median = weighted_median(all);
      double error = 0.0;
      for (const auto& [number, weight] : all) error += weight * std::abs(number - median);
      return -error;
    }
    return purity(measure, sums.data(), width, std::accumulate(sums.begin(), sums.end(), 0.0));
  }
};

}  // namespace

std::vector<double> principal_scores(const std::vector<double>& table, const std::vector<double>& weights,
                                     std::size_t classes) {
  const std::size_t values = weights.size();
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> mean(classes, 0.0), covariance(classes * classes, 0.0);
  for (std::size_t v = 0; v < values; ++v)
    for (std::size_t c = 0; c < classes; ++c) mean[c] += table[v * classes + c] / total;
  for (std::size_t v = 0; v < values; ++v)
    for (std::size_t a = 0; a < classes; ++a)
      for (std::size_t b = 0; b < classes; ++b)
        covariance[a * classes + b] += weights[v] / total * (table[v * classes + a] / weights[v] - mean[a]) *
                                       (table[v * classes + b] / weights[v] - mean[b]);
  double most = 0.0;
  for (std::size_t c = 0; c < classes; ++c) most = std::max(most, covariance[c * classes + c]);
  std::size_t widest = 0;  // the first of equals, but for rounding
  while (covariance[widest * classes + widest] < most * (1 - 1e-9)) ++widest;
  std::vector<double> direction(classes, 0.0), next(classes);
  direction[widest] = 1.0;
  for (int step = 0; step < power_steps; ++step) {
    double length = 0.0;
    for (std::size_t a = 0; a < classes; ++a) {
      next[a] = 0.0;
      for (std::size_t b = 0; b < classes; ++b) next[a] += covariance[a * classes + b] * direction[b];
      length += next[a] * next[a];
    }
    length = std::sqrt(length);
    if (!(length > 0.0)) break;
    for (std::size_t a = 0; a < classes; ++a) direction[a] = next[a] / length;
  }
  std::vector<double> scores(values, 0.0);
  for (std::size_t v = 0; v < values; ++v)
    for (std::size_t c = 0; c < classes; ++c)
      scores[v] += (table[v * classes + c] / weights[v] - mean[c]) * direction[c];
  return scores;
}

Groups best_two_groups(const NodeView& node, int attribute, const GroupRules& rules, Scratch& scratch) {
  Groups result;
  const Pack& pack = node.pack;
  const Problem& problem = pack.problem();
  const bool numbers = problem.classes == 0;
  const std::size_t width = numbers ? 2 : static_cast<std::size_t>(problem.classes);
  ValueCounts counts;
  if (numbers) {
    sum_values(node, attribute, node.counts[1], scratch, counts);
  } else {
    count_values(node, attribute, scratch, counts);
  }
  const std::int32_t declared = problem.columns[static_cast<std::size_t>(attribute)].values;
  if (rules.min_value > 0.0 && declared > few_values) {
    std::size_t kept = 0;
    for (std::size_t v = 0; v < counts.codes.size(); ++v) {
      const double* row = counts.table.data() + v * width;
      const double rows = numbers ? counts.weights[v] : raw_weight(problem, row, counts.weights[v]);
      if (rows < rules.min_value - slack) continue;
      std::copy(row, row + width, counts.table.data() + kept * width);
      counts.codes[kept] = counts.codes[v];
      counts.weights[kept++] = counts.weights[v];
    }
    counts.codes.resize(kept);
    counts.weights.resize(kept);
    counts.table.resize(kept * width);
  }
  const bool with_missing = rules.missing_joins && counts.missing_weight > 0.0;
  std::vector<double> table = std::move(counts.table);
  std::vector<double> weights = std::move(counts.weights);
  if (with_missing) {
    table.insert(table.end(), counts.missing.begin(), counts.missing.end());
    weights.push_back(counts.missing_weight);
  }
  const std::size_t values = weights.size();
  if (values < 2 || counts.codes.empty()) return result;

  std::vector<std::vector<std::pair<double, double>>> pairs;
  if (rules.measure == Measure::absolute) {
    pairs.resize(values);
    std::vector<std::size_t> place(static_cast<std::size_t>(declared), values);
    for (std::size_t v = 0; v < counts.codes.size(); ++v) place[static_cast<std::size_t>(counts.codes[v])] = v;
    const std::uint32_t* list = pack.instances(node.range);
    for (std::size_t i = 0; i < node.range.size; ++i) {
      const std::int32_t code = pack.code(list[i], attribute);
      if (code < 0 && !with_missing) continue;
      const std::size_t at = code < 0 ? values - 1 : place[static_cast<std::size_t>(code)];
      if (at < values) pairs[at].emplace_back(pack.number_of(list[i]), pack.weight(list[i]));
    }
  }
  const Scorer score{node, rules.measure, width, pairs};
  auto raw = [&](const std::vector<double>& sums) {
    if (numbers) return sums[0];
    return raw_weight(problem, sums.data(), std::accumulate(sums.begin(), sums.end(), 0.0));
  };
  auto admitted = [&](const std::vector<double>& one, const std::vector<double>& other) {
    if (!rules.limits.apply) return true;
    auto value = [&](const std::vector<double>& sums) {
      return numbers ? node.counts[1] + sums[1] / sums[0] : limited_value(problem, sums.data());
    };
    return rules.limits.admit(value(one), value(other));
  };
  std::vector<double> all(width, 0.0);
  std::vector<std::size_t> everyone(values);
  std::iota(everyone.begin(), everyone.end(), std::size_t{0});
  for (std::size_t v = 0; v < values; ++v)
    for (std::size_t k = 0; k < width; ++k) all[k] += table[v * width + k];
  const double before = score(all, everyone);
  const double tolerance = tie * node_impurity(problem, rules.measure, node.counts, node.weight) * node.weight;

  double best = -1e300;
  std::vector<std::int32_t> best_group;
  std::vector<double> first(width), second(width);
  auto offer = [&](const std::vector<char>& in_first) {
    std::fill(first.begin(), first.end(), 0.0);
    std::fill(second.begin(), second.end(), 0.0);
    std::vector<std::size_t> one, two;
    for (std::size_t v = 0; v < values; ++v) {
      auto& side = in_first[v] ? first : second;
      for (std::size_t k = 0; k < width; ++k) side[k] += table[v * width + k];
      (in_first[v] ? one : two).push_back(v);
    }
    if (raw(first) < rules.min_leaf - slack || raw(second) < rules.min_leaf - slack) return;
    if (!admitted(first, second)) return;
    const double both = score(first, one) + score(second, two);
    if (both > best + tolerance) {
      best = both;
      best_group.assign(values, 0);
      // Group 0 is the one with the first value.
      for (std::size_t v = 0; v < values; ++v) best_group[v] = in_first[v] != in_first[0];
    }
  };

  const bool ordered = numbers || width == 2 || values > most_for_all_divisions;
  std::vector<char> in_first(values, 0);
  if (ordered) {
    std::vector<double> along(values);
    if (numbers || width == 2) {
      for (std::size_t v = 0; v < values; ++v) {
        along[v] = table[v * width + 1] / weights[v] + (numbers ? node.counts[1] : 0.0);
        if (rules.measure == Measure::absolute) along[v] = weighted_median(pairs[v]);
      }
    } else {
      along = principal_scores(table, weights, width);
    }
    // To a billionth of their span, so that rounding never decides an order.
    const auto [low, high] = std::minmax_element(along.begin(), along.end());
    const double least = *low, span = *high - *low;
    const double scale = numbers ? std::max(std::abs(*low), std::abs(*high)) : 1.0;
    for (double& place : along) place = span > 1e-9 * scale ? std::nearbyint((place - least) / span * 1e9) : 0.0;
    std::vector<std::size_t> order(everyone);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return along[a] < along[b]; });
    if (rules.measure == Measure::absolute) {
      for (std::size_t p = 0; p + 1 < values; ++p) {
        check(node.stop);
        in_first[order[p]] = 1;
        offer(in_first);
      }
    } else {
      // One value after the other moves to the first group.
      std::fill(first.begin(), first.end(), 0.0);
      second = all;
      std::size_t best_cut = 0;
      for (std::size_t p = 0; p + 1 < values; ++p) {
        for (std::size_t k = 0; k < width; ++k) {
          first[k] += table[order[p] * width + k];
          second[k] -= table[order[p] * width + k];
          if (!numbers || k == 0) second[k] = std::max(0.0, second[k]);
        }
        if (raw(first) < rules.min_leaf - slack || raw(second) < rules.min_leaf - slack) continue;
        if (!admitted(first, second)) continue;
        const double both = score(first, everyone) + score(second, everyone);
        if (both > best + tolerance) {
          best = both;
          best_cut = p + 1;
        }
      }
      if (best_cut > 0) {
        for (std::size_t p = 0; p < best_cut; ++p) in_first[order[p]] = 1;
        best = -1e300;
        offer(in_first);  // once more, from sums without the crumbs of subtraction
      }
    }
  } else {
    // Bit v − 1 of the mask: value v is in the second group; the first value never is.
    for (std::uint32_t mask = 1; mask < (1u << (values - 1)); ++mask) {
      for (std::size_t v = 0; v < values; ++v) in_first[v] = v == 0 || !(mask >> (v - 1) & 1u);
      offer(in_first);
    }
  }
  if (best_group.empty()) return result;
  result.valid = true;
  result.decrease = (best - before) / node.weight;
  result.codes = counts.codes;
  result.group.assign(best_group.begin(), best_group.begin() + static_cast<std::ptrdiff_t>(counts.codes.size()));
  if (with_missing) result.missing_branch = best_group.back();
  return result;
}

}  // namespace clearwood
