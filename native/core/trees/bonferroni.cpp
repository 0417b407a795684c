#include "core/trees/bonferroni.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace clearwood {
namespace {

constexpr double log_zero = -std::numeric_limits<double>::infinity();

double log_sum(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == log_zero ? a : a + std::log1p(std::exp(b - a));
}

double choose(std::size_t n, std::size_t k) {
  if (k > n) return 0.0;
  k = std::min(k, n - k);
  double product = 1.0;
  // Every partial product is itself a binomial coefficient, so the divisions come out even while they fit.
  for (std::size_t i = 1; i <= k; ++i)
    product = product * static_cast<double>(n - k + i) / static_cast<double>(i);
  return product;
}

double log_choose(std::size_t n, std::size_t k) {
  if (k > n) return log_zero;
  double sum = 0.0;
  for (std::size_t i = 1; i <= std::min(k, n - k); ++i)
    sum += std::log(static_cast<double>(n - std::min(k, n - k) + i)) - std::log(static_cast<double>(i));
  return sum;
}

// S(n, k) = k S(n − 1, k) + S(n − 1, k − 1), in the numbers or in their logarithms.
template <class Step>
double stirling(std::size_t n, std::size_t k, double zero, double one, Step step) {
  std::vector<double> row(k + 1, zero);
  row[0] = one;
  for (std::size_t m = 1; m <= n; ++m) {
    // Only entries from which S(n, k) can still be reached are needed.
    const std::size_t low = std::max<std::size_t>(1, k > n - m ? k - (n - m) : 1);
    for (std::size_t j = std::min(m, k); j >= low; --j) row[j] = step(j, row[j], row[j - 1]);
    if (m == 1) row[0] = zero;
  }
  return row[k];
}

}  // namespace

Ways ways_ordinal(std::size_t categories, std::size_t groups) {
  return {choose(categories - 1, groups - 1), log_choose(categories - 1, groups - 1)};
}

Ways ways_nominal(std::size_t categories, std::size_t groups) {
  const double number = stirling(categories, groups, 0.0, 1.0, [](std::size_t j, double here, double left) {
    return static_cast<double>(j) * here + left;
  });
  if (std::isfinite(number)) return {number, std::log(number)};
  const double log = stirling(categories, groups, log_zero, 0.0, [](std::size_t j, double here, double left) {
    return log_sum(std::log(static_cast<double>(j)) + here, left);
  });
  return {number, log};
}

Ways ways_floating(std::size_t categories, std::size_t groups) {
  const auto r = static_cast<double>(groups);
  return {choose(categories - 2, groups - 2) + r * choose(categories - 2, groups - 1),
          log_sum(log_choose(categories - 2, groups - 2), std::log(r) + log_choose(categories - 2, groups - 1))};
}

Ways ways_exhaustive(std::size_t categories, bool nominal) {
  const auto i = static_cast<double>(categories);
  const double number = nominal ? i * (i * i - 1) / 2 : i * (i - 1) / 2;
  return {number, std::log(number)};
}

}  // namespace clearwood
