#include "core/trees/chaid_merge.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace clearwood {
namespace {

void put_in_order(Partition& groups) { std::sort(groups.begin(), groups.end()); }

double likeness_of_two(const Categories& categories, const double* a, const double* b) {
  const std::array<const double*, 2> pair{a, b};
  return test_groups(categories.test, pair, categories.width).likeness;
}

// One category per group; beyond a few thousand, those with rows of one class only are together from the start. Such
// pairs have p = 1 and would be the first to join, two by two.
Partition start(const Categories& categories, std::size_t size, const MergeRules& rules) {
  Partition groups;
  const bool gather = size > 2000 && !categories.ordered && categories.test != Test::anova && rules.alpha_merge < 1 &&
                      rules.alpha_resplit < 0;
  std::map<std::size_t, std::size_t> group_of_class;
  for (std::size_t i = 0; i < size; ++i) {
    const auto category = static_cast<std::int32_t>(i);
    if (gather) {
      const double* row = categories.row(i);
      const auto classes = std::count_if(row, row + categories.width, [](double w) { return w > 0.0; });
      const auto only = static_cast<std::size_t>(std::max_element(row, row + categories.width) - row);
      if (classes == 1) {
        const auto [place, is_new] = group_of_class.try_emplace(only, groups.size());
        if (!is_new) {
          groups[place->second].push_back(category);
          continue;
        }
      }
    }
    groups.push_back({category});
  }
  if (!categories.ordered && groups.size() > most_groups) throw std::length_error("too many values to compare in pairs");
  return groups;
}

// The partition with this group parted in the two halves that differ most, if they do; else an empty one.
Partition resplit(const Categories& categories, const Partition& groups, const std::vector<std::int32_t>& group,
                  double alpha) {
  const std::size_t size = group.size();
  std::vector<std::vector<char>> firsts;  // [way][place in the group] is it in the first half?
  if (categories.ordered) {
    for (std::size_t end = 1; end < size; ++end) {
      firsts.emplace_back(size, 0);
      std::fill_n(firsts.back().begin(), end, 1);
    }
  } else if (size <= 10) {
    for (std::size_t way = 0; way + 1 < std::size_t{1} << (size - 1); ++way) {
      firsts.emplace_back(size, 0);
      firsts.back()[0] = 1;
      for (std::size_t i = 1; i < size; ++i) firsts.back()[i] = way >> (i - 1) & 1;
    }
  } else {
    // There are too many ways: one category against the rest.
    for (std::size_t i = 0; i < size; ++i) {
      firsts.emplace_back(size, 0);
      firsts.back()[i] = 1;
    }
  }
  Partition best;
  double least = 0.0;
  for (const auto& first : firsts) {
    Partition halves(2);
    for (std::size_t i = 0; i < size; ++i) halves[first[i] ? 0 : 1].push_back(group[i]);
    const double likeness = test_partition(categories, halves).likeness;
    if (best.empty() || less_alike(likeness, least)) {
      least = likeness;
      best = std::move(halves);
    }
  }
  if (above(least, alpha)) return {};
  for (const auto& each : groups)
    if (each != group) best.push_back(each);
  put_in_order(best);
  return best;
}

// While more than two groups remain, join the most similar pair if its p exceeds α.
Partition merge_alike(const Categories& categories, Partition groups, const MergeRules& rules) {
  std::set<Partition> seen;
  const bool parts = rules.alpha_resplit >= 0;
  if (parts) seen.insert(groups);
  std::optional<GroupPairs> pairs(std::in_place, categories, std::move(groups));
  while (pairs->size() > 2) {
    categories.poll();
    const auto pair = pairs->most_alike();
    if (!above(pair.likeness, rules.alpha_merge)) break;
    pairs->join(pair);
    if (!parts) continue;
    Partition now = pairs->partition();
    if (pairs->members(pair.first).size() >= 3) {
      Partition again = resplit(categories, now, pairs->members(pair.first), rules.alpha_resplit);
      // A grouping met before would go round in circles.
      if (!again.empty() && !seen.contains(again)) {
        now = again;
        pairs.emplace(categories, std::move(again));
      }
    }
    seen.insert(std::move(now));
  }
  return pairs->partition();
}

// Join the most similar pair down to two groups, and keep the stage whose table has the smallest p.
Partition best_stage(const Categories& categories, const Partition& groups) {
  std::vector<GroupPairs::Pair> joins;
  GroupPairs pairs(categories, groups);
  double least = pairs.test_all().likeness;
  std::size_t chosen = 0;
  while (pairs.size() > 2) {
    categories.poll();
    joins.push_back(pairs.most_alike());
    pairs.join(joins.back());
    const double likeness = pairs.test_all().likeness;
    if (less_alike(likeness, least)) {
      least = likeness;
      chosen = joins.size();
    }
  }
  Partition stage = groups;
  for (std::size_t i = 0; i < chosen; ++i) {
    auto& into = stage[joins[i].first];
    auto& from = stage[joins[i].second];
    into.insert(into.end(), from.begin(), from.end());
    from.clear();
  }
  std::erase_if(stage, [](const auto& group) { return group.empty(); });
  for (auto& group : stage) std::sort(group.begin(), group.end());
  return stage;
}

// The floating category joined to the group most like it, or apart: whichever gives the whole table the smaller p.
Partition place_missing(const Categories& categories, const Partition& groups) {
  const auto missing = static_cast<std::int32_t>(categories.size - 1);
  Partition apart = groups;
  apart.push_back({missing});
  if (groups.empty()) return apart;
  const auto rows = rows_of(categories, groups);
  std::size_t most = 0;
  double best = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double likeness =
        likeness_of_two(categories, rows.data() + g * categories.width, categories.row(categories.size - 1));
    if (g > 0 && !more_alike(likeness, best)) continue;
    best = likeness;
    most = g;
  }
  Partition together = groups;
  together[most].push_back(missing);
  const double apart_likeness = test_partition(categories, apart).likeness;
  const double together_likeness = test_partition(categories, together).likeness;
  return less_alike(apart_likeness, together_likeness) ? apart : together;
}

}  // namespace

