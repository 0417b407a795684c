#include "core/trees/error_based.hpp"

#include <cmath>
#include <numeric>

namespace clearwood {
namespace {

// Rows on their way down a tree, in one pile: those at a node lie side by side, and those at its children among them.

// A row, or the part of one that came this way.
struct SentRow {
  int32_t row;
  int32_t label;
  double weight;
};

struct Slice {
  std::size_t begin, end;
  bool empty() const { return begin == end; }
};

// No part of a row goes where so little goes: as in WEKA's J48.
constexpr double least_share = 1e-6;
constexpr std::size_t ahead = 16;  // rows whose cells are on their way from memory

class SentRows {
 public:
  // `factor_of` [class] weighs a row of that class where branches are compared.
  SentRows(const Walk& walk, const std::vector<double>& factor_of)
      : walk_(walk), factor_of_(factor_of), number_of_(static_cast<std::size_t>(walk.nodes.size), 0) {
    for (int32_t node = 0; node < walk.nodes.size; ++node) {
      int32_t number = 0;
      for (int32_t child = node + 1; child < walk.nodes.end[node]; child = walk.nodes.end[child])
        number_of_[child] = number++;
    }
  }

  std::vector<SentRow> pile;

  // Puts the rows of a slice in the order of the branches they take. A row that none takes goes down every branch of
  // some share, in parts; only then the branches' slices are new ones on top of the pile. Shares are the `given` ones
  // [node], or, where that is null, the branches' parts of the weight that is known here.
  void divide(int32_t node, Slice slice, const double* given) {
    branches.clear();
    shares.clear();
    for (int32_t child = node + 1; child < walk_.nodes.end[node]; child = walk_.nodes.end[child]) {
      branches.push_back(child);
      shares.push_back(0);
    }
    const std::size_t size = slice.end - slice.begin;
    if (taken_.size() < size) taken_.resize(size);
    next_.assign(branches.size(), 0);
    std::size_t rest = 0;
    const Column& asked = *walk_.columns[static_cast<std::size_t>(walk_.steps[static_cast<std::size_t>(node)].attribute)];
    for (std::size_t i = 0; i < size; ++i) {
      const SentRow& here = pile[slice.begin + i];
      __builtin_prefetch(asked.data + pile[slice.begin + std::min(i + ahead, size - 1)].row * asked.stride);
      const int32_t to = walk_.step(node, here.row);
      if (to < 0) {
        taken_[i] = -1;
        ++rest;
        continue;
      }
      const int32_t branch = number_of_[to];
      taken_[i] = branch;
      ++next_[branch];
      shares[branch] += here.weight * factor_of_[here.label];
    }
    const double known = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (std::size_t b = 0; b < shares.size(); ++b)
      shares[b] = given ? given[branches[b]] : known > 0 ? shares[b] / known : 1.0 / static_cast<double>(shares.size());

    in_parts = rest > 0;
    std::size_t at = in_parts ? pile.size() : slice.begin;
    slices.clear();
    for (std::size_t b = 0; b < branches.size(); ++b) {
      const std::size_t length = next_[b] + (shares[b] > least_share ? rest : 0);
      slices.push_back({at, at + length});
      next_[b] = at;
      at += length;
    }
    if (in_parts) {
      pile.resize(at);
      for (std::size_t i = 0; i < size; ++i) {
        const SentRow here = pile[slice.begin + i];
        if (taken_[i] >= 0) {
          pile[next_[taken_[i]]++] = here;
          continue;
        }
        for (std::size_t b = 0; b < branches.size(); ++b)
          if (shares[b] > least_share) pile[next_[b]++] = {here.row, here.label, here.weight * shares[b]};
      }
      return;
    }
    if (std::is_sorted(taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(size))) return;
    spare_.assign(pile.begin() + static_cast<std::ptrdiff_t>(slice.begin),
                  pile.begin() + static_cast<std::ptrdiff_t>(slice.end));
    for (std::size_t i = 0; i < size; ++i) pile[next_[taken_[i]]++] = spare_[i];
  }

  // The branches of the last `divide`.
  std::vector<int32_t> branches;  // the node each first led to
  std::vector<Slice> slices;      // [branch]
  std::vector<double> shares;     // [branch]
  bool in_parts = false;          // did a row go down several?

  // A copy of some rows on top of the pile, free to be put in another order.
  Slice copy(Slice slice) {
    const std::size_t begin = pile.size(), size = slice.end - slice.begin;
    pile.resize(begin + size);
    std::copy_n(pile.begin() + static_cast<std::ptrdiff_t>(slice.begin), size,
                pile.begin() + static_cast<std::ptrdiff_t>(begin));
    return {begin, begin + size};
  }
  void cut_back(std::size_t size) { pile.resize(size); }

