// Rows on their way down a tree, in one pile: those at a node lie side by side, and those at its children among them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/trees/predict.hpp"

namespace clearwood {

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

class SentRows {
 public:
  // `factor_of` [class] weighs a row of that class where branches are compared.
  SentRows(const Walk& walk, const std::vector<double>& factor_of);

  std::vector<SentRow> pile;

  // Puts the rows of a slice in the order of the branches they take. A row that none takes goes down every branch of
  // some share, in parts; only then the branches' slices are new ones on top of the pile. Shares are the `given` ones
  // [node], or, where that is null, the branches' parts of the weight that is known here.
  void divide(int32_t node, Slice slice, const double* given);

  // The branches of the last `divide`.
  std::vector<int32_t> branches;  // the node each first led to
  std::vector<Slice> slices;      // [branch]
  std::vector<double> shares;     // [branch]
  bool in_parts = false;          // did a row go down several?

  // A copy of some rows on top of the pile, free to be put in another order.
  Slice copy(Slice slice);
  void cut_back(std::size_t size) { pile.resize(size); }

 private:
  const Walk& walk_;
  const std::vector<double>& factor_of_;
  std::vector<int32_t> number_of_;  // [branch] 0, 1, … among its siblings
  std::vector<int32_t> taken_;      // [row of the slice] the branch it takes; −1: none
  std::vector<std::size_t> next_;   // [branch]
  std::vector<SentRow> spare_;
};

}  // namespace clearwood
