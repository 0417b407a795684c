#include "core/trees/grown.hpp"

#include <algorithm>

#include "core/numeric/infinity.hpp"

namespace clearwood {
namespace {

void add_branch_condition(FlatTree& flat, const Candidate& split, int branch, bool numeric) {
  const bool missing_here = split.missing_branch == branch;
  flat.attribute.push_back(split.attribute);
  flat.or_missing.push_back(missing_here);
  double low = -infinity, high = infinity;
  if (numeric) {
    if (missing_here && split.missing_alone) {
      low = infinity;
    } else if (branch == 0) {
      high = split.threshold;
    } else {
      low = split.threshold;
    }
  } else {
    for (std::size_t code = 0; code < split.branch_of.size(); ++code)
      if (split.branch_of[code] == branch) flat.set_codes.push_back(static_cast<std::int32_t>(code));
  }
  flat.low.push_back(low);
  flat.high.push_back(high);
}

void add_surrogates(FlatTree& flat, const Candidate& split) {
  for (const SurrogateChoice& each : split.surrogates) {
    flat.s_attribute.push_back(each.attribute);
    flat.s_limit.push_back(each.limit);
    flat.s_branch.push_back(each.branch);
    flat.s_agreement.push_back(each.agreement);
    for (const int side : {each.branch, 1 - each.branch}) {
      if (side != each.branch) flat.s_set_split.push_back(static_cast<std::int64_t>(flat.s_set_codes.size()));
      for (std::size_t code = 0; code < each.side_of.size(); ++code)
        if (each.side_of[code] == side) flat.s_set_codes.push_back(static_cast<std::int32_t>(code));
    }
    flat.s_set_start.push_back(static_cast<std::int64_t>(flat.s_set_codes.size()));
  }
}

}  // namespace

std::int32_t GrownTree::add(double share, const double* node_counts) {
  nodes.emplace_back();
  nodes.back().share = share;
  counts.insert(counts.end(), node_counts, node_counts + width);
  return static_cast<std::int32_t>(nodes.size()) - 1;
}

std::vector<std::int32_t> ends_of(const std::vector<std::int32_t>& parent) {
  std::vector<std::int32_t> end(parent.size());
  for (std::size_t i = parent.size(); i-- > 0;) {
    end[i] = std::max(end[i], static_cast<std::int32_t>(i) + 1);
    if (parent[i] < 0) continue;
    std::int32_t& above = end[static_cast<std::size_t>(parent[i])];
    above = std::max(above, end[i]);
  }
  return end;
}

FlatTree flatten(const GrownTree& tree, const Problem& problem, std::size_t scores_width) {
  FlatTree flat;
  flat.width = tree.width;
  flat.scores_width = scores_width;
  flat.set_start.push_back(0);
  flat.s_start.push_back(0);
  flat.s_set_start.push_back(0);
  struct Visit {
    const GrownTree* tree;
    std::int32_t node;
    std::int32_t parent;           // in the flat tree
    const Candidate* split;        // the parent's
    int branch;
  };
  std::vector<Visit> waiting{{&tree, 0, -1, nullptr, 0}};
  while (!waiting.empty()) {
    const Visit visit = waiting.back();
    waiting.pop_back();
    const auto number = static_cast<std::int32_t>(flat.parent.size());
    const GrownNode& here = visit.tree->nodes[static_cast<std::size_t>(visit.node)];
    const double* counts = visit.tree->counts_of(visit.node);
    flat.parent.push_back(visit.parent);
    flat.share.push_back(here.share);
    flat.counts.insert(flat.counts.end(), counts, counts + tree.width);
    if (visit.split != nullptr) {
      const bool numeric = problem.columns[static_cast<std::size_t>(visit.split->attribute)].numeric();
      add_branch_condition(flat, *visit.split, visit.branch, numeric);
    } else {
      flat.attribute.push_back(-1);
      flat.or_missing.push_back(0);
      flat.low.push_back(-infinity);
      flat.high.push_back(infinity);
    }
    flat.set_start.push_back(static_cast<std::int64_t>(flat.set_codes.size()));
    // A graft's root stands for the node it was grown from.
    const GrownTree* owner = visit.tree;
    const GrownNode* node = &here;
    if (here.graft >= 0) {
      owner = visit.tree->grafts[static_cast<std::size_t>(here.graft)].get();
      node = &owner->nodes[0];
    }
    const Candidate* split = node->split.get();
    flat.otherwise.push_back(split != nullptr ? split->otherwise : -1);
    for (std::size_t s = 0; s < scores_width; ++s)
      flat.scores.push_back(split != nullptr ? split->figures[s] : std::numeric_limits<double>::quiet_NaN());
    if (split != nullptr) {
      add_surrogates(flat, *split);
      for (int b = split->branches - 1; b >= 0; --b)
        waiting.push_back({owner, node->first_child + b, number, split, b});
    }
    flat.s_start.push_back(static_cast<std::int64_t>(flat.s_attribute.size()));
  }
  flat.end = ends_of(flat.parent);
  return flat;
}

}  // namespace clearwood
