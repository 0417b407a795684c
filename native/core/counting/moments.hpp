// Moments: a column's exact sums of x and x² by class, so that no order of adding can change a mean or a variance.
//
// A double is a whole number times a power of two, and so is its square. Numbers of one exponent are added as 128-bit
// whole numbers (256 with weights); what each exponent has gathered then goes into one wide whole number per sum.
// Without weights, most numbers of a column share one unit and are added before they come to that.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"
#include "core/counting/tally.hpp"

namespace clearwood {

constexpr int sum_exponent = -1074;      // a unit of Σx is 2^-1074 (times a unit of weight)
constexpr int squares_exponent = -2148;  // of Σx² its square
constexpr std::size_t sum_limbs = 32;    // 64 bits each, two's complement, the lowest first
constexpr std::size_t squares_limbs = 54;
constexpr std::uint32_t far_exponent = 1023 + 498;  // from 2^498 (8e149) a number is too large to square and add

struct Moments {
  std::vector<Whole> missing;          // [column][class] units of weight of the empty cells
  std::vector<std::uint64_t> sums;     // [column][class][sum_limbs]
  std::vector<std::uint64_t> squares;  // [column][class][squares_limbs]
  std::vector<std::int64_t> far;       // [column] the first row that is too large or infinite; −1: none
};

Moments moments(const std::vector<Column>& columns, const RowsByClass& rows, int threads, const StopFlag& stop);

}  // namespace clearwood
