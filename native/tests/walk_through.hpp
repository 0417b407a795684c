// A grown tree, ready to send the rows it was grown on down again.
#pragma once
#include <memory>
#include <vector>

#include "core/trees/grown.hpp"
#include "core/trees/walk.hpp"
#include "core/counting/problem.hpp"

namespace tests {

// The tree and the problem's cells must outlive it.
class WalkThrough {
 public:
  WalkThrough(const clearwood::FlatTree& tree, const clearwood::Problem& problem)
      : or_missing_(copied(tree)), walk(nodes(tree, or_missing_.get()), cells(problem)) {}

 private:
  const std::unique_ptr<const bool[]> or_missing_;

 public:
  const clearwood::Walk walk;

 private:
  static std::unique_ptr<const bool[]> copied(const clearwood::FlatTree& tree) {
    std::unique_ptr<bool[]> made(new bool[tree.or_missing.size()]);
    for (std::size_t node = 0; node < tree.or_missing.size(); ++node) made[node] = tree.or_missing[node] != 0;
    return made;
  }

  static clearwood::NodesView nodes(const clearwood::FlatTree& tree, const bool* or_missing) {
    return {static_cast<std::int32_t>(tree.parent.size()),
            tree.end.data(), tree.share.data(), tree.otherwise.data(), tree.attribute.data(), tree.low.data(),
            tree.high.data(), or_missing,
            tree.set_start.data(), tree.set_codes.data(), static_cast<std::int64_t>(tree.set_codes.size()),
            tree.s_start.data(), static_cast<std::int64_t>(tree.s_attribute.size()), tree.s_attribute.data(),
            tree.s_limit.data(), tree.s_branch.data(), tree.s_set_start.data(), tree.s_set_split.data(),
            tree.s_set_codes.data(), static_cast<std::int64_t>(tree.s_set_codes.size())};
  }

  static clearwood::Columns cells(const clearwood::Problem& problem) {
    return {problem.columns.begin(), problem.columns.end()};
  }
};

}  // namespace tests
