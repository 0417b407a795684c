#include "core/ensembles/compiled.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>

namespace clearwood {
namespace {

// Codes up to `last` (above the run before it) go to the node `target`; −1: the split does not say where.
struct Run {
  uint32_t last;
  int32_t target;
};
using Runs = std::vector<Run>;

void add_run(Runs& runs, uint32_t last, int32_t target) {
  if (!runs.empty() && runs.back().target == target) {
    runs.back().last = last;
  } else {
    runs.push_back({last, target});
  }
}

class Compiler {
 public:
  Compiler(const NodesView& nodes, const int32_t* values, std::size_t attributes, bool unusual)
      : nodes_(nodes), values_(values), attributes_(attributes), unusual_(unusual) {}

  Compiled run(const int64_t* start, int64_t trees) {
    check(start, trees);
    code();
    made_.place.assign(static_cast<std::size_t>(nodes_.size), -1);
    for (int64_t tree = 0; tree < trees; ++tree) {
      // Nodes that no code leads to, as a branch for empty cells alone, are reached by surrogates or in parts.
      for (int64_t node = start[tree]; node < start[tree + 1]; ++node)
        if (made_.place[static_cast<std::size_t>(node)] < 0) add_tree(static_cast<int32_t>(node));
    }
    for (const Wide& each : wide_) made_.narrow &= each.limit == largest || each.limit < 65535;
    made_.narrow &= most_code_ <= 65535 && slots_ <= 65535;
    if (made_.narrow) {
      made_.narrow_nodes.reserve(wide_.size());
      for (const Wide& each : wide_)
        made_.narrow_nodes.push_back({static_cast<uint16_t>(std::min(each.limit, uint32_t{65535})),
                                      static_cast<uint16_t>(each.slot), each.left});
    } else {
      made_.wide_nodes = std::move(wide_);
    }
    return std::move(made_);
  }

 private:
  static constexpr uint32_t largest = std::numeric_limits<uint32_t>::max();
  // What is still to be written at `at`: a node, or a part of a split's runs.
  struct Waiting {
    int32_t at;
    int32_t node;
    std::shared_ptr<const Runs> runs;
    std::size_t first = 0, stop = 0;
  };

  void check(const int64_t* start, int64_t trees) const {
    demand(trees > 0 && start[0] == 0 && start[trees] == nodes_.size, "The trees do not fit the nodes.");
    for (int64_t tree = 0; tree < trees; ++tree) {
      demand(start[tree] < start[tree + 1] && start[tree + 1] <= nodes_.size, "A tree has no nodes.");
      demand(nodes_.end[start[tree]] == start[tree + 1], "A root's subtree must be its whole tree.");
    }
    check_nodes(nodes_, [&](int32_t a) { return known(a); });
  }

  bool known(int32_t attribute) const { return attribute >= 0 && static_cast<std::size_t>(attribute) < attributes_; }

  // The limits of every numeric attribute, and the attributes that are asked for.
  void code() {
    std::vector<std::vector<double>> limits(attributes_);
    std::vector<bool> asked(attributes_, false);
    for (int32_t node = 0; node < nodes_.size; ++node) {
      const int32_t a = nodes_.attribute[node];
      if (a < 0) continue;
      demand(known(a), "A split tests a column that is not there.");
      asked[static_cast<std::size_t>(a)] = true;
      if (values_[a] >= 0) continue;
      demand(!std::isnan(nodes_.low[node]) && !std::isnan(nodes_.high[node]), "A limit is not a number.");
      for (const double limit : {nodes_.low[node], nodes_.high[node]})
        if (std::abs(limit) != infinity) limits[static_cast<std::size_t>(a)].push_back(limit);
    }
    CellCoding& coding = made_.coding;
    coding.limit_start.push_back(0);
    for (std::size_t a = 0; a < attributes_; ++a) {
      auto& own = limits[a];
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      coding.limits.insert(coding.limits.end(), own.begin(), own.end());
      coding.limit_start.push_back(static_cast<int64_t>(coding.limits.size()));
      coding.slots.push_back(asked[a] ? static_cast<int32_t>(slots_++) : -1);
      const std::size_t codes = values_[a] >= 0 ? static_cast<std::size_t>(values_[a]) + 2 : own.size() + 2;
      if (asked[a]) most_code_ = std::max(most_code_, codes);
    }
  }

  void add_tree(int32_t root) {
    std::deque<Waiting> waiting;
    waiting.push_back({room(1), root, nullptr, 0, 0});
    while (!waiting.empty()) {
      Waiting next = std::move(waiting.front());
      waiting.pop_front();
      if (next.runs && next.stop - next.first == 1) {
        const int32_t target = (*next.runs)[next.first].target;
        if (target < 0) {
          leaf(next.at, -1 - next.node);
          continue;
        }
        next.node = target;
        next.runs = nullptr;
      }
      if (!next.runs) {
        if (made_.place[next.node] >= 0) {  // several runs lead here: the others go on to where it stands
          wide_[static_cast<std::size_t>(next.at)] = {largest, 0, made_.place[next.node]};
          continue;
        }
        made_.place[next.node] = next.at;
        if (nodes_.end[next.node] == next.node + 1) {
          leaf(next.at, next.node);
          continue;
        }
        next.runs = std::make_shared<const Runs>(runs_of(next.node));
        next.first = 0;
        next.stop = next.runs->size();
        if (next.stop == 1) {  // one branch takes whatever comes
          const int32_t target = next.runs->front().target;
          if (target < 0) {
            leaf(next.at, -1 - next.node);
          } else {
            const int32_t on = room(1);
            wide_[static_cast<std::size_t>(next.at)] = {largest, 0, on};
            waiting.push_back({on, target, nullptr, 0, 0});
          }
          continue;
        }
      }
      const std::size_t middle = (next.first + next.stop) / 2;
      const int32_t left = room(2);
      const int32_t attribute = nodes_.attribute[next.node + 1];
      wide_[static_cast<std::size_t>(next.at)] = {(*next.runs)[middle - 1].last,
                                                  static_cast<uint32_t>(made_.coding.slots[attribute]), left};
      waiting.push_back({left, next.node, next.runs, next.first, middle});
      waiting.push_back({left + 1, next.node, next.runs, middle, next.stop});
    }
  }

