#include "core/c45_prune.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace clearwood {
namespace {

constexpr double small = 1e-6;
constexpr double collapse_margin = 1e-3;
constexpr double prune_margin = 0.1;

// A part of a row's weight on its way down.
struct Part {
  std::uint32_t row;
  double weight;
};
using Parts = std::vector<Part>;

struct Node {
  std::unique_ptr<Candidate> split;  // null: a leaf
  std::vector<std::uint32_t> below;
  std::vector<double> counts;        // [class]
  double share = 1.0;
  double errors = 0.0;               // estimated, of the subtree
  bool divides = false;              // a question of this subtree divides rows whose value is missing
};

class Pruner {
 public:
  Pruner(GrownTree& tree, const Problem& problem, const ErrorEstimate& estimate, const StopFlag& stop)
      : problem_(problem), classes_(static_cast<std::size_t>(problem.classes)), estimate_(estimate), stop_(stop) {
    read(tree);
  }

  // Top down: a subtree whose training errors are hardly fewer than its errors as a leaf becomes one.
  void collapse() {
    std::vector<double> training(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      // Children have larger numbers than their parent.
      if (nodes_[i].split == nullptr) {
        training[i] = wrong(nodes_[i].counts);
      } else {
        for (const std::uint32_t child : nodes_[i].below) training[i] += training[child];
      }
    }
    std::vector<std::uint32_t> waiting{0};
    while (!waiting.empty()) {
      const std::uint32_t at = waiting.back();
      waiting.pop_back();
      if (nodes_[at].split == nullptr) continue;
      if (training[at] >= wrong(nodes_[at].counts) - collapse_margin) {
        make_leaf(at);
      } else {
        waiting.insert(waiting.end(), nodes_[at].below.begin(), nodes_[at].below.end());
      }
    }
  }

  // Bottom up, with the rows at hand on the way, so that a raised subtree can be filled again.
  void prune(bool raise) {
    struct Frame {
      std::uint32_t node;
      Parts parts;
      std::vector<Parts> of_branch;
      std::size_t next = 0;
    };
    std::vector<Frame> stack;
    Parts everything(raise ? problem_.rows : 0);
    for (std::size_t row = 0; row < everything.size(); ++row)
      everything[row] = {static_cast<std::uint32_t>(row), weight_of(row)};
    stack.push_back({0, std::move(everything), {}, 0});
    while (!stack.empty()) {
      check(stop_);
      Frame& frame = stack.back();
      Node& node = nodes_[frame.node];
      if (node.split == nullptr) {
        node.errors = charge(node.counts);
        node.divides = false;
        stack.pop_back();
        continue;
      }
      if (frame.next == 0) {
        frame.of_branch.assign(node.below.size(), {});
        if (raise) node.divides = divide(*node.split, frame.parts, shares_of(node), frame.of_branch);
      }
      if (frame.next < node.below.size()) {
        const std::size_t b = frame.next++;
        stack.push_back({node.below[b], std::move(frame.of_branch[b]), {}, 0});
        continue;
      }
      if (decide(frame.node, frame.parts, raise)) {
        frame.next = 0;  // another subtree stands here now: prune it again
      } else {
        stack.pop_back();
      }
    }
  }

  void write(GrownTree& tree) {
    GrownTree result;
    result.width = classes_;
    struct Visit {
      std::uint32_t from;
      std::int32_t to;
    };
    auto add = [&](std::uint32_t from) {
      auto& counts = nodes_[from].counts;
      for (std::size_t c = 0; c < classes_ && !problem_.factors.empty(); ++c) counts[c] /= problem_.factors[c];
      return result.add(nodes_[from].share, counts.data());
    };
    std::vector<Visit> waiting{{0, add(0)}};
    while (!waiting.empty()) {
      const Visit visit = waiting.back();
      waiting.pop_back();
      if (nodes_[visit.from].split == nullptr) continue;
      const auto to = static_cast<std::size_t>(visit.to);
      result.nodes[to].first_child = static_cast<std::int32_t>(result.nodes.size());
      for (const std::uint32_t child : nodes_[visit.from].below) waiting.push_back({child, add(child)});
      result.nodes[to].split = std::move(nodes_[visit.from].split);
    }
    tree = std::move(result);
  }

