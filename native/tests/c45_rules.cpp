// C4.5rules: errors never rise by dropping, every row is answered once, threads change nothing, and it stops on request.
#include "core/rules/c45_rules.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/trees/learners.hpp"
#include "tests/random_table.hpp"
#include "tests/testing.hpp"
#include "tests/walk_through.hpp"

using namespace clearwood;

namespace {

LeafRules learned(const Problem& problem, std::size_t exhaustive, const StopFlag& stop) {
  const auto learner = c45_learner(C45Settings{});
  const StopFlag never{false};
  const FlatTree tree = grow(problem, *learner, 2, never);
  const tests::WalkThrough through(tree, problem);
  const auto classes = static_cast<std::size_t>(problem.classes);
  std::vector<std::int32_t> answer;
  for (std::size_t node = 0; node < tree.parent.size(); ++node) {
    const double* counts = tree.counts.data() + node * classes;
    answer.push_back(static_cast<std::int32_t>(std::max_element(counts, counts + classes) - counts));
  }
  const std::vector<double> bits(answer.size(), 4.0);
  const LabelledTree from{through.walk, answer.data(), bits.data()};
  const C45RulesSettings settings{{0.25, 0.6744897501960817, false}, {0.5, exhaustive}, true};
  return c45_rules(from, {problem.rows, problem.classes, problem.class_of, problem.weight_of}, settings, stop);
}

TEST("dropping a condition of a rule never raises its error, and every row is answered once") {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const tests::RandomTable table(seed, 1500, 3, seed % 2 == 0);
    const auto problem = table.problem();
    const auto rules = learned(problem, seed < 4 ? 8 : 0, StopFlag{false});
    CHECK(!rules.order.empty());
    for (const auto& rule : rules.rules) {
      double error = rule.first_error;
      for (const auto& each : rule.dropped) {
        CHECK(each.error <= error * (1 + 1e-9));
        error = each.error;
      }
      CHECK(rule.error == error && rule.wrong <= rule.covered);
    }
    double rows = 0;
    for (std::size_t row = 0; row < problem.rows; ++row) rows += problem.weight_of ? problem.weight_of[row] : 1;
    CHECK(std::abs(std::accumulate(rules.counts.begin(), rules.counts.end(), 0.0) - rows) < 1e-6);
    for (std::size_t c = 0; c < 3; ++c) CHECK(rules.class_bits[c * 3 + 2] <= rules.class_bits[c * 3] + 1e-6);
  }
}

TEST("the same rules on one thread and on several") {
  const tests::RandomTable table(9, 1200, 3, false);
  const auto problem = table.problem();
  set_thread_count(1);
  const auto one = learned(problem, 6, StopFlag{false});
  set_thread_count(4);
  const auto several = learned(problem, 6, StopFlag{false});
  set_thread_count(0);
  CHECK(one.order == several.order && one.counts == several.counts && one.class_bits == several.class_bits);
}

TEST("rules stop on request") {
  const tests::RandomTable table(8, 500, 2, false);
  const auto problem = table.problem();
  bool stopped = false;
  try {
    learned(problem, 6, StopFlag{true});
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped);
}

}  // namespace