  int32_t room(std::size_t size) {
    const std::size_t at = wide_.size();
    demand(at + size < static_cast<std::size_t>(std::numeric_limits<int32_t>::max()), "The trees are too large.");
    wide_.resize(at + size);
    made_.origin.resize(at + size, 0);
    return static_cast<int32_t>(at);
  }

  void leaf(int32_t at, int32_t origin) {
    wide_[static_cast<std::size_t>(at)] = {largest, 0, at};
    made_.origin[static_cast<std::size_t>(at)] = origin;
  }

  Runs runs_of(int32_t node) const {
    const Branches branches(nodes_, node, [&](int32_t a) { return known(a); });
    return values_[branches.attribute] < 0 ? runs_of_numbers(branches) : runs_of_values(branches);
  }

  Runs runs_of_numbers(const Branches& branches) const {
    const auto& all = made_.coding;
    const auto first = all.limits.begin() + all.limit_start[branches.attribute];
    const auto stop = all.limits.begin() + all.limit_start[branches.attribute + 1];
    const uint32_t most = static_cast<uint32_t>(stop - first);  // the code of what is above every limit
    Runs runs;
    branches.intervals(nodes_, [&](double end, int32_t child) {
      const auto last = end == infinity ? most : static_cast<uint32_t>(std::lower_bound(first, stop, end) - first);
      add_run(runs, last, child >= 0 ? child : branches.unknown);
    });
    if (unusual_) add_run(runs, most + 1, branches.missing);
    return runs;
  }

  Runs runs_of_values(const Branches& branches) const {
    const int32_t values = values_[branches.attribute], unknown = branches.unknown;
    auto pairs = branches.taken_codes(nodes_, values);
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Runs runs;
    int32_t next = 0;  // the first code that no run has
    for (const auto& [code, child] : pairs) {
      if (code < next) continue;  // the first branch that names a value takes it
      if (code > next) add_run(runs, static_cast<uint32_t>(code - 1), unknown);
      add_run(runs, static_cast<uint32_t>(code), child);
      next = code + 1;
    }
    if (next < values) add_run(runs, static_cast<uint32_t>(values - 1), unknown);
    if (unusual_) {
      add_run(runs, static_cast<uint32_t>(values), unknown);
      add_run(runs, static_cast<uint32_t>(values) + 1, branches.missing);
    }
    if (runs.empty()) add_run(runs, 0, unknown);  // of an attribute without values
    return runs;
  }

  const NodesView& nodes_;
  const int32_t* values_;
  std::size_t attributes_;
  bool unusual_;
  Compiled made_;
  std::vector<Wide> wide_;
  std::size_t most_code_ = 0, slots_ = 0;
};

}  // namespace

Compiled compiled(const NodesView& nodes, const int64_t* start, int64_t trees, const int32_t* values,
                  std::size_t attributes, bool unusual) {
  return Compiler(nodes, values, attributes, unusual).run(start, trees);
}

bool shape_of_trees(const int32_t* branches, int64_t nodes, const int64_t* sizes, int64_t trees, int32_t* parent,
                    int32_t* end) {
  struct Open {
    int32_t node, left;  // branches that are still to come
  };
  std::vector<Open> path;
  int64_t node = 0;
  for (int64_t tree = 0; tree < trees; ++tree) {
    const int64_t stop = node + sizes[tree];
    if (sizes[tree] < 1 || stop > nodes) return false;
    path.clear();
    for (const int64_t root = node; node < stop; ++node) {
      if (branches[node] < 0 || (node > root && path.empty())) return false;
      parent[node] = node == root ? -1 : path.back().node;
      if (node > root) --path.back().left;
      path.push_back({static_cast<int32_t>(node), branches[node]});
      while (!path.empty() && path.back().left == 0) {
        end[path.back().node] = static_cast<int32_t>(node + 1);
        path.pop_back();
      }
    }
    if (!path.empty()) return false;
  }
  return node == nodes;
}

void sum_up(const int32_t* parent, int64_t nodes, double* values, std::size_t width) {
  for (int64_t node = nodes - 1; node >= 0; --node) {
    if (parent[node] < 0) continue;
    double* to = values + static_cast<std::size_t>(parent[node]) * width;
    for (std::size_t k = 0; k < width; ++k) to[k] += values[static_cast<std::size_t>(node) * width + k];
  }
}

}  // namespace clearwood
