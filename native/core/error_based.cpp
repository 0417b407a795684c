#include "core/error_based.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clearwood {

double extra_errors(double n, double e, const Pessimism& pessimism) {
  if (n <= 0) return 0;
  if (e < 1) {
    const double none = n * (1 - std::pow(pessimism.confidence, 1 / n));
    if (e == 0) return none;
    return none + e * (extra_errors(n, 1, pessimism) - none);
  }
  if (e + 0.5 >= n) return pessimism.quinlan ? 0.67 * (n - e) : std::max(n - e, 0.0);
  const double z = pessimism.z, f = (e + 0.5) / n;
  const double bound = (f + z * z / (2 * n) + z * std::sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n);
  return bound * n - e;
}

namespace {
// A subtree may be this much better than what replaces it.
constexpr double tolerance = 0.1;

// A row, or a part of one, at a leaf.
struct Entry {
  int32_t row;
  double weight;
};

// `occupant` says which node now hangs on a branch: at first each its own, after a raising the one that was raised.
class Pruner {
 public:
  Pruner(const Walk& tree, const LabelledRows& labelled, const Pessimism& how, const StopFlag& flag)
      : walk(tree), data(labelled), pessimism(how), stop(flag), size(tree.nodes.size), width(labelled.classes),
        occupant(size), branch_of(size, 0), leaf(size), dead(size, 0), splits_rows(size, 0), shares_below(size, 0),
        estimate(size, 0), entries(size), saved_here(size, 0), total(labelled.rows, 0) {
    std::iota(occupant.begin(), occupant.end(), 0);
    result.entered_as = occupant;
    result.counts.assign(data.counts, data.counts + static_cast<std::size_t>(size) * width);
    result.share.assign(walk.nodes.share, walk.nodes.share + size);
    for (int32_t node = 0; node < size; ++node) {
      leaf[node] = walk.nodes.end[node] == node + 1;
      int32_t branch = 0;
      for (int32_t child = node + 1; child < walk.nodes.end[node]; child = walk.nodes.end[child])
        branch_of[child] = branch++;
    }
    place_rows();
  }

  ErrorBased run() {
    for (int32_t node = size - 1; node >= 0; --node)
      if (!dead[node]) judge(node);
    result.keep.resize(size);
    for (int32_t node = 0; node < size; ++node) result.keep[node] = !dead[node];
    result.leaf = std::move(leaf);
    return std::move(result);
  }

 private:
  const Walk& walk;
  const LabelledRows& data;
  const Pessimism& pessimism;
  const StopFlag& stop;
  const int32_t size, width;
  std::vector<int32_t> occupant;         // [branch, by the node it first led to]
  std::vector<int32_t> branch_of;        // [branch] 0, 1, … among its siblings
  std::vector<uint8_t> leaf, dead;       // [node]
  std::vector<uint8_t> splits_rows;      // [node] does a row go down several of its branches?
  std::vector<uint8_t> shares_below;     // [node] does any split of the subtree do so?
  std::vector<double> estimate;          // [node] expected errors of the subtree, once judged
  std::vector<std::vector<Entry>> entries;  // [node] of a leaf
  std::vector<uint8_t> saved_here;       // [node] marks of `added_to_branch`; zero between uses
  std::vector<double> total;             // [row] room to add up parts; zero between uses
  std::vector<int32_t> touched;
  ErrorBased result;

  double* counts(int32_t node) { return result.counts.data() + static_cast<std::size_t>(node) * width; }

  template <class Each>
  void each_branch(int32_t node, Each&& each) const {
    for (int32_t branch = node + 1; branch < walk.nodes.end[node]; branch = walk.nodes.end[branch]) each(branch);
  }

  void place_rows() {
    std::vector<Walk::Part> parts;
    for (int64_t row = 0; row < data.rows; ++row) {
      if (row % 4096 == 0) check(stop);
      const double weight = data.weight_of ? data.weight_of[row] : 1.0;
      if (data.class_of[row] < 0 || data.class_of[row] >= width || !(weight > 0)) continue;
      const int32_t at = walk.leaf(0, row);
      if (at >= 0) {
        entries[at].push_back({static_cast<int32_t>(row), weight});
        continue;
      }
      walk.parts(row, parts);
      for (const auto& part : parts) entries[part.leaf].push_back({static_cast<int32_t>(row), weight * part.weight});
      mark_splits(row);
    }
  }

  void mark_splits(int64_t row) {
    std::vector<int32_t> waiting{0};
    while (!waiting.empty()) {
      const int32_t node = waiting.back();
      waiting.pop_back();
      if (walk.nodes.end[node] == node + 1) continue;
      const int32_t next = walk.step(node, row);
      if (next >= 0) {
        waiting.push_back(next);
        continue;
      }
      splits_rows[node] = 1;
      each_branch(node, [&](int32_t branch) { waiting.push_back(branch); });
    }
  }

