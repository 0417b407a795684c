#include "core/trees/chaid_merge.hpp"

#include <map>
#include <set>

namespace clearwood {

std::vector<double> rows_of(const Categories& categories, const Partition& groups) {
  std::vector<double> rows;
  rows.reserve(groups.size() * categories.width);
  for (const auto& group : groups) {
    const double* first = categories.row(static_cast<std::size_t>(group[0]));
    rows.insert(rows.end(), first, first + categories.width);
    double* row = rows.data() + rows.size() - categories.width;
    for (std::size_t m = 1; m < group.size(); ++m)
      add_group(categories.test, row, categories.row(static_cast<std::size_t>(group[m])), categories.width);
  }
  return rows;
}

Verdict test_partition(const Categories& categories, const Partition& groups) {
  const auto rows = rows_of(categories, groups);
  std::vector<const double*> each;
  for (std::size_t g = 0; g < groups.size(); ++g) each.push_back(rows.data() + g * categories.width);
  return test_groups(categories.test, each, categories.width);
}

namespace {

// The most alike pair of groups, kept up to date while groups join.
//
// Every group remembers its best partner among the later ones: all of them, or the next where groups are ordered. When
// two groups join, a group is tested against the joined one, and against all where its own partner has gone. That costs
// few tests and memory stays linear in the groups; p is looked up only where it could be the best.
class GroupPairs {
 public:
  struct Pair {
    std::size_t first = 0, second = 0;  // named by their lowest category's place in the starting partition
    double likeness = 0.0;
  };

  GroupPairs(const Categories& categories, Partition groups)
      : categories_(categories), count_(groups.size()), alive_(groups.size()), members_(std::move(groups)),
        rows_(rows_of(categories, members_)), next_(count_), partner_(count_, count_), best_(count_, -infinity) {
    for (std::size_t i = 0; i < count_; ++i) next_[i] = i + 1;
    for (std::size_t i = 0; i < count_; ++i) {
      categories.poll();
      find_partner(i);
    }
  }

  std::size_t size() const { return alive_; }
  Pair most_alike() const {
    Pair pair;
    bool any = false;
    for (std::size_t i = 0; i < count_; i = next_[i]) {
      if (partner_[i] == count_ || (any && !more_alike(best_[i], pair.likeness))) continue;
      pair = {i, partner_[i], best_[i]};
      any = true;
    }
    return pair;
  }
  void join(const Pair& pair) {
    const auto [a, b, was] = pair;
    const std::size_t width = categories_.width;
    add_group(categories_.test, rows_.data() + a * width, rows_.data() + b * width, width);
    std::vector<std::int32_t> members;
    std::merge(members_[a].begin(), members_[a].end(), members_[b].begin(), members_[b].end(),
               std::back_inserter(members));
    members_[a] = std::move(members);
    members_[b].clear();
    --alive_;
    for (std::size_t i = a; i < b; i = next_[i])
      if (next_[i] == b) {
        next_[i] = next_[b];
        break;
      }
    // Group 0 is never the second of a pair, so the walk from it meets all that are left.
    for (std::size_t i = 0; i < count_ && i < b; i = next_[i]) {
      if (i == a || partner_[i] == a || partner_[i] == b) {
        find_partner(i);
      } else if (i < a && !categories_.ordered) {
        const double likeness = judge(categories_.test, compare(i, a)).likeness;
        const bool as_good = !more_alike(best_[i], likeness);
        if (more_alike(likeness, best_[i]) || (as_good && a < partner_[i])) {
          best_[i] = likeness;
          partner_[i] = a;
        }
      }
    }
  }
  const std::vector<std::int32_t>& members(std::size_t group) const { return members_[group]; }
  Partition partition() const {
    Partition groups;
    for (std::size_t i = 0; i < count_; i = next_[i]) groups.push_back(members_[i]);
    return groups;
  }
  Verdict test_all() const {
    std::vector<const double*> each;
    for (std::size_t i = 0; i < count_; i = next_[i]) each.push_back(rows_.data() + i * categories_.width);
    return test_groups(categories_.test, each, categories_.width);
  }

 private:
  Finding compare(std::size_t i, std::size_t j) const {
    const std::size_t width = categories_.width;
    const std::array<const double*, 2> pair{rows_.data() + i * width, rows_.data() + j * width};
    return find(categories_.test, pair, width);
  }
  void find_partner(std::size_t i) {
    partner_[i] = count_;
    best_[i] = -infinity;
    Finding best;
    for (std::size_t j = next_[i]; j < count_; j = next_[j]) {
      const Finding finding = compare(i, j);
      const bool first = partner_[i] == count_;
      const bool hopeless = finding.df == best.df && finding.rest == best.rest && finding.statistic >= best.statistic;
      if (first || !hopeless) {
        const double likeness = judge(categories_.test, finding).likeness;
        if (first || more_alike(likeness, best_[i])) {
          best_[i] = likeness;
          best = finding;
          partner_[i] = j;
        }
      }
      if (categories_.ordered) break;
    }
  }

  const Categories& categories_;
  std::size_t count_, alive_;
  Partition members_;                 // [group]; empty: joined to another
  std::vector<double> rows_;          // [group][width]
  std::vector<std::size_t> next_;     // [group] the next alive; count_ at the end
  std::vector<std::size_t> partner_;  // [group] count_: none
  std::vector<double> best_;          // [group] likeness to the partner
};

void put_in_order(Partition& groups) { std::sort(groups.begin(), groups.end()); }

double likeness_of_two(const Categories& categories, const double* a, const double* b) {
  const std::array<const double*, 2> pair{a, b};
  return test_groups(categories.test, pair, categories.width).likeness;
}

// One category per group; beyond a few thousand, those with rows of one class only are together from the start. Such
// pairs have p = 1 and would be the first to join, two by two.
Partition start(const Categories& categories, std::size_t size, const MergeRules& rules) {
  Partition groups;
  const bool gather = size > 2000 && !categories.ordered && categories.test != ChaidTest::anova && rules.alpha_merge < 1 &&
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
  if (more_alike(least, alpha)) return {};
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
    if (!more_alike(pair.likeness, rules.alpha_merge)) break;
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
