// Entropy cuts of Fayyad and Irani (1993): where the classes change most, as long as the gain pays for coding the cut.
#pragma once
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// Ascending; a value x belongs below a cut where x ≤ cut. Rows without a class, without weight or with an empty cell are
// absent. Room: 32 bytes a row.
std::vector<double> mdl_cuts(const Column& column, const ClassedRows& rows, const StopFlag& stop);

}  // namespace clearwood
