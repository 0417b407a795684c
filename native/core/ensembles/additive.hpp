// An additive model's scores: rows to cells, cells to points, points to sums.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// A column with its cells: intervals between cuts (low < x <= high) or values, then missing, then unseen.
struct CellSide {
  Column column;
  std::span<const double> cuts;

  std::size_t cells() const {
    return (column.numeric() ? cuts.size() + 1 : static_cast<std::size_t>(column.values)) + 2;
  }
  std::size_t at(std::size_t row) const;
};

// One column, or two: `points` is [score][cells of the first x cells of the second].
struct AdditiveTerm {
  std::vector<CellSide> sides;
  std::span<const double> points;
};

// [row][score] base, then the points of each term in turn.
void additive_scores(const std::vector<AdditiveTerm>& terms, std::span<const double> base, std::size_t rows,
                     double* scores, int threads, const StopFlag& stop);

}  // namespace clearwood
