// Growing: whole trees, the same on any number of threads, and rows that find their way down again.
#include <cmath>
#include <vector>

#include "core/trees/learners.hpp"
#include "core/trees/walk.hpp"
#include "tests/testing.hpp"
#include "tests/random_table.hpp"
#include "tests/walk_through.hpp"

using namespace clearwood;

namespace {

template <class Make>
FlatTree grown(const Problem& problem, Make make, int threads) {
  const StopFlag stop{false};
  auto learner = make();
  return grow(problem, *learner, threads, stop);
}

bool same(const FlatTree& a, const FlatTree& b) {
  return a.parent == b.parent && a.counts == b.counts && a.attribute == b.attribute && a.low == b.low &&
         a.high == b.high && a.set_codes == b.set_codes && a.share == b.share && a.s_attribute == b.s_attribute;
}

template <class Make>
void grows_the_same_on_any_threads(Make make, bool numbers) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const tests::RandomTable table(seed, seed % 2 ? 400 : 3000, numbers ? 0 : static_cast<int>(2 + seed % 3), seed % 3 == 0);
    const auto problem = table.problem();
    const auto one = grown(problem, make, 1);
    CHECK(one.parent.size() > 1);
    CHECK(one.counts.size() == one.parent.size() * problem.width());
    CHECK(same(one, grown(problem, make, 4)));
  }
}

TEST("ID3 grows the same tree on any number of threads") {
  grows_the_same_on_any_threads([] { return id3_learner(Id3Settings{}); }, false);
}

TEST("C4.5 grows the same tree on any number of threads") {
  grows_the_same_on_any_threads([] { return c45_learner(C45Settings{}); }, false);
}

TEST("CART for classes grows the same tree, with surrogates, on any number of threads") {
  grows_the_same_on_any_threads([] { return cart_learner(CartSettings{}); }, false);
}

TEST("CART for numbers grows the same tree on any number of threads") {
  CartSettings settings;
  settings.measure = Measure::squared;
  settings.min_leaf = 5;
  grows_the_same_on_any_threads([&] { return cart_learner(settings); }, true);
}

TEST("CART with a learned direction grows the same tree on any number of threads") {
  CartSettings settings;
  settings.missing_by_direction = true;
  grows_the_same_on_any_threads([&] { return cart_learner(settings); }, false);
}

TEST("one row makes one leaf") {
  const tests::RandomTable table(7, 1, 2, false);
  CHECK(grown(table.problem(), [] { return cart_learner(CartSettings{}); }, 2).parent.size() == 1);
}

TEST("growing stops on request") {
  const tests::RandomTable table(8, 3000, 2, false);
  const StopFlag stop{true};
  const auto learner = cart_learner(CartSettings{});
  bool stopped = false;
  try {
    grow(table.problem(), *learner, 4, stop);
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped);
}

TEST("every training row passes the nodes that counted it") {
  const tests::RandomTable table(9, 5000, 3, false);
  const auto problem = table.problem();
  const auto tree = grown(problem, [] { return c45_learner(C45Settings{}); }, 2);
  const tests::WalkThrough through(tree, problem);
  const StopFlag stop{false};
  const auto rows = static_cast<std::int64_t>(problem.rows);
  std::vector<std::int32_t> leaves(problem.rows);
  leaves_of(through.walk, rows, leaves.data(), stop);
  for (const auto leaf : leaves) CHECK(tree.end[static_cast<std::size_t>(leaf)] == leaf + 1);
  std::vector<double> counts(tree.counts.size());
  count_classes(through.walk, rows, table.classes().data(), nullptr, 3, counts.data(), stop);
  for (std::size_t i = 0; i < counts.size(); ++i) CHECK(std::abs(counts[i] - tree.counts[i]) < 1e-6);
}

}  // namespace
