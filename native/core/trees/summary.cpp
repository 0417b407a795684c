#include "core/trees/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clearwood {
namespace {

// branch_of(instance): the branch, or shared_branch.
template <class BranchOf>
std::vector<double> summarise_by(const Pack& pack, const Range& range, std::size_t branches,
                                 const std::vector<double>& shares, BranchOf branch_of) {
  const Problem& problem = pack.problem();
  const std::size_t width = problem.width();
  const std::uint32_t* list = pack.instances(range);
  std::vector<double> result(branches * width, 0.0);
  // Calls visit(branch, weight, instance) for every branch a row goes down.
  auto each = [&](auto visit) {
    for (std::size_t i = 0; i < range.size; ++i) {
      const std::uint32_t instance = list[i];
      const std::uint32_t b = branch_of(instance);
      if (b != Pack::shared_branch) {
        visit(b, pack.weight(instance), instance);
        continue;
      }
      for (std::size_t k = 0; k < branches; ++k)
        if (shares[k] > 0.0) visit(k, pack.weight(instance) * shares[k], instance);
    }
  };
  if (problem.classes > 0) {
    each([&](std::size_t b, double weight, std::uint32_t instance) {
      result[b * width + static_cast<std::size_t>(pack.class_of(instance))] += weight;
    });
    return result;
  }
  std::vector<double> weight_of(branches, 0.0), value_of(branches, 0.0), error_of(branches, 0.0);
  std::vector<double> least(branches, std::numeric_limits<double>::infinity());
  std::vector<double> most(branches, -std::numeric_limits<double>::infinity());
  if (problem.by_median) {
    std::vector<std::vector<std::pair<double, double>>> pairs(branches);
    each([&](std::size_t b, double weight, std::uint32_t instance) {
      weight_of[b] += weight;
      pairs[b].emplace_back(pack.number_of(instance), weight);
    });
    for (std::size_t b = 0; b < branches; ++b) {
      value_of[b] = weighted_median(pairs[b]);
      for (const auto& [value, weight] : pairs[b]) error_of[b] += weight * std::abs(value - value_of[b]);
    }
  } else {
    each([&](std::size_t b, double weight, std::uint32_t instance) {
      const double number = pack.number_of(instance);
      weight_of[b] += weight;
      value_of[b] += weight * number;
      least[b] = std::min(least[b], number);
      most[b] = std::max(most[b], number);
    });
    // Equal numbers have that mean and no error, whatever rounding makes of their sum.
    for (std::size_t b = 0; b < branches; ++b)
      if (weight_of[b] > 0) value_of[b] = least[b] == most[b] ? least[b] : value_of[b] / weight_of[b];
    each([&](std::size_t b, double weight, std::uint32_t instance) {
      const double off = pack.number_of(instance) - value_of[b];
      error_of[b] += weight * off * off;
    });
  }
  for (std::size_t b = 0; b < branches; ++b) {
    result[b * width] = weight_of[b];
    result[b * width + 1] = value_of[b];
    result[b * width + 2] = error_of[b];
  }
  return result;
}

}  // namespace

double weighted_median(std::vector<std::pair<double, double>>& pairs) {
  if (pairs.empty()) return 0.0;
  std::sort(pairs.begin(), pairs.end());
  double total = 0.0;
  for (const auto& [value, weight] : pairs) total += weight;
  double below = 0.0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    below += pairs[i].second;
    if (std::abs(below - total / 2) <= 1e-12 * total && i + 1 < pairs.size())
      return (pairs[i].first + pairs[i + 1].first) / 2;
    if (below >= total / 2) return pairs[i].first;
  }
  return pairs.back().first;
}

std::vector<double> summarise_branches(const Pack& pack, const Range& range, int branches, const Pack::Routed& routed,
                                       const std::vector<double>& shares) {
  const auto classes = static_cast<std::size_t>(pack.problem().classes);
  if (classes == 0)
    return summarise_by(pack, range, static_cast<std::size_t>(branches), shares,
                        [&](std::uint32_t instance) { return pack.branch(instance); });
  std::vector<double> counts = routed.counts;
  const std::vector<double> ends = ends_of_shares(shares);
  for (const std::uint32_t instance : routed.shared)
    for (std::size_t b = 0; b < shares.size(); ++b)
      counts[b * classes + static_cast<std::size_t>(pack.class_of(instance))] += pack.part(instance, shares, ends, b);
  return counts;
}

std::vector<double> without_factors(const Problem& problem, std::vector<double> counts) {
  if (problem.factors.empty()) return counts;
  const std::size_t classes = problem.factors.size();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] /= problem.factors[i % classes];
    // Whole rows stay whole: a weight times a factor and back may be off in the last digit.
    const double whole = std::rint(counts[i]);
    if (std::abs(counts[i] - whole) <= 1e-9 * whole) counts[i] = whole;
  }
  return counts;
}

std::vector<double> summarise(const Pack& pack, const Range& range) {
  return summarise_by(pack, range, 1, {1.0}, [](std::uint32_t) { return std::uint32_t{0}; });
}

}  // namespace clearwood
