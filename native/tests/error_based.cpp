// Error-based pruning: no row is lost, and it stops on request.
#include "core/trees/error_based.hpp"

#include <cmath>
#include <vector>

#include "core/trees/learners.hpp"
#include "tests/random_table.hpp"
#include "tests/testing.hpp"
#include "tests/walk_through.hpp"

using namespace clearwood;

namespace {

constexpr Pessimism usual{0.25, 0.6744897501960817, false};

FlatTree grown(const Problem& problem) {
  const StopFlag stop{false};
  const auto learner = c45_learner(C45Settings{});
  return grow(problem, *learner, 2, stop);
}

ErrorBased pruned(const FlatTree& tree, const Problem& problem, const StopFlag& stop, Judgements* record = nullptr) {
  const tests::WalkThrough through(tree, problem);
  const LabelledRows rows{static_cast<int64_t>(problem.rows), problem.class_of, problem.weight_of, tree.counts.data()};
  return prune_error_based(through.walk, rows, {problem.classes, nullptr, nullptr}, usual, stop, record);
}

TEST("after pruning a node still counts what its children count together") {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const tests::RandomTable table(seed, 2000, 3, seed % 2 == 0);
    const auto problem = table.problem();
    const auto tree = grown(problem);
    const auto result = pruned(tree, problem, StopFlag{false});
    const auto width = problem.width();
    CHECK(!result.cuts.empty());
    std::vector<double> left = result.counts;
    for (std::size_t node = 0; node < result.keep.size(); ++node) {
      const auto above = tree.parent[static_cast<std::size_t>(result.entered_as[node])];
      if (!result.keep[node] || above < 0) continue;
      const auto owner = static_cast<std::size_t>(above);
      CHECK(result.keep[owner] && !result.leaf[owner]);
      for (std::size_t c = 0; c < width; ++c) left[owner * width + c] -= result.counts[node * width + c];
    }
    for (std::size_t node = 0; node < result.keep.size(); ++node)
      for (std::size_t c = 0; c < width && result.keep[node] && !result.leaf[node]; ++c)
        CHECK(std::abs(left[node * width + c]) < 1e-6 * static_cast<double>(problem.rows));
  }
}

TEST("pruning stops on request") {
  const tests::RandomTable table(8, 500, 2, false);
  const auto problem = table.problem();
  bool stopped = false;
  try {
    pruned(grown(problem), problem, StopFlag{true});
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped);
}

TEST("recording its judgements changes no decision, and their parts add up") {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const tests::RandomTable table(seed, 2000, 3, seed % 2 == 0);
    const auto problem = table.problem();
    const auto tree = grown(problem);
    Judgements record;
    const auto with = pruned(tree, problem, StopFlag{false}, &record);
    const auto without = pruned(tree, problem, StopFlag{false});
    CHECK(with.keep == without.keep && with.leaf == without.leaf && with.counts == without.counts);
    std::size_t cuts = 0;
    for (std::size_t i = 0; i < record.node.size(); ++i) {
      cuts += record.became[i] != -2;
      double subtree = 0, branch = 0;
      for (auto part = record.part_start[i]; part < record.part_start[i + 1]; ++part)
        (part < record.branch_start[i] ? subtree : branch) += record.parts[static_cast<std::size_t>(part)].errors;
      CHECK(std::abs(subtree - record.subtree[i]) < 1e-9 * (1 + subtree));
      CHECK(std::abs(branch - record.as_branch[i]) < 1e-9 * (1 + branch));
    }
    CHECK(cuts == with.cuts.size());
  }
}

}  // namespace
