#include "core/rules/rule_quality.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace clearwood {

RuleQuality::RuleQuality(RuleMeasure measure, std::vector<double> before, int goal, double min_rows, double critical)
    : measure_(measure), before_(std::move(before)), goal_(goal), min_rows_(min_rows), critical_(critical) {
  total_ = std::accumulate(before_.begin(), before_.end(), 0.0);
}

int RuleQuality::answer(const double* counts) const {
  if (goal_ >= 0) return goal_;
  std::size_t best = 0;
  for (std::size_t c = 1; c < before_.size(); ++c)
    if (better(counts[c], counts[best], counts[best])) best = c;
  return static_cast<int>(best);
}

RuleVerdict RuleQuality::judge(const double* counts) const {
  RuleVerdict verdict;
  const double covered = std::accumulate(counts, counts + before_.size(), 0.0);
  verdict.enough = covered >= min_rows_ - 1e-9;
  if (!verdict.enough) return verdict;
  const auto cls = static_cast<std::size_t>(answer(counts));
  verdict.score = score(counts, cls, covered);
  verdict.potential = potential(counts);
  verdict.significant = std::isinf(critical_) || likelihood_ratio(counts, covered) >= critical_ * (1 - tie);
  verdict.likelier = better(counts[cls], expected(cls, covered), covered);
  verdict.pure = !better(covered, *std::max_element(counts, counts + before_.size()), covered);
  return verdict;
}

RuleScore RuleQuality::score(const double* counts, std::size_t cls, double covered) const {
  const double right = counts[cls];
  switch (measure_) {
    case RuleMeasure::laplace:
      return {(right + 1) / (covered + static_cast<double>(before_.size())), right};
    case RuleMeasure::wracc:
      return {(right - expected(cls, covered)) / total_, right};
    case RuleMeasure::entropy:
      break;
  }
  double negated = 0.0;
  for (std::size_t c = 0; c < before_.size(); ++c)
    if (counts[c] > 0) negated += counts[c] / covered * std::log2(counts[c] / covered);
  // The purer of others the worse.
  if (goal_ >= 0 && better(covered, 2 * right, covered)) negated = -2 - negated;
  return {negated, right};
}

RuleScore RuleQuality::potential(const double* counts) const {
  const std::size_t first = goal_ < 0 ? 0 : static_cast<std::size_t>(goal_);
  const std::size_t end = goal_ < 0 ? before_.size() : first + 1;
  const double right = *std::max_element(counts + first, counts + end);
  switch (measure_) {
    case RuleMeasure::laplace:
      return {(right + 1) / (right + static_cast<double>(before_.size())), right};
    case RuleMeasure::entropy:
      return {0.0, right};
    case RuleMeasure::wracc:
      break;
  }
  double gain = 0.0;
  for (std::size_t c = first; c < end; ++c) gain = std::max(gain, counts[c] * (1 - before_[c] / total_) / total_);
  return {gain, right};
}

double RuleQuality::likelihood_ratio(const double* counts, double covered) const {
  double sum = 0.0;
  for (std::size_t c = 0; c < before_.size(); ++c)
    if (counts[c] > 0) sum += counts[c] * std::log(counts[c] / expected(c, covered));
  return 2 * sum;
}

}  // namespace clearwood
