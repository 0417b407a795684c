// RIPPER: the same rules on any number of threads, rows counted where they are taken, and work that stops on request.
#include <cmath>
#include <vector>

#include "core/rules/ripper.hpp"
#include "tests/random_table.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

RipperRules learn(const Problem& problem, const RipperSettings& settings, int threads) {
  const StopFlag stop{false};
  return ripper(problem, settings, threads, stop);
}

bool holds(const RipperTest& test, const Problem& problem, std::size_t row) {
  const Column& column = problem.columns[static_cast<std::size_t>(test.column)];
  if (test.kind == RipperTest::Kind::equals) return column.code(row) == static_cast<std::int32_t>(test.value);
  const double value = column.number(row);
  return test.kind == RipperTest::Kind::at_most ? value <= test.value : value > test.value;
}

// Every weight must be positive for the learners; the random table has some zeros.
std::vector<double> positive_weights(const Problem& problem) {
  std::vector<double> weights;
  for (std::size_t row = 0; row < problem.rows; ++row)
    weights.push_back(problem.weight_of ? problem.weight_of[row] + 0.5 : 1.0);
  return weights;
}

TEST("RIPPER finds the same rules on any number of threads") {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const tests::RandomTable table(seed, seed == 5 ? 60'000 : 900, static_cast<std::int32_t>(2 + seed % 3), seed % 2 == 0);
    auto problem = table.problem();
    const auto weights = positive_weights(problem);
    if (problem.weight_of) problem.weight_of = weights.data();
    RipperSettings settings;
    settings.seed = seed;
    if (seed == 5) settings.optimizations = 1;
    const auto one = learn(problem, settings, 1);
    const auto four = learn(problem, settings, 4);
    CHECK(!one.rules.empty());
    CHECK(one.taken == four.taken);
    CHECK(one.steps.size() == four.steps.size());
  }
}

TEST("each row is taken by the first of RIPPER's rules that holds") {
  for (const bool prune : {true, false}) {
    const tests::RandomTable table(11, 700, 3, false);
    const auto problem = table.problem();
    RipperSettings settings;
    settings.prune = prune;
    const auto rules = learn(problem, settings, 2);
    for (std::size_t row = 0; row < problem.rows; ++row) {
      std::int32_t first = -1;
      for (std::size_t i = rules.rules.size(); i-- > 0;) {
        bool all = true;
        for (const RipperTest& test : rules.rules[i].tests) all = all && holds(test, problem, row);
        if (all) first = static_cast<std::int32_t>(i);
      }
      CHECK(rules.taken[row] == first);
    }
  }
}

TEST("one row, one class or no column leave RIPPER without rules") {
  const tests::RandomTable single(7, 1, 2, false);
  CHECK(learn(single.problem(), {}, 2).rules.empty());
  const tests::RandomTable same(7, 50, 1, false);
  CHECK(learn(same.problem(), {}, 2).rules.empty());
  const tests::RandomTable table(7, 50, 2, false);
  auto bare = table.problem();
  bare.coded.clear();
  CHECK(learn(bare, {}, 2).rules.empty());
}

TEST("RIPPER stops on request") {
  const tests::RandomTable table(8, 3000, 2, false);
  const StopFlag stop{true};
  bool stopped = false;
  try {
    ripper(table.problem(), {}, 2, stop);
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped);
}

TEST("a description is as long as its bits add up to") {
  CHECK(std::abs(rule_bits(2, 10) - 4.1096) < 1e-4);
  CHECK(std::abs(exception_bits(40, 60, 2, 4, 0.5) - 39.5458) < 1e-4);
  CHECK(rule_bits(0, 10) == 0);
  CHECK(std::isfinite(exception_bits(0, 10, 0, 10, 0.5)));
}

}  // namespace
