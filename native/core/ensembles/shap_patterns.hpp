// SHAP values of small trees by table: what a leaf adds depends only on which columns of its path the row follows.
#pragma once
#include <cstdint>
#include <vector>

#include "core/ensembles/quadrature.hpp"
#include "core/trees/walk.hpp"

namespace clearwood {

// A leaf whose path asks m columns has 2^m patterns, one bit for each column: set where the row satisfies all that the
// path asks of it. For each pattern the table has what each of these columns adds to each number (after Yang 2021,
// FastTreeSHAP v2). A row then costs a bit per edge and m sums per leaf; only rows that go down several branches at once
// have no pattern.
class ShapPatterns {
 public:
  // `z` [node] is the part of the cover that follows all edges of the node's column above it and its own; `slots` [node]
  // is the place of that column among the different ones of the path, and `levels` [node] the depth.
  ShapPatterns(const Walk& walk, const std::vector<double>& z, const std::vector<int32_t>& slots, const std::vector<int32_t>& levels,
               const Quadrature& points, const double* answers, int32_t width, double scale);

  // The numbers that the tables of a tree would hold.
  static int64_t size(const Walk& walk, const std::vector<int32_t>& slots, const std::vector<int32_t>& levels, int32_t width);

  // Adds to `sums` [attribute, scores] of the row; false, and nothing is added, where it goes down several branches.
  // `kept` is for the thread's own use.
  struct Kept {
    std::vector<int32_t> next;      // [node]
    std::vector<uint32_t> patterns; // [level]
  };
  bool row(int64_t row, int32_t scores, double* sums, Kept& kept) const;

 private:
  struct Place {
    int32_t parent = 0;
    int32_t level = 0;
    uint32_t keeps = 0;             // the bits that a row keeps which does not follow the edge into the node
    int32_t columns = 0;            // of a leaf; 0: it is none
    int32_t column = 0;             // where they begin
    int64_t table = 0;              // where its tables begin
  };
  const Walk& walk_;
  int32_t width_;
  int32_t deepest_ = 0;
  std::vector<Place> places_;       // [node]
  std::vector<int32_t> splits_;     // the nodes that are no leaves
  std::vector<int32_t> columns_;    // [leaf, column]
  std::vector<double> tables_;      // [leaf, pattern, column, width]
};

}  // namespace clearwood
