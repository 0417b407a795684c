// A tree flat and ready to walk: rows from node to node, to leaves, to averages of what the leaves say, to counts per node.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// A tree's columns; the glossary is in models/kinds/tree/nodes.py.
struct NodesView {
  int32_t size;
  const int32_t* end;              // [node]
  const double* share;             // [node]
  const int32_t* otherwise;        // [node]
  const int32_t* attribute;        // [node]
  const double* low;               // [node]
  const double* high;              // [node]
  const bool* or_missing;          // [node]
  const int64_t* set_start;        // [node + 1]
  const int32_t* set_codes;        // [·]
  int64_t set_size;
  const int64_t* s_start;          // [node + 1]
  int64_t s_size;
  const int32_t* s_attribute;      // [surrogate]
  const double* s_limit;           // [surrogate]
  const int32_t* s_branch;         // [surrogate]
  const int64_t* s_set_start;      // [surrogate + 1]
  const int64_t* s_set_split;      // [surrogate]
  const int32_t* s_set_codes;      // [·]
  int64_t s_set_size;
};

inline void demand(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// Throws std::invalid_argument where the columns do not fit each other, or where has_column(attribute) does not hold.
void check_nodes(const NodesView& nodes, const std::function<bool(int32_t)>& has_column);

// A node's branches, and where a cell goes that is missing, or a value that no branch takes; −1: the split does not say.
struct Branches {
  int32_t attribute;
  std::vector<int32_t> children;
  int32_t missing, unknown;

  Branches(const NodesView& nodes, int32_t node, const std::function<bool(int32_t)>& has_column);
  // Calls each(end, child) for the stretches between neighbouring limits, upwards; −1 where no branch takes it.
  void intervals(const NodesView& nodes, const std::function<void(double, int32_t)>& each) const;
  // [·] code and child, branch by branch: of two branches that name a value the first takes it.
  std::vector<std::pair<int32_t, int32_t>> taken_codes(const NodesView& nodes, int32_t values) const;
};

// The child that a row goes to whose cell sends it nowhere: a surrogate's, or `otherwise`; −1: every one by its share.
int32_t sent_on(const NodesView& nodes, const Columns& columns, int32_t node, int64_t row);

struct Part {
  int32_t leaf;
  double weight;
};

// Calls each(leaf, weight) for all leaves that a row reaches from a node, in preorder. go(node) is the leaf it comes to, or
// −1 − the split that does not say where it goes on: there it goes down every branch by its share.
template <class Go, class Each>
void over_parts(const NodesView& nodes, int32_t from, std::vector<Part>& waiting, Go&& go, Each&& each) {
  waiting.assign({{from, 1.0}});
  while (!waiting.empty()) {
    const auto [node, weight] = waiting.back();
    waiting.pop_back();
    const int32_t end = go(node);
    if (end >= 0) {
      each(end, weight);
      continue;
    }
    const std::size_t mark = waiting.size();
    for (int32_t child = -end; child < nodes.end[-1 - end]; child = nodes.end[child])
      if (nodes.share[child] > 0) waiting.push_back({child, weight * nodes.share[child]});
    std::reverse(waiting.begin() + static_cast<std::ptrdiff_t>(mark), waiting.end());
  }
}

// The tree, flat and ready to walk. Throws std::invalid_argument where the columns do not make a tree.
struct Walk {
  Walk(const NodesView& nodes, Columns columns);

  enum class Kind : int32_t { leaf, cut, intervals, table, pairs };
  struct Step {
    Kind kind = Kind::leaf;
    int32_t attribute = 0;
    double limit = 0;             // cut: x ≤ limit → to[0], x > limit → to[1]
    int32_t to[2] = {0, 0};
    int64_t start = 0;            // intervals: `ends`, `targets`; table: `targets`; pairs: `codes`, `targets`
    int32_t length = 0;
    int32_t missing = -1;         // where an empty cell goes; −1: ask `sent_on`
    int32_t unknown = -1;         // where a value no branch takes goes; −1: ask `sent_on`
  };

  const NodesView nodes;
  const Columns columns;
  std::vector<Step> steps;        // [node]
  std::vector<double> ends;
  std::vector<int32_t> codes;
  std::vector<int32_t> targets;
  bool divides = false;           // a cell may be such that its row goes down several branches

  int32_t step(int32_t node, int64_t row) const;      // the child a row goes to; −1: every one by its share
  int32_t leaf(int32_t from, int64_t row) const;      // the leaf below `from`; −1: several
  struct Parts {                  // kept from row to row for their memory
    std::vector<Part> reached, waiting;
    std::vector<double> mixed;
  };
  const std::vector<Part>& parts(int64_t row, Parts& kept) const;  // all leaves a row reaches, in preorder

 private:
  bool has_column(int32_t a) const { return a >= 0 && a < static_cast<int32_t>(columns.size()) && columns[a].has_value(); }
  void compile(int32_t node);
  void compile_numeric(Step& step, const Branches& branches);
  void compile_codes(Step& step, const Branches& branches);
};

// leaves [row]: the leaf each row reaches; of several, the one of largest weight (first of equals).
void leaves_of(const Walk& walk, int64_t rows, int32_t* leaves, const StopFlag& stop);

// answers [row, width]: the average of values [node, width] over the leaves a row reaches.
void average_of(const Walk& walk, int64_t rows, const double* values, int32_t width, double* answers,
                const StopFlag& stop);

// codes [row]: node_codes [node] at the leaf; for a row in several leaves the class j of least
// Σ_i share_i · costs[i, j], first of equals, with `shares` [node, classes] averaged; of the largest share if costs is
// null.
void codes_of(const Walk& walk, int64_t rows, const int32_t* node_codes, const double* shares, const double* costs,
              int32_t classes, int32_t* codes, const StopFlag& stop);

// counts [node, classes]: row weight by class of the rows that pass through each node. weights may be null.
// A row of a code outside [0, classes) is not counted.
void count_classes(const Walk& walk, int64_t rows, const int32_t* target, const double* weights, int32_t classes,
                   double* counts, const StopFlag& stop);

// sums [node, 3]: Σw, Σwy, Σwy² of the rows that pass through each node. A row whose y is NaN is not counted.
void count_numbers(const Walk& walk, int64_t rows, const double* target, const double* weights, double* sums,
                   const StopFlag& stop);

}  // namespace clearwood
