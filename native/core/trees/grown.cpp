#include "core/trees/grown.hpp"

#include <numeric>

#include "core/trees/learner.hpp"
#include "core/trees/values.hpp"

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

// [node] where its subtree ends, of nodes in preorder.
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

}  // namespace

FlatTree flatten(const GrownTree& tree, const std::function<bool(int)>& numeric, std::size_t scores_width) {
  FlatTree flat;
  flat.width = tree.width;
  flat.scores_width = scores_width;
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
      add_branch_condition(flat, *visit.split, visit.branch, numeric(visit.split->attribute));
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

// The loop that all tree learners share.

namespace {

// Nodes with fewer rows are grown whole by one thread, in a pack of their own that fits its cache.
constexpr std::size_t small_node = 1 << 15;

// A node waiting to be looked at.
struct Task {
  std::int32_t node;
  Range range;
  int depth;
  std::vector<double> counts;  // with the priors' factors
  std::vector<char> used;
  Bounds bounds;
};

class Grower {
 public:
  Grower(Pack& pack, const Learner& learner, double total, int threads, const StopFlag& stop)
      : pack_(pack), learner_(learner), total_(total), threads_(threads), stop_(stop),
        scratch_(static_cast<std::size_t>(std::max(1, threads))) {
    tree_.width = pack.problem().width();
    for (const Column& column : pack.problem().columns) any_codes_ = any_codes_ || !column.numeric();
  }

  GrownTree& tree() { return tree_; }

  // Splits the node if the learner finds a way, and appends the tasks of its branches.
  void expand(Task task, std::vector<Task>& waiting) {
    check(stop_);
    const Problem& problem = pack_.problem();
    const double weight = weight_of(task.counts.data());
    if (!learner_.may_split(task.counts.data(), weight, task.depth)) return;
    if (any_codes_) gather_rows(pack_, task.range, rows_);
    const NodeView view{pack_, task.range, task.depth, task.counts.data(), weight, total_, task.used, rows_, stop_,
                        task.bounds};
    const std::size_t attributes = problem.columns.size();
    auto& offers = offers_;
    offers.resize(attributes);
    run_parallel(attributes, threads_, [&](std::size_t a, int thread) {
      check(stop_);
      offers[a] = learner_.ask(view, static_cast<int>(a), scratch_[static_cast<std::size_t>(thread)]);
      offers[a].attribute = static_cast<int>(a);
    });
    const std::size_t width = problem.width();
    int chosen = -1, branches = 0;
    std::unique_ptr<Candidate> split;
    Pack::Routed routed;
    std::vector<double> shares, scaled;
    for (;;) {
      chosen = learner_.choose(view, offers);
      if (chosen < 0) return;
      auto& offer = offers[static_cast<std::size_t>(chosen)];
      split = std::make_unique<Candidate>(std::move(offer));
      learner_.settle(view, *split, threads_);

      routed = pack_.route(task.range, *split);
      if (problem.classes > 0) learner_.score(view, *split, routed.own);
      shares = routed.taken;
      const double taken = std::accumulate(shares.begin(), shares.end(), 0.0);
      for (double& share : shares) share /= taken;
      branches = split->branches;
      scaled = summarise_branches(pack_, task.range, branches, routed, shares);
      if (problem.signs.empty() || admitted(*split, task.bounds, scaled)) break;
      offer = Candidate{};  // the rows that its branches do not take went too far: the next is tried
    }
    const auto raw = without_factors(problem, scaled);

    std::vector<char> may_split(static_cast<std::size_t>(branches));
    bool any = false;
    for (std::size_t b = 0; b < may_split.size(); ++b) {
      const double* counts = scaled.data() + b * width;
      may_split[b] = learner_.may_split(counts, weight_of(counts), task.depth + 1);
      any = any || may_split[b];
    }
    const auto first = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes[static_cast<std::size_t>(task.node)].first_child = first;
    for (std::size_t b = 0; b < may_split.size(); ++b) tree_.add(shares[b], raw.data() + b * width);
    const auto bounds = problem.signs.empty() ? std::vector<Bounds>(may_split.size())
                                              : bounds_below(*split, task.bounds, scaled);
    std::vector<char> used = std::move(task.used);
    if (!problem.columns[static_cast<std::size_t>(chosen)].numeric()) used[static_cast<std::size_t>(chosen)] = 1;
    if (any) {
      auto ranges = pack_.split(task.range, branches, routed, shares, may_split, threads_);
      task.range = Range{};
      for (std::size_t b = may_split.size(); b-- > 0;)
        if (may_split[b])
          waiting.push_back({first + static_cast<std::int32_t>(b), std::move(ranges[b]), task.depth + 1,
                             {scaled.begin() + static_cast<std::ptrdiff_t>(b * width),
                              scaled.begin() + static_cast<std::ptrdiff_t>((b + 1) * width)},
                             used, bounds[b]});
    }
    tree_.nodes[static_cast<std::size_t>(task.node)].split = std::move(split);
  }

 private:
  double weight_of(const double* counts) const {
    if (pack_.problem().classes == 0) return counts[0];
    return std::accumulate(counts, counts + pack_.problem().width(), 0.0);
  }

  // What is known has no order beside what is missing.
  int sign_at(const Candidate& split) const {
    return split.above == infinity ? 0 : sign_of(pack_.problem(), split.attribute);
  }

  bool admitted(const Candidate& split, const Bounds& bounds, const std::vector<double>& summaries) const {
    const Problem& problem = pack_.problem();
    const Limits limits{true, 0, bounds, problem.margin};
    const std::size_t width = problem.width();
    for (std::size_t b = 0; b < static_cast<std::size_t>(split.branches); ++b) {
      const double* summary = summaries.data() + b * width;
      if (weight_of(summary) > 0.0 && !limits.inside(limited_value(problem, summary))) return false;
    }
    const int sign = sign_at(split);
    return sign == 0 || sign * (limited_value(problem, summaries.data() + width) -
                                limited_value(problem, summaries.data())) > problem.margin;
  }

  std::vector<Bounds> bounds_below(const Candidate& split, const Bounds& bounds,
                                   const std::vector<double>& summaries) const {
    std::vector<Bounds> below(static_cast<std::size_t>(split.branches), bounds);
    if (const int sign = sign_at(split); sign != 0) {
      const Problem& problem = pack_.problem();
      const double middle = (limited_value(problem, summaries.data()) +
                             limited_value(problem, summaries.data() + problem.width())) / 2;
      below[sign > 0 ? 0 : 1].high = middle;
      below[sign > 0 ? 1 : 0].low = middle;
    }
    return below;
  }

  Pack& pack_;
  const Learner& learner_;
  double total_;
  int threads_;
  const StopFlag& stop_;
  bool any_codes_ = false;
  NodeRows rows_;
  std::vector<Candidate> offers_;
  std::vector<Scratch> scratch_;
  GrownTree tree_;
};

}  // namespace

FlatTree grow(const Problem& problem, Learner& learner, int threads, const StopFlag& stop) {
  Pack pack(problem, learner.keep_values(), threads, stop);
  learner.begin(pack);
  const auto counts = summarise(pack, pack.all());
  const auto raw = without_factors(problem, counts);
  const double total = problem.classes > 0 ? std::accumulate(counts.begin(), counts.end(), 0.0) : counts[0];
  const bool alone = problem.rows < small_node;
  Grower grower(pack, learner, total, alone ? 1 : threads, stop);
  GrownTree& tree = grower.tree();
  tree.add(1.0, raw.data());
  std::vector<Task> waiting, small;
  waiting.push_back({0, pack.all(), 0, counts, std::vector<char>(problem.columns.size(), 0), {}});
  while (!waiting.empty()) {
    Task task = std::move(waiting.back());
    waiting.pop_back();
    if (!alone && task.range.size < small_node) {
      small.push_back(std::move(task));
    } else {
      grower.expand(std::move(task), waiting);
    }
  }
  pack.prepare_to_divide();
  tree.grafts.resize(small.size());
  run_parallel(small.size(), threads, [&](std::size_t i, int) {
    Task task = std::move(small[i]);
    const auto node = static_cast<std::size_t>(task.node);
    Pack own(pack, task.range);
    Grower branch(own, learner, total, 1, stop);
    branch.tree().add(1.0, tree.counts_of(task.node));
    std::vector<Task> below;
    below.push_back({0, own.all(), task.depth, std::move(task.counts), std::move(task.used), task.bounds});
    while (!below.empty()) {
      Task next = std::move(below.back());
      below.pop_back();
      branch.expand(std::move(next), below);
    }
    tree.nodes[node].graft = static_cast<std::int32_t>(i);
    tree.grafts[i] = std::make_unique<GrownTree>(std::move(branch.tree()));
  });
  return flatten(
      tree, [&](int a) { return problem.columns[static_cast<std::size_t>(a)].numeric(); }, learner.scores_width());
}

}  // namespace clearwood
