#include "core/rules/cn2.hpp"

#include <algorithm>
#include <numeric>

namespace clearwood {
namespace {

class Cn2Covering {
 public:
  Cn2Covering(const Problem& problem, const Cn2Settings& settings, int threads, const StopFlag& stop)
      : columns_(rule_columns(problem)), settings_(settings), threads_(threads), stop_(stop) {
    classes_.of.assign(problem.class_of, problem.class_of + problem.rows);
    classes_.size = static_cast<std::size_t>(problem.classes);
    classes_.weights = problem.weight_of;
    every_.resize(problem.rows);
    std::iota(every_.begin(), every_.end(), Row{0});
  }

  LearnedRules run() {
    if (settings_.ordered) {
      ordered();
    } else {
      for (std::size_t goal = 0; goal < classes_.size; ++goal) for_one_class(static_cast<std::int32_t>(goal));
      rules_.otherwise = classes_.count(every_);
    }
    return std::move(rules_);
  }

 private:
  bool search(const Labels& labels, const RowList& rows, const RuleQuality& quality, Complex& best) const {
    return beam_search(columns_, labels, rows, quality, settings_.search, threads_, stop_, best);
  }

  // Each rule takes its rows away from those that follow.
  void ordered() {
    RowList left = every_;
    Complex best;
    while (!left.empty()) {
      const RuleQuality quality(settings_.measure, classes_.count(left), -1, settings_.min_rows, settings_.critical);
      if (!search(classes_, left, quality, best)) break;
      const auto counts = classes_.count(best.rows);
      rules_.add(best.tests, quality.answer(counts.data()), counts);
      RowList rest;
      std::set_difference(left.begin(), left.end(), best.rows.begin(), best.rows.end(), std::back_inserter(rest));
      left = std::move(rest);
    }
    rules_.otherwise = classes_.count(left.empty() ? every_ : left);
  }

  // Each rule takes away the rows of its own class only: those of others must stay to be avoided.
  void for_one_class(std::int32_t goal) {
    Labels versus{{}, 2, classes_.weights};
    for (const std::int32_t each : classes_.of) versus.of.push_back(each == goal);
    RowList left = every_;
    auto of_goal = [&](Row row) { return versus.of[row] == 1; };
    Complex best;
    while (std::any_of(left.begin(), left.end(), of_goal)) {
      const RuleQuality quality(settings_.measure, versus.count(left), 1, settings_.min_rows, settings_.critical);
      if (!search(versus, left, quality, best)) break;
      rules_.add(best.tests, goal, classes_.count(covered(best)));
      best.rows.erase(std::remove_if(best.rows.begin(), best.rows.end(), [&](Row row) { return !of_goal(row); }),
                      best.rows.end());
      RowList rest;
      std::set_difference(left.begin(), left.end(), best.rows.begin(), best.rows.end(), std::back_inserter(rest));
      left = std::move(rest);
    }
  }

  RowList covered(const Complex& rule) const {
    RowList rows;
    for (const Row row : every_)
      if (std::all_of(rule.tests.begin(), rule.tests.end(), [&](const RuleTest& test) {
            return satisfies(test, columns_[static_cast<std::size_t>(test.column)], row);
          }))
        rows.push_back(row);
    return rows;
  }

  std::vector<RuleColumn> columns_;
  const Cn2Settings& settings_;
  int threads_;
  const StopFlag& stop_;
  Labels classes_;
  RowList every_;
  LearnedRules rules_;
};

}  // namespace

LearnedRules learn_cn2(const Problem& problem, const Cn2Settings& settings, int threads, const StopFlag& stop) {
  return Cn2Covering(problem, settings, threads, stop).run();
}

}  // namespace clearwood