 private:
  const Walk& walk_;
  const std::vector<double>& factor_of_;
  std::vector<int32_t> number_of_;  // [branch] 0, 1, … among its siblings
  std::vector<int32_t> taken_;      // [row of the slice] the branch it takes; −1: none
  std::vector<std::size_t> next_;   // [branch]
  std::vector<SentRow> spare_;
};

}  // namespace

double extra_errors(double n, double e, const Pessimism& pessimism) {
  if (n <= 0) return 0;
  if (e < 1) {
    const double none = n * (1 - std::pow(pessimism.confidence, 1 / n));
    // Between no error and one the charge is read off the straight line.
    return e <= 0 ? none : none + e * (extra_errors(n, 1, pessimism) - none);
  }
  if (e + 0.5 >= n) return pessimism.quinlan ? 0.67 * (n - e) : std::max(n - e, 0.0);
  const double z = pessimism.z, f = (e + 0.5) / n;
  const double bound = (f + z * z / (2 * n) + z * std::sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n);
  return bound * n - e;
}

// Weights and errors closer than this are equal: as in WEKA's J48.
constexpr double equal_within = 1e-6;
// A subtree may be this much better than what replaces it.
constexpr double tolerance = 0.1 + equal_within;
// A branch of more leaves is listed by its own branches: a chain of 5,000 questions has 12 million leaves below its splits.
constexpr std::size_t most_leaves_listed = 40;

double expected_errors(const double* counts, const LeafVerdict& verdict, const Pessimism& pessimism) {
  const auto weighed = [&](int32_t k) { return verdict.factors ? counts[k] * verdict.factors[k] : counts[k]; };
  double weight = 0, right = 0;
  for (int32_t k = 0; k < verdict.classes; ++k) {
    weight += weighed(k);
    right = std::max(right, weighed(k));
  }
  if (weight <= equal_within) return 0;
  if (verdict.costs) {
    double least = INFINITY;
    for (int32_t called = 0; called < verdict.classes; ++called) {
      double cost = 0;
      for (int32_t truth = 0; truth < verdict.classes; ++truth)
        cost += weighed(truth) * verdict.costs[truth * verdict.classes + called];
      if (cost < least) {
        least = cost;
        right = weighed(called);
      }
    }
  }
  const double errors = std::max(weight - right, 0.0);
  return errors + extra_errors(weight, errors, pessimism);
}

namespace {

// `occupant` is the node that now hangs on a branch: at first each its own, after a raising the one that was raised.
class Pruner {
 public:
  Pruner(const Walk& tree, const LabelledRows& rows, const LeafVerdict& how_called, const Pessimism& how_charged,
         const StopFlag& flag, Judgements* record)
      : walk(tree), verdict(how_called), pessimism(how_charged), stop(flag), judgements(record), size(tree.nodes.size),
        width(static_cast<std::size_t>(how_called.classes)),
        factor_of(how_called.factors ? std::vector(how_called.factors, how_called.factors + width) : std::vector(width, 1.0)),
        sent(tree, factor_of),
        occupant(size), leaf(size), dead(size, 0), in_parts(size, 0), slice_of(size), errors(size, 0), sums(width) {
    std::iota(occupant.begin(), occupant.end(), 0);
    result.entered_as = occupant;
    result.counts.assign(rows.counts, rows.counts + size * width);
    result.share.assign(walk.nodes.share, walk.nodes.share + size);
    for (int32_t node = 0; node < size; ++node) leaf[node] = walk.nodes.end[node] == node + 1;
    sent.pile.reserve(static_cast<std::size_t>(rows.rows) * 2);
    for (int64_t row = 0; row < rows.rows; ++row) {
      const double weight = rows.weight_of ? rows.weight_of[row] : 1.0;
      const int32_t label = rows.class_of[row];
      if (label >= 0 && label < verdict.classes && weight > 0)
        sent.pile.push_back({static_cast<int32_t>(row), label, weight});
    }
  }

