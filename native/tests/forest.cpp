// Forests: the same on any number of threads, every row in one leaf, and the rows of more trees drawn as if at once.
#include <algorithm>
#include <vector>
#include <numeric>

#include "core/ensembles/forest.hpp"
#include "tests/random_table.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

GrownForest grown(const Problem& problem, const ForestSettings& settings, int threads) {
  const StopFlag stop{false};
  Progress progress;
  std::vector<std::uint32_t> order(problem.rows);
  std::iota(order.begin(), order.end(), 0u);
  return grow_forest(problem, order, settings, {}, threads, progress, stop);
}

template <class T>
bool same(const std::unique_ptr<T[]>& a, const std::unique_ptr<T[]>& b, std::size_t size) {
  return std::equal(a.get(), a.get() + size, b.get());
}

bool same(const GrownForest& a, const GrownForest& b) {
  const ForestNodes &one = a.nodes, &two = b.nodes;
  return one.size == two.size && one.codes == two.codes && a.start == b.start &&
         a.out_of_bag.wrong == b.out_of_bag.wrong && same(one.parent, two.parent, one.size) &&
         same(one.counts, two.counts, one.size * one.width) && same(one.high, two.high, one.size) &&
         same(one.attribute, two.attribute, one.size) && same(one.set_codes, two.set_codes, one.codes);
}

void is_the_same_on_any_threads(ForestSettings settings, bool numbers) {
  settings.trees = 5;
  settings.drawn_columns = 2;
  if (numbers) settings.measure = Measure::squared;
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    const tests::RandomTable table(seed, seed % 2 ? 300 : 9000, numbers ? 0 : static_cast<int>(2 + seed % 3), seed == 3);
    const auto problem = table.problem();
    const GrownForest one = grown(problem, settings, 1);
    CHECK(one.start.size() == 6);
    CHECK(one.nodes.size > 5);
    CHECK(same(one, grown(problem, settings, 4)));
  }
}

TEST("a forest of classes is the same on any number of threads") { is_the_same_on_any_threads({}, false); }

TEST("a forest of numbers is the same on any number of threads") {
  ForestSettings settings;
  settings.min_leaf = 5;
  is_the_same_on_any_threads(settings, true);
}

TEST("a forest of random cuts, of parts of the rows and by entropy is the same on any number of threads") {
  ForestSettings settings;
  settings.random_cuts = true;
  is_the_same_on_any_threads(settings, false);
  settings.part = 0.5;
  settings.random_cuts = false;
  settings.measure = Measure::entropy;
  is_the_same_on_any_threads(settings, false);
}

TEST("the children of a forest's node weigh what it weighs") {
  const tests::RandomTable table(7, 6000, 3, false);
  ForestSettings settings;
  settings.trees = 3;
  settings.drawn_columns = 2;
  const GrownForest forest = grown(table.problem(), settings, 2);
  const ForestNodes& nodes = forest.nodes;
  std::vector<double> below(nodes.size * nodes.width, 0.0);
  std::vector<char> inner(nodes.size, 0);
  for (std::size_t i = 0; i < nodes.size; ++i) {
    if (nodes.parent[i] < 0) continue;
    const auto above = static_cast<std::size_t>(nodes.parent[i]);
    inner[above] = 1;
    for (std::size_t c = 0; c < nodes.width; ++c) below[above * nodes.width + c] += nodes.counts[i * nodes.width + c];
  }
  bool add_up = true;
  for (std::size_t i = 0; i < nodes.size; ++i)
    for (std::size_t c = 0; c < nodes.width && inner[i]; ++c)
      add_up = add_up && below[i * nodes.width + c] == nodes.counts[i * nodes.width + c];
  CHECK(add_up);
}

}  // namespace
