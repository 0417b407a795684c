// Number codes: each different number of a column gets the next code, in order of first appearance.
#pragma once
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// Writes a code for every row, −1 where the number is missing, and returns the different numbers; −0 is 0.
std::vector<double> number_codes(const Column& column, std::size_t rows, std::int32_t* codes, const StopFlag& stop);

}  // namespace clearwood
