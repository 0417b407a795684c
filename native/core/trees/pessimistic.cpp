#include "core/trees/pessimistic.hpp"

#include <algorithm>
#include <cmath>

namespace clearwood {

double extra_errors(double n, double e, const Pessimism& pessimism) {
  if (n <= 0) return 0;
  if (e < 1) {
    const double none = n * (1 - std::pow(pessimism.confidence, 1 / n));
    // Between no error and one the charge is read off the straight line.
    return e <= 0 ? none : none + e * (extra_errors(n, 1, pessimism) - none);
  }
  if (e + 0.5 >= n) return pessimism.quinlan ? 0.67 * (n - e) : std::max(n - e, 0.0);
  const double z = pessimism.z, f = (e + 0.5) / n;
  const double bound = (f + z * z / (2 * n) + z * std::sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n);
  return bound * n - e;
}

}  // namespace clearwood
