// exp and log of our own, since libraries differ in the last digit and a model must not: sums and products alone, in one
// order. src/clearwood/counting/ties.py has the same numbers.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

namespace clearwood {

constexpr double whole_numbers = 0x1.8p52;  // added to a number below 2⁵¹, leaves it whole, rounded half to even
constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;

inline std::int64_t rounded(double value) {
  return std::bit_cast<std::int64_t>(value + whole_numbers) - std::bit_cast<std::int64_t>(whole_numbers);
}

// e to the x, of x between −700 and 700; beyond, of the nearer of these.
inline double own_exp(double x) {
  x = std::min(std::max(x, -700.0), 700.0);
  const double shifted = x * 1.44269504088896338700 + whole_numbers;
  const double k = shifted - whole_numbers;
  const double r = (x - k * ln2_high) - k * ln2_low;
  double p = 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  const std::int64_t power = std::bit_cast<std::int64_t>(shifted) - std::bit_cast<std::int64_t>(whole_numbers);
  return p * std::bit_cast<double>((power + 1023) << 52);
}

// The natural logarithm of x, which is at least 1e-300.
inline double own_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  double e = static_cast<double>(static_cast<std::int32_t>(bits >> 52) - 1022);
  double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFull) | 0x3FE0000000000000ull);
  const bool low = m < 0.70710678118654757;
  const double twice = m + m, less = e - 1.0;  // computed either way: a loop without branches
  m = low ? twice : m;
  e = low ? less : e;
  const double f = (m - 1.0) / (m + 1.0), s = f * f;
  double p = 1.0 / 21.0;
  p = p * s + 1.0 / 19.0;
  p = p * s + 1.0 / 17.0;
  p = p * s + 1.0 / 15.0;
  p = p * s + 1.0 / 13.0;
  p = p * s + 1.0 / 11.0;
  p = p * s + 1.0 / 9.0;
  p = p * s + 1.0 / 7.0;
  p = p * s + 1.0 / 5.0;
  p = p * s + 1.0 / 3.0;
  p = p * s + 1.0;
  return e * ln2_high + (e * ln2_low + (f + f) * p);
}

}  // namespace clearwood