 private:
  void read(GrownTree& tree) {
    struct Visit {
      GrownTree* tree;
      std::int32_t node;
      std::uint32_t to;
    };
    auto add = [&](const GrownTree& from, std::int32_t node) {
      nodes_.emplace_back();
      const double* counts = from.counts_of(node);
      nodes_.back().counts.assign(counts, counts + classes_);
      for (std::size_t c = 0; c < classes_ && !problem_.factors.empty(); ++c)
        nodes_.back().counts[c] *= problem_.factors[c];
      nodes_.back().share = from.nodes[static_cast<std::size_t>(node)].share;
      return static_cast<std::uint32_t>(nodes_.size()) - 1;
    };
    std::vector<Visit> waiting{{&tree, 0, add(tree, 0)}};
    while (!waiting.empty()) {
      const Visit visit = waiting.back();
      waiting.pop_back();
      GrownTree* owner = visit.tree;
      GrownNode* node = &owner->nodes[static_cast<std::size_t>(visit.node)];
      if (node->graft >= 0) {
        owner = owner->grafts[static_cast<std::size_t>(node->graft)].get();
        node = &owner->nodes[0];
      }
      if (node->split == nullptr) continue;
      for (int b = 0; b < node->split->branches; ++b) {
        const std::uint32_t child = add(*owner, node->first_child + b);
        nodes_[visit.to].below.push_back(child);
        waiting.push_back({owner, node->first_child + b, child});
      }
      nodes_[visit.to].split = std::move(node->split);
    }
  }

  double weight_of(std::size_t row) const {
    double weight = problem_.weight_of != nullptr ? problem_.weight_of[row] : 1.0;
    if (!problem_.factors.empty()) weight *= problem_.factors[static_cast<std::size_t>(problem_.class_of[row])];
    return weight;
  }
  static double total(const std::vector<double>& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }
  static double wrong(const std::vector<double>& counts) {
    return total(counts) - *std::max_element(counts.begin(), counts.end());
  }
  double charge(const std::vector<double>& counts) const {
    const double all = total(counts);
    if (all <= small) return 0.0;
    const double errors = std::max(0.0, wrong(counts));
    return errors + estimate_.extra(all, errors);
  }
  void make_leaf(std::uint32_t at) {
    nodes_[at].split = nullptr;
    nodes_[at].below.clear();
  }
  std::vector<double> shares_of(const Node& node) const {
    std::vector<double> shares;
    for (const std::uint32_t child : node.below) shares.push_back(nodes_[child].share);
    return shares;
  }

  // The branch a row takes by its own value; −1 where none does.
  std::int32_t branch_of(const Candidate& split, std::uint32_t row) const {
    const Column& column = problem_.columns[static_cast<std::size_t>(split.attribute)];
    if (column.numeric()) {
      const double value = column.number(row);
      return value == value ? value > split.threshold : -1;
    }
    const std::int32_t code = column.code(row);
    return code < 0 ? -1 : split.branch_of[static_cast<std::size_t>(code)];
  }

  // Sends parts down; those no branch takes go down all by `shares`. Says whether there were any.
  bool divide(const Candidate& split, const Parts& parts, const std::vector<double>& shares,
              std::vector<Parts>& of_branch) const {
    bool divided = false;
    for (const Part& part : parts) {
      const std::int32_t b = branch_of(split, part.row);
      if (b >= 0) {
        of_branch[static_cast<std::size_t>(b)].push_back(part);
        continue;
      }
      divided = true;
      for (std::size_t k = 0; k < shares.size(); ++k)
        if (shares[k] > small) of_branch[k].push_back({part.row, part.weight * shares[k]});
    }
    return divided;
  }

  // The branches' parts of the known weight among these; alike where no value is known.
  std::vector<double> shares_among(const Candidate& split, const Parts& parts) const {
    std::vector<double> shares(static_cast<std::size_t>(split.branches), 0.0);
    double known = 0.0;
    for (const Part& part : parts) {
      const std::int32_t b = branch_of(split, part.row);
      if (b < 0) continue;
      shares[static_cast<std::size_t>(b)] += part.weight;
      known += part.weight;
    }
    for (double& share : shares) share = known > 0.0 ? share / known : 1.0 / static_cast<double>(shares.size());
    return shares;
  }

  std::vector<double> count(const Parts& parts) const {
    std::vector<double> counts(classes_, 0.0);
    for (const Part& part : parts) counts[static_cast<std::size_t>(problem_.class_of[part.row])] += part.weight;
    return counts;
  }

  // Leaf, raised branch, or as it is? True: a branch was raised.
  bool decide(std::uint32_t at, const Parts& parts, bool raise) {
    Node& node = nodes_[at];
    node.errors = 0.0;
    for (const std::uint32_t child : node.below) {
      node.errors += nodes_[child].errors;
      node.divides = node.divides || nodes_[child].divides;
    }
    const double as_leaf = charge(node.counts);
    if (!raise) {
      if (as_leaf <= node.errors + prune_margin + small) {
        make_leaf(at);
        node.errors = as_leaf;
      }
      return false;
    }
    // The largest branch; the last of equals.
    std::size_t largest = 0;
    double most = -1.0;
    for (std::size_t b = 0; b < node.below.size(); ++b) {
      const double weight = total(nodes_[node.below[b]].counts);
      if (weight >= most - small) {
        most = weight;
        largest = b;
      }
    }
    const std::uint32_t branch = node.below[largest];
    // A leaf never stays then: whatever the branch would be charged, only a cheap one keeps the node from becoming a leaf.
    const double as_branch = errors_with(branch, at, largest, parts);
    if (as_leaf <= node.errors + prune_margin + small && as_leaf <= as_branch + prune_margin + small) {
      make_leaf(at);
      node.errors = as_leaf;
      node.divides = false;
      return false;
    }
    if (as_branch > node.errors + prune_margin + small) return false;
    const double share = node.share;
    Node raised = std::move(nodes_[branch]);
    raised.share = share;
    nodes_[at] = std::move(raised);
    refill(at, parts);
    return true;
  }

