// One look at a table of floats: is a number infinite, and which columns hold whole numbers only?
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

struct Survey {
  std::int64_t row = -1, column = -1;  // of the first infinite number, row by row; -1: there is none
  std::vector<std::uint8_t> whole;     // [column] every known number is whole
};

// `values` with strides counted in elements. Rows are read in their order, so a table that lies row by row in memory is
// passed over once, not once a column.
template <class Float>
Survey survey(const Float* values, std::size_t rows, std::size_t columns, std::ptrdiff_t row_stride,
              std::ptrdiff_t column_stride, int threads, const StopFlag& stop);

// Number codes: each different number of a column gets the next code, in order of first appearance.

// Writes a code for every row, −1 where the number is missing, and returns the different numbers; −0 is 0.
std::vector<double> number_codes(const Column& column, std::size_t rows, std::int32_t* codes, const StopFlag& stop);

}  // namespace clearwood
