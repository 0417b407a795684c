// A tree flat and ready to walk: one row from node to node, to its leaf or to the several that it reaches.
#pragma once
#include <cstdint>
#include <optional>
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

using Columns = std::vector<std::optional<Column>>;  // [attribute]; nothing where no branch asks for it

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
  void compile(int32_t node);
  void compile_numeric(int32_t node, const std::vector<int32_t>& children);
  void compile_codes(int32_t node, const std::vector<int32_t>& children);
};

}  // namespace clearwood