  // Expected errors of a leaf with these counts.
  double expected(const double* at) const {
    double weight = 0, best = 0;
    int32_t called = 0;
    for (int32_t k = 0; k < width; ++k) {
      const double here = data.factors ? at[k] * data.factors[k] : at[k];
      weight += here;
      if (!data.costs && here > best) {
        best = here;
        called = k;
      }
    }
    if (data.costs) {
      double least = INFINITY;
      for (int32_t k = 0; k < width; ++k) {
        double cost = 0;
        for (int32_t truth = 0; truth < width; ++truth)
          cost += (data.factors ? at[truth] * data.factors[truth] : at[truth]) * data.costs[truth * width + k];
        if (cost < least) {
          least = cost;
          called = k;
        }
      }
      best = data.factors ? at[called] * data.factors[called] : at[called];
    }
    const double errors = weight - best;
    return errors + extra_errors(weight, errors, pessimism);
  }

  void judge(int32_t node) {
    check(stop);
    const double as_leaf = expected(counts(node));
    if (leaf[node]) {
      estimate[node] = as_leaf;
      return;
    }
    double subtree = 0, most = -1;
    int32_t largest = -1;
    shares_below[node] = splits_rows[node];
    each_branch(node, [&](int32_t branch) {
      const int32_t child = occupant[branch];
      subtree += estimate[child];
      shares_below[node] |= shares_below[child];
      const double weight = std::accumulate(counts(child), counts(child) + width, 0.0);
      if (weight >= most - 1e-6) {  // the last of equals, as in J48; parts of rows add up with rounding
        most = std::max(most, weight);
        largest = child;
      }
    });
    const bool pays_to_cut = as_leaf <= subtree + tolerance;
    // As rows are added the branch's errors only rise: often a few rows settle what all of them would.
    const auto settled = [&](double branch) {
      return pays_to_cut ? as_leaf <= branch + tolerance : branch > subtree + tolerance;
    };
    const double branch = leaf[largest] ? as_leaf : through_branch(node, largest, settled);
    if (pays_to_cut && as_leaf <= branch + tolerance) {
      make_leaf(node, as_leaf);
      result.cuts.push_back({node, -1, subtree, as_leaf});
    } else if (branch <= subtree + tolerance) {
      result.cuts.push_back({node, largest, subtree, branch});
      raise(node, largest);
    } else {
      estimate[node] = subtree;
    }
  }

  // Expected errors if all the node's rows went through one of its children; less, once that is settled.
  template <class Settled>
  double through_branch(int32_t node, int32_t child, const Settled& settled) {
    if (!shares_below[child] && !pessimism.quinlan) {
      const double found = added_to_branch(node, child, settled);
      if (found >= 0) return found;
    }
    return send(child, collect(node), false, settled);
  }

  // The same from the rows of the other children alone; −1 where a row would go down several branches.
  template <class Settled>
  double added_to_branch(int32_t node, int32_t child, const Settled& settled) {
    struct Saved {
      int32_t node;
      std::vector<double> counts;
      double estimate;
    };
    std::vector<Saved> saved;
    double branch = estimate[child];
    bool splits = false, done = settled(branch);
    each_leaf(node, child, [&](int32_t from) {
      for (const Entry& entry : entries[from]) {
        if (done || splits) return;
        int32_t at = child;
        while (!leaf[at]) {
          const int32_t next = walk.step(at, entry.row);
          if (next < 0) {
            splits = true;
            return;
          }
          at = occupant[next];
        }
        if (!saved_here[at]) {
          saved.push_back({at, std::vector<double>(counts(at), counts(at) + width), estimate[at]});
          saved_here[at] = 1;
        }
        counts(at)[data.class_of[entry.row]] += entry.weight;
        const double now = expected(counts(at));
        branch += now - estimate[at];
        estimate[at] = now;
        done = settled(branch);
      }
    });
    for (const Saved& each : saved) {
      std::copy(each.counts.begin(), each.counts.end(), counts(each.node));
      estimate[each.node] = each.estimate;
      saved_here[each.node] = 0;
    }
    return splits ? -1 : branch;
  }

  // Calls each(leaf) for the leaves below a node, but for those below `except`.
  template <class Each>
  void each_leaf(int32_t node, int32_t except, Each&& each) const {
    std::vector<int32_t> waiting{node};
    while (!waiting.empty()) {
      const int32_t at = waiting.back();
      waiting.pop_back();
      if (at == except) continue;
      if (leaf[at]) {
        each(at);
      } else {
        each_branch(at, [&](int32_t branch) { waiting.push_back(occupant[branch]); });
      }
    }
  }