Partition merge(const Categories& categories, const MergeRules& rules) {
  Partition groups = start(categories, categories.size - (categories.floats() ? 1 : 0), rules);
  groups = rules.exhaustive ? best_stage(categories, groups) : merge_alike(categories, std::move(groups), rules);
  return categories.floats() ? place_missing(categories, groups) : groups;
}

Partition absorb(const Categories& categories, Partition groups, double min_leaf) {
  const std::size_t width = categories.width;
  const auto missing = static_cast<std::int32_t>(categories.size - 1);
  while (groups.size() > 1) {
    const auto rows = rows_of(categories, groups);
    std::size_t small = 0;
    double least = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const double weight = group_weight(categories.test, rows.data() + g * width, width);
      if (g > 0 && !(weight < least)) continue;
      small = g;
      least = weight;
    }
    if (least >= min_leaf - tie * std::max(1.0, min_leaf)) break;
    auto floats_alone = [&](std::size_t g) {
      return categories.floats() && groups[g].size() == 1 && groups[g][0] == missing;
    };
    std::size_t most = groups.size();
    double best = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const bool beside = g + 1 == small || g == small + 1;
      if (g == small || (categories.ordered && !beside && !floats_alone(g) && !floats_alone(small))) continue;
      const double likeness = likeness_of_two(categories, rows.data() + g * width, rows.data() + small * width);
      if (most < groups.size() && !more_alike(likeness, best)) continue;
      best = likeness;
      most = g;
    }
    auto& into = groups[std::min(most, small)];
    auto& from = groups[std::max(most, small)];
    into.insert(into.end(), from.begin(), from.end());
    std::sort(into.begin(), into.end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(std::max(most, small)));
  }
  return groups;
}

}  // namespace clearwood
