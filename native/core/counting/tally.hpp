// Weights as whole numbers: every weight is a multiple of one power of two, so that their sums are exact in any order.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

__extension__ using Whole = unsigned __int128;
__extension__ using Signed = __int128;

struct WeightUnits {
  std::vector<Whole> units;  // [row]; empty: every row weighs 1
  int exponent = 0;          // a unit is 2^exponent
};

// A double as ±mantissa · 2^(exponent − 1075); a subnormal has exponent 1.
struct Parts {
  std::uint64_t mantissa;
  int exponent;
};

inline Parts parts_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & 0xfffffffffffff;
  return exponent ? Parts{fraction | std::uint64_t{1} << 52, exponent} : Parts{fraction, 1};
}

// Refuses weights that are negative, not finite, or so far apart that 2^34 of them could overflow 128 bits.
inline WeightUnits weight_units(const double* weights, std::size_t rows) {
  WeightUnits scaled;
  if (!weights) return scaled;
  int lowest = 4096;
  int highest = -4096;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!(weights[row] >= 0) || weights[row] > 1e300) throw std::invalid_argument("weights must be finite, from 0 up");
    const Parts parts = parts_of(weights[row]);
    if (!parts.mantissa) continue;
    const int low = parts.exponent - 1075 + std::countr_zero(parts.mantissa);
    const int high = parts.exponent - 1075 + static_cast<int>(std::bit_width(parts.mantissa));
    lowest = low < lowest ? low : lowest;
    highest = high > highest ? high : highest;
  }
  scaled.units.assign(rows, 0);
  if (lowest > highest) return scaled;
  if (highest - lowest > 94) throw std::invalid_argument("weights are too far apart to be added exactly");
  scaled.exponent = lowest;
  for (std::size_t row = 0; row < rows; ++row) {
    const Parts parts = parts_of(weights[row]);
    if (!parts.mantissa) continue;
    const int shift = parts.exponent - 1075 - lowest;  // below zero only bits that are zero fall out
    scaled.units[row] = shift >= 0 ? Whole{parts.mantissa} << shift : Whole{parts.mantissa >> -shift};
  }
  return scaled;
}

// Tally: how often each value of each column occurs with each class, exactly, in any order of rows.

// The rows that are counted: class codes in [0, classes), and their weights in whole units.
struct RowsByClass {
  const std::int32_t* classes_of = nullptr;  // [row]
  std::size_t rows = 0;
  std::int32_t classes = 0;
  const WeightUnits* weights = nullptr;

  bool weighted() const { return weights && !weights->units.empty(); }
};

// Throws where a class code is out of range.
void check_classes(const RowsByClass& rows);

// Where a column's cells begin; a column has classes × (values + 2) of them, for unseen (−2), missing (−1) and each value.
std::vector<std::size_t> tally_starts(const std::vector<Column>& columns, std::int32_t classes);

// [column][class][value + 2] the units of weight (rows, where there are no weights) of each cell.
std::vector<Whole> tally(const std::vector<Column>& columns, const RowsByClass& rows, int threads, const StopFlag& stop);

}  // namespace clearwood
