// A tree flat and ready to walk: one row from node to node, to its leaf or to the several that it reaches.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/counting/column.hpp"

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
  struct Part {
    int32_t leaf;
    double weight;
  };
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

}  // namespace clearwood