  // The node's rows, each once with all its parts.
  std::vector<Entry> collect(int32_t node) {
    touched.clear();
    each_leaf(node, -1, [&](int32_t from) {
      for (const Entry& entry : entries[from]) {
        if (total[entry.row] == 0) touched.push_back(entry.row);
        total[entry.row] += entry.weight;
      }
    });
    std::vector<Entry> found;
    found.reserve(touched.size());
    for (const int32_t row : touched) {
      found.push_back({row, total[row]});
      total[row] = 0;
    }
    return found;
  }

  // Sends rows down from a node; a row no branch takes goes by the known rows' shares. Gives the expected errors, of
  // part of the leaves if that settles it; with `keep`, counts, shares and rows of the subtree become these.
  template <class Settled>
  double send(int32_t top, std::vector<Entry> sent, bool keep, const Settled& settled) {
    struct Waiting {
      int32_t node;
      std::vector<Entry> sent;
    };
    std::vector<Waiting> waiting;
    waiting.push_back({top, std::move(sent)});
    std::vector<double> sums(width);
    double errors = 0;
    while (!waiting.empty()) {
      auto [node, here] = std::move(waiting.back());
      waiting.pop_back();
      if (leaf[node] || keep) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (const Entry& entry : here) sums[data.class_of[entry.row]] += entry.weight;
        if (keep) std::copy(sums.begin(), sums.end(), counts(node));
      }
      if (leaf[node]) {
        errors += expected(sums.data());
        if (keep) entries[node] = std::move(here);
        if (!keep && settled(errors)) return errors;
        continue;
      }
      part(node, here, keep, [&](int32_t child, std::vector<Entry> theirs) {
        waiting.push_back({child, std::move(theirs)});
      });
    }
    return errors;
  }

  template <class Each>
  void part(int32_t node, const std::vector<Entry>& here, bool keep, Each&& each) {
    std::vector<int32_t> branches;
    each_branch(node, [&](int32_t branch) { branches.push_back(branch); });
    std::vector<std::vector<Entry>> theirs(branches.size());
    std::vector<double> known(branches.size(), 0);
    std::vector<Entry> rest;
    for (const Entry& entry : here) {
      const int32_t next = walk.step(node, entry.row);
      if (next < 0) {
        rest.push_back(entry);
        continue;
      }
      theirs[branch_of[next]].push_back(entry);
      known[branch_of[next]] += entry.weight;
    }
    const double weight = std::accumulate(known.begin(), known.end(), 0.0);
    for (std::size_t b = 0; b < branches.size(); ++b) {
      const double share = weight > 0 ? known[b] / weight : result.share[branches[b]];
      if (share > 0)
        for (const Entry& entry : rest) theirs[b].push_back({entry.row, entry.weight * share});
      if (keep) result.share[branches[b]] = share;
    }
    if (keep) splits_rows[node] = !rest.empty();
    for (std::size_t b = 0; b < branches.size(); ++b) each(occupant[branches[b]], std::move(theirs[b]));
  }

  void make_leaf(int32_t node, double as_leaf) {
    auto all = collect(node);
    bury(node + 1, walk.nodes.end[node]);
    entries[node] = std::move(all);
    leaf[node] = 1;
    splits_rows[node] = shares_below[node] = 0;
    estimate[node] = as_leaf;
  }

  void bury(int32_t first, int32_t last) {
    for (int32_t node = first; node < last; ++node) {
      dead[node] = 1;
      std::vector<Entry>().swap(entries[node]);
    }
  }

  // The child takes the node's place with all its rows, and what is there now is judged again.
  void raise(int32_t node, int32_t child) {
    auto all = collect(node);
    std::vector<int32_t> alive;
    std::vector<int32_t> waiting{child};
    while (!waiting.empty()) {
      const int32_t at = waiting.back();
      waiting.pop_back();
      alive.push_back(at);
      if (!leaf[at]) each_branch(at, [&](int32_t branch) { waiting.push_back(occupant[branch]); });
    }
    std::sort(alive.begin(), alive.end());
    bury(node, walk.nodes.end[node]);
    for (const int32_t at : alive) dead[at] = 0;
    const int32_t branch = result.entered_as[node];
    occupant[branch] = child;
    result.entered_as[child] = branch;
    send(child, std::move(all), true, [](double) { return false; });
    for (auto at = alive.rbegin(); at != alive.rend(); ++at)
      if (!dead[*at]) judge(*at);
  }
};
}  // namespace

ErrorBased prune_error_based(const Walk& walk, const LabelledRows& rows, const Pessimism& pessimism,
                             const StopFlag& stop) {
  return Pruner(walk, rows, pessimism, stop).run();
}

}  // namespace clearwood
