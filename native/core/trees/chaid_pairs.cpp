#include "core/trees/chaid_pairs.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/numeric/infinity.hpp"

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

GroupPairs::GroupPairs(const Categories& categories, Partition groups)
    : categories_(categories), count_(groups.size()), alive_(groups.size()), members_(std::move(groups)),
      rows_(rows_of(categories, members_)), next_(count_), partner_(count_, count_), best_(count_, -infinity) {
  for (std::size_t i = 0; i < count_; ++i) next_[i] = i + 1;
  for (std::size_t i = 0; i < count_; ++i) {
    categories.poll();
    find_partner(i);
  }
}

Finding GroupPairs::compare(std::size_t i, std::size_t j) const {
  const std::size_t width = categories_.width;
  const std::array<const double*, 2> pair{rows_.data() + i * width, rows_.data() + j * width};
  return find(categories_.test, pair, width);
}

void GroupPairs::find_partner(std::size_t i) {
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

GroupPairs::Pair GroupPairs::most_alike() const {
  Pair pair;
  bool any = false;
  for (std::size_t i = 0; i < count_; i = next_[i]) {
    if (partner_[i] == count_ || (any && !more_alike(best_[i], pair.likeness))) continue;
    pair = {i, partner_[i], best_[i]};
    any = true;
  }
  return pair;
}

void GroupPairs::join(const Pair& pair) {
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

Partition GroupPairs::partition() const {
  Partition groups;
  for (std::size_t i = 0; i < count_; i = next_[i]) groups.push_back(members_[i]);
  return groups;
}

Verdict GroupPairs::test_all() const {
  std::vector<const double*> each;
  for (std::size_t i = 0; i < count_; i = next_[i]) each.push_back(rows_.data() + i * categories_.width);
  return test_groups(categories_.test, each, categories_.width);
}

}  // namespace clearwood
