// A tree while it grows, and its final form: columns in preorder, as clearwood.models.kinds.tree.nodes describes them.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/trees/choice.hpp"
#include "core/counting/problem.hpp"

namespace clearwood {

struct GrownNode {
  std::int32_t first_child = -1;  // children are numbered one after the other
  std::int32_t graft = -1;        // the subtree that another thread grew for this node
  double share = 1.0;
  std::unique_ptr<Candidate> split;
};

// Nodes in the order they were made; counts [node][width].
struct GrownTree {
  std::size_t width = 0;
  std::vector<GrownNode> nodes;
  std::vector<double> counts;
  std::vector<std::unique_ptr<GrownTree>> grafts;

  std::int32_t add(double share, const double* node_counts);
  const double* counts_of(std::int32_t node) const { return counts.data() + static_cast<std::size_t>(node) * width; }
};

// The columns of clearwood.models.kinds.tree.nodes.Nodes.
struct FlatTree {
  std::size_t width = 0, scores_width = 0;
  std::vector<std::int32_t> parent, end;
  std::vector<double> counts, scores, share;
  std::vector<std::int32_t> otherwise, attribute;
  std::vector<double> low, high;
  std::vector<std::uint8_t> or_missing;
  std::vector<std::int64_t> set_start;
  std::vector<std::int32_t> set_codes;
  std::vector<std::int64_t> s_start;
  std::vector<std::int32_t> s_attribute;
  std::vector<double> s_limit;
  std::vector<std::int32_t> s_branch;
  std::vector<double> s_agreement;
  std::vector<std::int64_t> s_set_start, s_set_split;
  std::vector<std::int32_t> s_set_codes;
};

FlatTree flatten(const GrownTree& tree, const Problem& problem, std::size_t scores_width);

}  // namespace clearwood