  // The estimated errors of branch `branch` of `at` if all of the node's rows went through it.
  double errors_with(std::uint32_t branch, std::uint32_t at, std::size_t number, const Parts& parts) {
    const Node& node = nodes_[at];
    if (!node.divides) {
      // Every row goes one way: what the branch has counted stands, and only the others need to be sent.
      Parts others;
      for (const Part& part : parts)
        if (branch_of(*node.split, part.row) != static_cast<std::int32_t>(number)) others.push_back(part);
      double sum = 0.0;
      if (add_others(branch, std::move(others), sum)) return sum;
    }
    return errors_of(branch, parts);
  }

  // False where a missing value turned up after all.
  bool add_others(std::uint32_t from, Parts others, double& sum) {
    struct Visit {
      std::uint32_t node;
      Parts others;
    };
    std::vector<Visit> waiting;
    waiting.push_back({from, std::move(others)});
    while (!waiting.empty()) {
      Visit visit = std::move(waiting.back());
      waiting.pop_back();
      const Node& node = nodes_[visit.node];
      if (visit.others.empty()) {
        sum += node.errors;
        continue;
      }
      if (node.split == nullptr) {
        std::vector<double> counts = count(visit.others);
        for (std::size_t c = 0; c < classes_; ++c) counts[c] += node.counts[c];
        sum += charge(counts);
        continue;
      }
      std::vector<Parts> of_branch(node.below.size());
      for (const Part& part : visit.others) {
        const std::int32_t b = branch_of(*node.split, part.row);
        if (b < 0) return false;
        of_branch[static_cast<std::size_t>(b)].push_back(part);
      }
      for (std::size_t b = 0; b < of_branch.size(); ++b) waiting.push_back({node.below[b], std::move(of_branch[b])});
    }
    return true;
  }

  double errors_of(std::uint32_t from, const Parts& parts) const {
    struct Visit {
      std::uint32_t node;
      Parts own;
      const Parts* parts;
    };
    double sum = 0.0;
    std::vector<Visit> waiting;
    waiting.push_back({from, {}, &parts});
    while (!waiting.empty()) {
      const Visit visit = std::move(waiting.back());
      waiting.pop_back();
      const Parts& here = visit.parts != nullptr ? *visit.parts : visit.own;
      const Node& node = nodes_[visit.node];
      if (node.split == nullptr) {
        sum += charge(count(here));
        continue;
      }
      if (here.empty()) continue;
      std::vector<Parts> of_branch(node.below.size());
      divide(*node.split, here, shares_among(*node.split, here), of_branch);
      for (std::size_t b = 0; b < of_branch.size(); ++b)
        waiting.push_back({node.below[b], std::move(of_branch[b]), nullptr});
    }
    return sum;
  }

  // Counts and shares of a subtree from these rows.
  void refill(std::uint32_t from, const Parts& parts) {
    std::vector<std::pair<std::uint32_t, Parts>> waiting;
    waiting.emplace_back(from, parts);
    while (!waiting.empty()) {
      auto [at, here] = std::move(waiting.back());
      waiting.pop_back();
      Node& node = nodes_[at];
      node.counts = count(here);
      if (node.split == nullptr) continue;
      const auto shares = shares_among(*node.split, here);
      std::vector<Parts> of_branch(node.below.size());
      divide(*node.split, here, shares, of_branch);
      for (std::size_t b = 0; b < of_branch.size(); ++b) {
        nodes_[node.below[b]].share = shares[b];
        waiting.emplace_back(node.below[b], std::move(of_branch[b]));
      }
    }
  }

  const Problem& problem_;
  std::size_t classes_;
  const ErrorEstimate& estimate_;
  const StopFlag& stop_;
  std::vector<Node> nodes_;
};

}  // namespace

void prune_c45(GrownTree& tree, const Problem& problem, const PruneSteps& steps, const ErrorEstimate& estimate,
               const StopFlag& stop) {
  if (!steps.collapse && !steps.prune) return;
  Pruner pruner(tree, problem, estimate, stop);
  if (steps.collapse) pruner.collapse();
  if (steps.prune) pruner.prune(steps.raise_subtrees);
  pruner.write(tree);
}

}  // namespace clearwood
