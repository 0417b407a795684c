#include "core/trees/chaid_tests.hpp"

#include <algorithm>
#include <vector>

#include "core/numeric/infinity.hpp"
#include "core/trees/row_effects.hpp"
#include "core/numeric/special.hpp"

namespace clearwood {
namespace {

constexpr double faint = 1e-290;

// Two groups by Pearson's chi-square: Σ (aB − bA)² ÷ (A B (a + b)), the same number with one division a class.
Finding find_in_two(const double* a, const double* b, std::size_t classes) {
  double all_a = 0.0, all_b = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    all_a += a[c];
    all_b += b[c];
  }
  double sum = 0.0;
  int met = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    const double column = a[c] + b[c];
    if (!(column > 0.0)) continue;
    ++met;
    const double off = a[c] * all_b - b[c] * all_a;
    sum += off * off / column;
  }
  return {sum / (all_a * all_b), static_cast<double>(std::max(0, met - 1)), 0.0};
}

// Pearson's chi-square, or the likelihood ratio; classes without weight have no part in the degrees of freedom.
Finding find_in_counts(bool pearson, std::span<const double* const> groups, std::size_t classes) {
  double total = 0.0;
  double room[64];
  std::vector<double> more(groups.size() > 64 ? groups.size() : 0);
  double* weight = more.empty() ? room : more.data();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    weight[i] = 0.0;
    for (std::size_t c = 0; c < classes; ++c) weight[i] += groups[i][c];
    total += weight[i];
  }
  double statistic = 0.0;
  int met = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    double column = 0.0;
    for (const double* group : groups) column += group[c];
    if (!(column > 0.0)) continue;
    ++met;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const double seen = groups[i][c], expected = weight[i] * column / total;
      if (pearson) {
        statistic += (seen - expected) * (seen - expected) / expected;
      } else if (seen > 0.0) {
        statistic += 2 * seen * std::log(seen / expected);
      }
    }
  }
  // Rounding leaves a hair where rows and columns are independent.
  if (!pearson && statistic <= 1e-13 * total) statistic = 0.0;
  return {statistic, (static_cast<double>(groups.size()) - 1) * std::max(0, met - 1), 0.0};
}

Finding find_in_ordered(std::span<const double* const> groups, std::size_t classes) {
  std::size_t met = 0;
  for (std::size_t c = 0; c < classes; ++c)
    met += std::any_of(groups.begin(), groups.end(), [&](const double* group) { return group[c] > 0.0; });
  if (met < 2) return {};
  // With two classes a tilt per row leaves nothing unexplained: the model is that of the likelihood ratio.
  if (met == 2) return find_in_counts(false, groups, classes);
  return {row_effects_statistic(groups, classes), static_cast<double>(groups.size()) - 1, 0.0};
}

Finding find_in_means(std::span<const double* const> groups) {
  double weight = 0.0, mean = 0.0, between = 0.0, within = 0.0;
  for (const double* group : groups) {
    const double sum = weight + group[0], off = group[1] - mean;
    between += weight * group[0] / sum * off * off;
    mean += off * group[0] / sum;
    weight = sum;
    within += group[2];
  }
  // What is left of a sum of squares that should be 0 is rounding, not scatter.
  const double rounding = std::max(1e-14 * (between + within), 1e-28 * weight * mean * mean);
  if (!(within > rounding)) within = 0.0;
  const double df = static_cast<double>(groups.size()) - 1, rest = weight - static_cast<double>(groups.size());
  if (!(between > rounding) || df <= 0 || rest <= 0) return {};
  return {within > 0.0 ? (between / df) / (within / rest) : infinity, df, rest};
}

}  // namespace

Finding find(Test test, std::span<const double* const> groups, std::size_t width) {
  if (groups.size() < 2) return {};
  switch (test) {
    case Test::pearson:
      return groups.size() == 2 ? find_in_two(groups[0], groups[1], width) : find_in_counts(true, groups, width);
    case Test::likelihood_ratio:
      return find_in_counts(false, groups, width);
    case Test::row_effects:
      return find_in_ordered(groups, width);
    case Test::anova:
      return find_in_means(groups);
  }
  return {};
}

Verdict judge(Test test, const Finding& finding) {
  const auto [statistic, df, rest] = finding;
  if (test == Test::anova) {
    const double p = f_sf(statistic, df, rest);
    return {statistic, p, p >= faint ? p : likeness_of(p, f_log_sf(statistic, df, rest))};
  }
  const double p = chi2_sf(statistic, df);
  return {statistic, p, p >= faint ? p : likeness_of(p, chi2_log_sf(statistic, df))};
}

void add_group(Test test, double* into, const double* other, std::size_t width) {
  if (test != Test::anova) {
    for (std::size_t c = 0; c < width; ++c) into[c] += other[c];
    return;
  }
  const double sum = into[0] + other[0], off = other[1] - into[1];
  into[2] += other[2] + into[0] * other[0] / sum * off * off;
  into[1] += off * other[0] / sum;
  into[0] = sum;
}

double group_weight(Test test, const double* group, std::size_t width) {
  if (test == Test::anova) return group[0];
  double sum = 0.0;
  for (std::size_t c = 0; c < width; ++c) sum += group[c];
  return sum;
}

// A finite floor, so that differences stay numbers.
double likeness_of(double p, double log_p) { return p >= faint ? p : std::max(log_p, -1e300); }

double log_of(double likeness) { return likeness > 0.0 ? std::log(likeness) : likeness; }

}  // namespace clearwood
