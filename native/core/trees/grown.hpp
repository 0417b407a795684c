// A tree while it grows, and its final form: columns in preorder, as clearwood.models.kinds.tree.nodes describes them.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/counting/problem.hpp"

namespace clearwood {

// What a learner settles on at a node: an attribute, and where each of its values goes.
struct SurrogateChoice {
  int attribute = -1;
  double limit = 0.0;                  // numeric: x ≤ limit goes to `branch`, above it to the other
  int branch = 0;
  double agreement = 0.0;
  std::vector<std::int32_t> side_of;   // nominal [code]: 0, 1, or −1 where the value was not met
};

// One attribute's best offer at a node. Branches count from 0.
struct Candidate {
  bool valid = false;
  int attribute = -1;
  double score = 0.0;                    // what the learner compares
  double figures[3] = {0, 0, 0};         // what it reports
  int branches = 0;
  // a cut: rank ≤ cut_rank goes to branch 0, the rest to branch 1; the values on either side of it
  std::uint32_t cut_rank = 0;
  double below = 0.0, above = 0.0;
  double threshold = 0.0;
  std::int64_t admissible = 1;           // cuts that were tried
  // values: branch_of[code], −1 where no branch takes the value
  std::vector<std::int32_t> branch_of;
  std::int32_t missing_branch = -1;      // the branch that takes the missing (−1: none does)
  bool missing_alone = false;            // … and takes nothing else
  std::int32_t otherwise = -1;           // the branch of rows no branch takes; −1: down every branch by its share
  std::vector<SurrogateChoice> surrogates;
};

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

  void add(double share, const double* node_counts) {
    nodes.emplace_back().share = share;
    counts.insert(counts.end(), node_counts, node_counts + width);
  }
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
  std::vector<std::int64_t> set_start{0};
  std::vector<std::int32_t> set_codes;
  std::vector<std::int64_t> s_start{0};
  std::vector<std::int32_t> s_attribute;
  std::vector<double> s_limit;
  std::vector<std::int32_t> s_branch;
  std::vector<double> s_agreement;
  std::vector<std::int64_t> s_set_start{0}, s_set_split;
  std::vector<std::int32_t> s_set_codes;
};

// `numeric` says whether an attribute is.
FlatTree flatten(const GrownTree& tree, const std::function<bool(int)>& numeric, std::size_t scores_width);

}  // namespace clearwood
