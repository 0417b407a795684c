// CN2 and PRISM: whatever the number of threads, the same rules; every rule covers what it counts; both stop on request.
#include <cmath>
#include <numeric>
#include <vector>

#include "core/rules/covering.hpp"
#include "tests/random_table.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

bool same(const LearnedRules& one, const LearnedRules& other) {
  return one.start == other.start && one.tests == other.tests && one.answer == other.answer &&
         one.counts == other.counts && one.otherwise == other.otherwise;
}

Problem codes_only(Problem problem) {
  problem.coded.erase(problem.coded.begin(), problem.coded.begin() + 2);
  return problem;
}

double weight_of(const Problem& problem) {
  if (!problem.weight_of) return static_cast<double>(problem.rows);
  return std::accumulate(problem.weight_of, problem.weight_of + problem.rows, 0.0);
}

template <class Work>
bool stops(Work work) {
  try {
    work(StopFlag{true});
  } catch (const Stopped&) {
    return true;
  }
  return false;
}

TEST("the number of threads does not change a rule") {
  for (std::uint32_t seed = 1; seed <= 2; ++seed) {
    const tests::RandomTable table(seed, 60000, 3, seed == 2);  // enough rows for a thread to be worth starting
    const auto problem = table.problem();
    for (const bool ordered : {true, false})
      for (const auto measure : {RuleMeasure::laplace, RuleMeasure::entropy, RuleMeasure::wracc}) {
        Cn2Settings settings;
        settings.ordered = ordered;
        settings.measure = measure;
        settings.beam = 4;
        settings.max_conditions = 2;
        settings.min_rows = 6000;
        const StopFlag stop{false};
        CHECK(same(learn_cn2(problem, settings, 1, stop), learn_cn2(problem, settings, 4, stop)));
      }
    const auto codes = codes_only(problem);
    CHECK(same(learn_prism(codes, 1, StopFlag{false}), learn_prism(codes, 4, StopFlag{false})));
  }
}

TEST("ordered rules count every row once, and the default counts what is left") {
  const tests::RandomTable table(7, 600, 3, true);
  const auto problem = table.problem();
  Cn2Settings settings;
  settings.min_rows = 5;
  const auto rules = learn_cn2(problem, settings, 2, StopFlag{false});
  CHECK(!rules.answer.empty());
  double counted = std::accumulate(rules.counts.begin(), rules.counts.end(), 0.0);
  const double left = std::accumulate(rules.otherwise.begin(), rules.otherwise.end(), 0.0);
  const double all = weight_of(problem);
  CHECK(std::abs(counted + left - all) < 1e-6 || std::abs(counted - all) < 1e-6);
}

TEST("rules stop on request") {
  const tests::RandomTable table(8, 500, 2, false);
  const auto problem = table.problem();
  CHECK(stops([&](const StopFlag& stop) { learn_cn2(problem, {}, 2, stop); }));
  CHECK(stops([&](const StopFlag& stop) { learn_prism(codes_only(problem), 2, stop); }));
}

}  // namespace
