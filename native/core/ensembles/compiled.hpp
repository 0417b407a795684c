// Many trees as comparisons of whole numbers: every cell becomes a code, every split a few questions "code > limit?".
//
// A numeric cell's code is how many of the column's limits lie below it, so that x ≤ limit k is code ≤ k, exactly. A value's
// code is its own. Two codes above all others stand for a value that no training row had and for an empty cell. A split is
// then a step function of one code, and a binary search among its steps: intervals, sets of values and many branches alike.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/trees/walk.hpp"

namespace clearwood {

// One question; the answer "no" leads to `left`, "yes" to left + 1. A leaf leads to itself, whatever the code.
template <class Code>
struct Comparison {
  Code limit;
  Code slot;  // of the cell in a coded row
  int32_t left;
};
using Narrow = Comparison<uint16_t>;
using Wide = Comparison<uint32_t>;

// How the cells of a row are coded.
struct CellCoding {
  std::vector<double> limits;        // ascending, of one attribute after another
  std::vector<int64_t> limit_start;  // [attribute + 1]
  std::vector<int32_t> slots;        // [attribute] its place in a coded row; −1: no tree asks for it
};

struct Compiled {
  CellCoding coding;
  bool narrow = true;
  std::vector<Narrow> narrow_nodes;  // one of the two is filled
  std::vector<Wide> wide_nodes;
  std::vector<int32_t> origin;       // [comparison] a leaf's node; −1 − node where the split itself cannot send the row on
  std::vector<int32_t> place;        // [node] its first comparison
};

// `start` [tree + 1] are the trees' first nodes, `values` [attribute] how many values it has, −1 of a numeric one. Without
// `unusual`, rows must have neither empty cells nor unseen values: most have none, and go through fewer comparisons. Throws
// std::invalid_argument where the columns do not make trees.
Compiled compiled(const NodesView& nodes, const int64_t* start, int64_t trees, const int32_t* values,
                  std::size_t attributes, bool unusual);

// The shape of many trees from the number of branches at each node, in preorder, and sums from the leaves up.
// parent, end [node] of trees of these sizes; false where the branches do not make them.
bool shape_of_trees(const int32_t* branches, int64_t nodes, const int64_t* sizes, int64_t trees, int32_t* parent,
                    int32_t* end);

// values [node, width]: to every split the sum of its branches, the last first; those of leaves are given.
void sum_up(const int32_t* parent, int64_t nodes, double* values, std::size_t width);

}  // namespace clearwood
