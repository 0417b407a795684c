#include "core/pessimistic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/special.hpp"

namespace clearwood {
namespace {

// Normal deviates to two digits, read as straight lines in between (Quinlan 1993).
constexpr double confidences[] = {0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0};
constexpr double deviates[] = {4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0};

double from_table(double confidence) {
  std::size_t i = 0;
  while (confidence > confidences[i + 1]) ++i;
  return deviates[i] +
         (deviates[i + 1] - deviates[i]) * (confidence - confidences[i]) / (confidences[i + 1] - confidences[i]);
}

}  // namespace

ErrorEstimate::ErrorEstimate(double confidence, bool quinlan)
    : confidence_(confidence),
      deviate_(quinlan ? from_table(confidence) : normal_quantile(1 - confidence)),
      quinlan_(quinlan) {}

double ErrorEstimate::extra(double n, double e) const {
  if (!(n > 0)) return 0.0;
  if (e < 1) {
    const double none = n * (1 - std::pow(confidence_, 1 / n));
    // Between no error and one the charge is read off the straight line.
    return e <= 0 ? none : none + e * (extra(n, 1.0) - none);
  }
  if (e + 0.5 >= n) return quinlan_ ? 0.67 * (n - e) : std::max(n - e, 0.0);
  const double z = deviate_;
  const double f = (e + 0.5) / n;
  const double bound = (f + z * z / (2 * n) + z * std::sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n);
  return bound * n - e;
}

}  // namespace clearwood