  // Every node after its children, with its rows at hand.
  ErrorBased run() {
    struct Frame {
      int32_t node;
      Slice rows;
      int32_t next;     // the branch to look at; 0: none was yet
      std::size_t top;  // of the pile, before the rows were divided
    };
    std::vector<Frame> stack{{0, {0, sent.pile.size()}, 0, 0}};
    while (!stack.empty()) {
      check(stop);
      Frame& frame = stack.back();
      const int32_t node = frame.node;
      if (leaf[node]) {
        errors[node] = charge(counts(node));
        in_parts[node] = 0;
        stack.pop_back();
        continue;
      }
      if (frame.next == 0) {
        frame.next = node + 1;
        frame.top = sent.pile.size();
        sent.divide(node, frame.rows, result.share.data());
        in_parts[node] = sent.in_parts;
        for (std::size_t b = 0; b < sent.branches.size(); ++b) slice_of[sent.branches[b]] = sent.slices[b];
      }
      if (frame.next < walk.nodes.end[node]) {
        const int32_t branch = frame.next;
        frame.next = walk.nodes.end[branch];
        stack.push_back({occupant[branch], slice_of[branch], 0, 0});
        continue;
      }
      const int32_t raised = judge(node, frame.rows);
      sent.cut_back(frame.top);
      if (raised >= 0) {
        frame.node = raised;
        frame.next = 0;
      } else {
        stack.pop_back();
      }
    }
    result.keep.resize(size);
    for (int32_t node = 0; node < size; ++node) result.keep[node] = !dead[node];
    result.leaf = std::move(leaf);
    return std::move(result);
  }

 private:
  struct Visit {
    int32_t node;
    Slice rows;
  };

  const Walk& walk;
  const LeafVerdict& verdict;
  const Pessimism& pessimism;
  const StopFlag& stop;
  Judgements* const judgements;
  const int32_t size;
  const std::size_t width;
  const std::vector<double> factor_of;  // [class]
  SentRows sent;
  std::vector<int32_t> occupant;        // [branch, by the node it first led to]
  std::vector<uint8_t> leaf, dead;      // [node]
  std::vector<uint8_t> in_parts;        // [node] does a row go down several branches here or, once judged, below?
  std::vector<Slice> slice_of;          // [branch] its rows, while the node above is looked at
  std::vector<double> errors;           // [node] expected of the subtree, once judged
  std::vector<double> sums;             // [class] room to count in
  std::vector<Visit> waiting;
  ErrorBased result;

  double* counts(int32_t node) { return result.counts.data() + static_cast<std::size_t>(node) * width; }
  double charge(const double* at) const { return expected_errors(at, verdict, pessimism); }
  double weight_of(int32_t node) {
    return std::inner_product(factor_of.begin(), factor_of.end(), counts(node), 0.0);
  }
  void count(Slice rows) {
    for (std::size_t i = rows.begin; i < rows.end; ++i) sums[sent.pile[i].label] += sent.pile[i].weight;
  }

  // Leaf, raised branch, or as it is? The branch that was raised; −1: none.
  int32_t judge(int32_t node, Slice rows) {
    double subtree = 0, most = -1;
    int32_t largest = -1;
    for (int32_t branch = node + 1; branch < walk.nodes.end[node]; branch = walk.nodes.end[branch]) {
      const int32_t child = occupant[branch];
      subtree += errors[child];
      in_parts[node] |= in_parts[child];
      const double weight = weight_of(child);
      if (weight >= most - equal_within) {  // the last of equals
        most = weight;
        largest = branch;
      }
    }
    const int32_t child = occupant[largest];
    const double as_leaf = charge(counts(node));
    const double as_branch = leaf[child] ? as_leaf : through(node, largest, rows);
    if (judgements) record_judgement(node, child, rows, as_leaf, subtree, as_branch);
    if (as_leaf <= subtree + tolerance && as_leaf <= as_branch + tolerance) {
      result.cuts.push_back({node, -1, subtree, as_leaf});
      if (judgements) judgements->became.back() = -1;
      bury(node + 1, walk.nodes.end[node]);
      leaf[node] = 1;
      in_parts[node] = 0;
      errors[node] = as_leaf;
      return -1;
    }
    errors[node] = subtree;
    if (as_branch > subtree + tolerance) return -1;
    result.cuts.push_back({node, child, subtree, as_branch});
    if (judgements) judgements->became.back() = child;
    // What lives below the child lies between its own place and its old end.
    bury(node, child);
    bury(walk.nodes.end[child], walk.nodes.end[node]);
    const int32_t branch = result.entered_as[node];
    occupant[branch] = child;
    result.entered_as[child] = branch;
    send(child, rows, true);
    return child;
  }

  // Records the numbers of the decision that is about to be made.
  void record_judgement(int32_t node, int32_t child, Slice rows, double as_leaf, double subtree, double as_branch) {
    Judgements& record = *judgements;
    record.node.push_back(node);
    record.largest.push_back(child);
    record.became.push_back(-2);
    record.as_leaf.push_back(as_leaf);
    record.subtree.push_back(subtree);
    record.as_branch.push_back(as_branch);
    record.counts.insert(record.counts.end(), counts(node), counts(node) + width);
    for (int32_t branch = node + 1; branch < walk.nodes.end[node]; branch = walk.nodes.end[branch])
      record_part(occupant[branch], errors[occupant[branch]], counts(occupant[branch]));
    record.branch_start.push_back(static_cast<int64_t>(record.parts.size()));
    if (leaf[child]) {
      record_part(child, as_branch, counts(node));
    } else {
      const std::size_t first = record.parts.size();
      send(child, rows, false, true);
      if (record.parts.size() - first > most_leaves_listed) join_parts(child, first);
    }
    record.part_start.push_back(static_cast<int64_t>(record.parts.size()));
  }

