#include "core/rules/ripper.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/rules/ripper_class.hpp"
#include "core/rules/ripper_length.hpp"

namespace clearwood {
namespace {

// From the rarest class to the most common, of equals the last first; classes without rows are left out.
std::vector<std::int32_t> class_order(const Problem& problem) {
  std::vector<double> weight(static_cast<std::size_t>(problem.classes), 0);
  for (std::size_t row = 0; row < problem.rows; ++row)
    weight[static_cast<std::size_t>(problem.class_of[row])] += problem.weight_of ? problem.weight_of[row] : 1.0;
  std::vector<std::int32_t> order;
  for (std::int32_t code = problem.classes; code-- > 0;)
    if (weight[static_cast<std::size_t>(code)] > 0) order.push_back(code);
  // Shares in steps of the tie, so that rounding does not order equal classes.
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (double& each : weight) each = std::floor(each / total / ripper_tie + 0.5);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return weight[static_cast<std::size_t>(a)] < weight[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace

RipperRules ripper(const Problem& problem, const RipperSettings& settings, int threads, const StopFlag& stop) {
  RipperRules learned;
  learned.taken.assign(problem.rows, -1);
  const auto order = class_order(problem);
  if (order.empty()) return learned;
  learned.otherwise = order.back();
  const auto columns = rank_columns(problem, threads, stop);
  RuleGrower grower(columns, problem.weight_of, settings.min_rows, threads, stop);
  Dealer dealer(settings.seed);
  const RipperShared shared{columns, problem.weight_of, settings, grower, dealer, learned.steps};
  Bits alive = all_rows(problem.rows);
  for (std::size_t c = 0; c + 1 < order.size(); ++c) {
    Bits positive = no_rows(problem.rows);
    for (std::size_t row = 0; row < problem.rows; ++row)
      if (problem.class_of[row] == order[c]) put(positive, row);
    for (Covering& rule : rules_of_class(shared, alive, positive, order[c])) {
      for (const auto row : rule.rows) {
        if (!has(alive, row)) continue;
        learned.taken[row] = static_cast<std::int32_t>(learned.rules.size());
        alive[row / 64] &= ~(Word{1} << (row % 64));
      }
      learned.rules.push_back({order[c], std::move(rule.tests)});
    }
  }
  return learned;
}

}  // namespace clearwood
