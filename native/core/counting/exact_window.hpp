// Exact window: a column's numbers counted in one power of two, where that makes a whole number of less than 62 bits.
//
// Most numbers of a column are near enough in size to share a unit. Those that are not are left to the exact buckets,
// which take any: the choice of the unit decides how fast the sums are, never what they are.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/counting/column.hpp"
#include "core/counting/moments.hpp"

namespace clearwood {

// Σx and Σx² of up to 2^64 rows.
struct Window {
  Signed sum = 0;
  Whole squares = 0;
  std::uint64_t above = 0;  // of the squares: what 128 bits do not hold

  std::array<std::uint64_t, 2> sum_limbs() const {
    return {static_cast<std::uint64_t>(sum), static_cast<std::uint64_t>(static_cast<Whole>(sum) >> 64)};
  }
  std::array<std::uint64_t, 4> squares_limbs() const {
    return {static_cast<std::uint64_t>(squares), static_cast<std::uint64_t>(squares >> 64), above, 0};
  }
};

// The power of two that makes a column's numbers whole, by a few rows from all over [first, last).
inline int window_shift(const Column& column, std::size_t first, std::size_t last) {
  constexpr std::size_t looks = 64;
  constexpr int spare = 1;  // the rows not looked at may hold numbers twice as large
  std::uint32_t high = 0;
  for (std::size_t row = first; row < last; row += std::max<std::size_t>(1, (last - first) / looks)) {
    const auto exponent = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(column.number(row)) >> 52) & 0x7ff;
    if (exponent < far_exponent) high = std::max(high, exponent);
  }
  // A factor from 1 up loses no low bits; 2^1023 is the largest there is.
  return std::clamp(62 - (static_cast<int>(high) - 1022 + spare), 0, 1023);
}

// Adds the numbers at the places [begin, end) that the window can hold; the other places go to `left`, which has room
// for all of them.
inline std::size_t add_to_window(const double* numbers, int shift, std::size_t begin, std::size_t end, Window& window,
                                 std::uint32_t* left) {
  const double factor = std::ldexp(1.0, shift);
  Window sums = window;
  std::size_t missed = 0;
  for (std::size_t place = begin; place < end; ++place) {
    const double scaled = numbers[place] * factor;
    const std::int64_t whole = std::abs(scaled) < 0x1p62 ? static_cast<std::int64_t>(scaled) : 1;
    if (static_cast<double>(whole) != scaled) [[unlikely]] {
      left[missed++] = static_cast<std::uint32_t>(place);
      continue;
    }
    const Whole square = static_cast<Whole>(static_cast<Signed>(whole) * whole);
    sums.sum += whole;
    sums.squares += square;
    sums.above += sums.squares < square;
  }
  window = sums;
  return missed;
}

}  // namespace clearwood