  void record_part(int32_t node, double expected, const double* at) {
    judgements->parts.push_back({node, leaf[node], expected});
    judgements->part_counts.insert(judgements->part_counts.end(), at, at + width);
  }

  // One part for each branch of a node, of the parts from `first` on, which are the leaves below it.
  void join_parts(int32_t node, std::size_t first) {
    Judgements& record = *judgements;
    const std::vector<JudgedPart> leaves(record.parts.begin() + static_cast<std::ptrdiff_t>(first), record.parts.end());
    const std::vector<double> held(record.part_counts.begin() + static_cast<std::ptrdiff_t>(first * width),
                                   record.part_counts.end());
    record.parts.resize(first);
    record.part_counts.resize(first * width);
    for (int32_t branch = node + 1; branch < walk.nodes.end[node]; branch = walk.nodes.end[branch]) {
      double expected = 0;
      std::vector<double> together(width, 0.0);
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (leaves[i].node < branch || leaves[i].node >= walk.nodes.end[branch]) continue;
        expected += leaves[i].errors;
        for (std::size_t c = 0; c < width; ++c) together[c] += held[i * width + c];
      }
      record_part(occupant[branch], expected, together.data());
    }
  }

  void bury(int32_t first, int32_t last) { std::fill(dead.begin() + first, dead.begin() + last, 1); }

  // The errors expected if all the node's rows went through one of its branches.
  double through(int32_t node, int32_t branch, Slice rows) {
    if (!in_parts[node]) {
      const double expected = with_others(occupant[branch], rows, slice_of[branch]);
      if (expected >= 0) return expected;
    }
    return send(occupant[branch], rows, false);
  }

  // The same where every row goes one way: what the branch counted stands, and only the others need to be sent.
  // −1 where one of them would go several ways.
  double with_others(int32_t top, Slice rows, Slice own) {
    const std::size_t before = sent.pile.size();
    sent.copy({rows.begin, own.begin});
    sent.copy({own.end, rows.end});
    double sum = 0;
    waiting.assign({{top, {before, sent.pile.size()}}});
    while (!waiting.empty()) {
      const auto [node, here] = waiting.back();
      waiting.pop_back();
      if (here.empty()) {
        sum += errors[node];
        continue;
      }
      if (leaf[node]) {
        std::copy_n(counts(node), width, sums.begin());
        count(here);
        sum += charge(sums.data());
        continue;
      }
      sent.divide(node, here, nullptr);
      if (sent.in_parts) {
        sum = -1;
        break;
      }
      for (std::size_t b = 0; b < sent.branches.size(); ++b)
        waiting.push_back({occupant[sent.branches[b]], sent.slices[b]});
    }
    sent.cut_back(before);
    return sum;
  }

  // Sends rows down from a node, and gives the errors expected then. With `keep`, counts and shares become theirs;
  // with `record_leaves`, every leaf is recorded.
  double send(int32_t top, Slice rows, bool keep, bool record_leaves = false) {
    const std::size_t before = sent.pile.size();
    double sum = 0;
    waiting.assign({{top, sent.copy(rows)}});
    while (!waiting.empty()) {
      const auto [node, here] = waiting.back();
      waiting.pop_back();
      sent.cut_back(here.end);  // all that lay above has been looked at
      if (leaf[node] || keep) {
        std::fill(sums.begin(), sums.end(), 0.0);
        count(here);
      }
      if (keep) std::copy(sums.begin(), sums.end(), counts(node));
      if (leaf[node]) {
        const double expected = charge(sums.data());
        if (record_leaves) record_part(node, expected, sums.data());
        sum += expected;
        continue;
      }
      if (here.empty() && !keep) continue;
      sent.divide(node, here, nullptr);
      for (std::size_t b = 0; b < sent.branches.size(); ++b) {
        if (keep) result.share[sent.branches[b]] = sent.shares[b];
        waiting.push_back({occupant[sent.branches[b]], sent.slices[b]});
      }
    }
    sent.cut_back(before);
    return sum;
  }
};
}  // namespace

ErrorBased prune_error_based(const Walk& walk, const LabelledRows& rows, const LeafVerdict& verdict,
                             const Pessimism& pessimism, const StopFlag& stop, Judgements* judgements) {
  return Pruner(walk, rows, verdict, pessimism, stop, judgements).run();
}

}  // namespace clearwood
