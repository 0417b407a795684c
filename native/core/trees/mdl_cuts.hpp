// Entropy cuts of Fayyad and Irani (1993): where the classes change most, as long as the gain pays for coding the cut.
#pragma once
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// The rows a numeric column is cut for. Rows without a class (below zero), without weight or with an empty cell are absent.
struct ClassedRows {
  std::size_t rows = 0;
  std::int32_t classes = 0;
  const std::int32_t* class_of = nullptr;  // [row], below `classes`
  const double* weight_of = nullptr;       // [row]; null: all 1
};

// Ascending; a value x belongs below a cut where x ≤ cut. Room: 32 bytes a row.
std::vector<double> mdl_cuts(const Column& column, const ClassedRows& rows, const StopFlag& stop);

}  // namespace clearwood
