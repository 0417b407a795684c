// Description length: bits for a class's rules, and for the rows they get wrong (Cohen 1995, after Quinlan 1995).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace clearwood {

constexpr double ripper_tie = 1e-10;  // differences below are rounding's

// Bits to say which of `size` things are marked, to one who expects this rate.
inline double subset_bits(double size, double marked, double rate) {
  const double crumb = ripper_tie * size;
  constexpr double never = std::numeric_limits<double>::infinity();
  double bits = 0;
  if (marked > crumb) bits += rate > 0 ? -marked * std::log2(rate) : never;
  if (size - marked > crumb) bits += rate < 1 ? -(size - marked) * std::log2(1 - rate) : never;
  return bits;
}

// Bits for a whole number that could be any (Rissanen 1983).
inline double number_bits(double number) {
  double bits = 0;
  while (number > 1) bits += number = std::log2(number);
  return bits;
}

inline double rule_bits(std::size_t tests, double possible) {
  if (tests == 0) return 0;
  const double k = static_cast<double>(tests);
  const double n = std::max(possible, k);
  return 0.5 * (number_bits(k) + subset_bits(n, k, k / n));
}

// `wrong` of the covered and `missed` of the uncovered are answered wrongly. The larger side is coded at the rate it has if
// this share of the errors is on the covered one, the other with its own.
inline double exception_bits(double covered, double uncovered, double wrong, double missed, double share) {
  const double errors = wrong + missed;
  const double all = covered + uncovered;
  double bits = std::log2(all + 1);
  const bool more_covered = covered - uncovered > ripper_tie * all;
  if (covered > 0) bits += subset_bits(covered, wrong, (more_covered ? share * errors : wrong) / covered);
  if (uncovered > 0) bits += subset_bits(uncovered, missed, (more_covered ? missed : (1 - share) * errors) / uncovered);
  return bits;
}

}  // namespace clearwood
