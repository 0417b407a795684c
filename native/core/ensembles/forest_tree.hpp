// One tree of a forest: grown depth first; a subtree of few rows is grown in the cache.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "core/ensembles/forest.hpp"

namespace clearwood {

// A node, and the branch that leads into it. Nodes are in preorder: the left child comes next.
struct ForestNode {
  std::int32_t parent = -1;
  std::int32_t right = 0;       // the right child; 0: a leaf
  std::uint32_t column = 0;     // of the node's split
  std::uint32_t cut = 0;        // the last code that goes left; of a nominal split where its sides begin
  std::int8_t missing = -1;     // the side of missing cells; −1: as `otherwise`
  std::int8_t otherwise = -1;
  bool apart = false;           // what is known goes left, what is missing right
  double limit = 0;             // of a cut, as a number
  double left_share = 1, right_share = 1;  // of the branches of its split
};

struct ForestTree {
  std::size_t width = 0;
  std::vector<ForestNode> nodes;
  std::vector<double> counts;        // [node][width]
  std::vector<std::uint8_t> sides;   // of nominal splits: [code] 0, 1, or 2 where the value was not met
};

// Grows tree number `tree` and writes to `times` [row] how often it drew each row; for one thread.
std::function<ForestTree(std::size_t tree, std::vector<std::uint32_t>& times)> forest_tree_grower(
    const Problem& problem, const ForestRows& by_row, const RowDraws& draws, const ForestSettings& settings,
    const StopFlag& stop);

}  // namespace clearwood
