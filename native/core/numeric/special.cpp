#include "core/numeric/special.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clearwood {

double log_gamma(double x) {
  int sign = 0;  // lgamma itself writes a global, which threads would share
  return lgamma_r(x, &sign);
}

namespace {
constexpr double kTiny = 1e-300;
constexpr double kEpsilon = 1e-16;
constexpr double kLogSqrt2Pi = 0.91893853320467274178;
constexpr double kSqrt2Pi = 2.50662827463100050242;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFaint = 1e-290;  // below it a tail loses its digits and then itself
constexpr int kMostSteps = 2'000'000;

// ln Γ(a) − its Stirling approximation (a − ½) ln a − a + ln √2π.
double stirling_error(double a) {
  if (a < 15) return log_gamma(a) - ((a - 0.5) * std::log(a) - a + kLogSqrt2Pi);
  const double r = 1 / (a * a);
  return (1 / 12.0 - r * (1 / 360.0 - r * (1 / 1260.0 - r * (1 / 1680.0 - r * (1 / 1188.0 - r * (691 / 360360.0 - r / 156.0)))))) / a;
}

// a ln(a/m) + m − a, without the cancellation when a and m are close: with r = (m − a)/(m + a), ln(m/a) = 2 artanh r.
double deviance(double a, double m) {
  if (m <= 0) return kInfinity;
  const double r = (m - a) / (m + a);
  if (std::abs(r) > 0.2) return a * std::log(a / m) + (m - a);
  const double square = r * r;
  double power = r * square, sum = 0;
  for (int k = 3; k < 100; k += 2, power *= square) {
    const double term = power / k;
    sum += term;
    if (std::abs(term) <= kEpsilon * std::abs(sum)) break;
  }
  return a * (2 * square / (1 - r) - 2 * sum);
}

// x^a e^−x / Γ(a)
double gamma_front(double a, double x) {
  return std::exp(-deviance(a, x) - stirling_error(a)) * std::sqrt(a) / kSqrt2Pi;
}

// A continued fraction by Lentz's method.
struct Fraction {
  double c, d, value;
  // Takes in the next term, a numerator and the number below it; how much the value changes by, as a factor.
  double step(double numerator, double below) {
    d = numerator * d + below;
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    c = below + numerator / c;
    if (std::abs(c) < kTiny) c = kTiny;
    value *= d * c;
    return d * c;
  }
};

// That of the upper incomplete gamma, for x ≥ a + 1.
double gamma_fraction(double a, double x) {
  double b = x + 1 - a;
  Fraction fraction{1 / kTiny, 1 / b, 1 / b};
  for (int k = 1; k < kMostSteps; ++k) {
    b += 2;
    if (std::abs(fraction.step(-k * (k - a), b) - 1) < kEpsilon) break;
  }
  return fraction.value;
}

double beta_exponent(double a, double b, double x, double y) {
  const double n = a + b;
  return stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance(a, n * x) - deviance(b, n * y);
}

// x^a y^b / B(a, b)
double beta_front(double a, double b, double x, double y) {
  const double n = a + b;
  return std::exp(beta_exponent(a, b, x, y)) * std::sqrt(a) * std::sqrt(b) / (std::sqrt(n) * kSqrt2Pi);
}

// The continued fraction of the incomplete beta.
double beta_fraction(double a, double b, double x) {
  double first = 1 - (a + b) * x / (a + 1);
  first = 1 / (std::abs(first) < kTiny ? kTiny : first);
  Fraction fraction{1, first, first};
  for (int m = 1; m < kMostSteps; ++m) {
    fraction.step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1);
    if (std::abs(fraction.step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1) - 1) < kEpsilon) break;
  }
  return fraction.value;
}
}  // namespace

double gamma_q(double a, double x) {
  if (x <= 0) return 1;
  if (std::isinf(x)) return 0;
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (int k = 1; k < kMostSteps; ++k) {
      term *= x / (a + k);
      sum += term;
      if (term < kEpsilon * sum) break;
    }
    return std::max(0.0, 1 - sum * gamma_front(a, x));
  }
  return gamma_front(a, x) * gamma_fraction(a, x);
}

double beta_i(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  if (x < (a + 1) / (a + b + 2)) return beta_front(a, b, x, y) * beta_fraction(a, b, x) / a;
  return std::max(0.0, 1 - beta_front(b, a, y, x) * beta_fraction(b, a, y) / b);
}

double chi2_sf(double statistic, double df) {
  if (std::isnan(statistic) || std::isnan(df)) return std::nan("");
  if (df <= 0) return 1;
  // Closed forms: most of the tests a tree asks for have one or two degrees of freedom.
  if (df == 1) return statistic <= 0 ? 1 : std::erfc(std::sqrt(statistic / 2));
  if (df == 2) return statistic <= 0 ? 1 : std::exp(-statistic / 2);
  return gamma_q(df / 2, statistic / 2);
}

double chi2_log_sf(double statistic, double df) {
  const double p = chi2_sf(statistic, df);
  if (!(p < kFaint) || std::isinf(statistic)) return std::log(p);
  const double a = df / 2, x = statistic / 2;
  return -deviance(a, x) - stirling_error(a) + std::log(a) / 2 - kLogSqrt2Pi + std::log(gamma_fraction(a, x));
}

double f_sf(double statistic, double df, double rest) {
  if (std::isnan(statistic) || std::isnan(df) || std::isnan(rest)) return std::nan("");
  if (df <= 0 || rest <= 0 || statistic <= 0) return 1;
  if (std::isinf(statistic)) return 0;
  const double total = rest + df * statistic;
  return beta_i(rest / 2, df / 2, rest / total, df * statistic / total);
}

double f_log_sf(double statistic, double df, double rest) {
  const double p = f_sf(statistic, df, rest);
  if (!(p < kFaint) || std::isinf(statistic)) return std::log(p);
  const double a = rest / 2, b = df / 2, total = rest + df * statistic, x = rest / total, y = df * statistic / total;
  return beta_exponent(a, b, x, y) + (std::log(b) - std::log(a) - std::log(a + b)) / 2 - kLogSqrt2Pi +
         std::log(beta_fraction(a, b, x));
}

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::nan("");
  if (p == 0) return -kInfinity;
  if (p == 1) return kInfinity;
  const double root2 = std::sqrt(2.0);
  if (std::abs(p - 0.5) <= 0.25) {
    // Newton on erf, which keeps its digits near the middle.
    const double aim = p - 0.5;
    double z = aim * kSqrt2Pi;
    for (int k = 0; k < 20; ++k) {
      const double step = (std::erf(z / root2) / 2 - aim) * kSqrt2Pi * std::exp(z * z / 2);
      z -= step;
      if (std::abs(step) <= kEpsilon * std::abs(z)) break;
    }
    return z;
  }
  if (p > 0.5) return -normal_quantile(1 - p);
  // Newton on the logarithm of the tail: it is concave there, so every start converges.
  const double aim = std::log(p);
  double z = -std::sqrt(std::max(0.0, -2 * aim - std::log(std::max(1.0, -4 * M_PI * aim))));
  for (int k = 0; k < 50; ++k) {
    const double tail = std::erfc(-z / root2) / 2;
    // (tail − p)/p is exact where the two are close; the logarithm is for the first steps.
    const double off = std::abs(tail - p) < 0.1 * p ? std::log1p((tail - p) / p) : std::log(tail) - aim;
    const double step = off * tail * kSqrt2Pi * std::exp(z * z / 2);
    z -= step;
    if (std::abs(step) <= 2 * kEpsilon * std::abs(z)) break;
  }
  return z;
}

double fisher_p(double a, double b, double c, double d) {
  const double row = a + b, column = a + c, total = row + c + d;
  if (row <= 0 || column <= 0 || c + d <= 0 || b + d <= 0) return 1;
  // The first cell moves by whole steps from the observed one; the ratio of neighbours is rational.
  const auto up = [&](double cell) { return (row - cell) * (column - cell) / ((cell + 1) * (total - row - column + cell + 1)); };
  const auto down = [&](double cell) { return cell * (total - row - column + cell) / ((row - cell + 1) * (column - cell + 1)); };
  const double low = std::max(0.0, row + column - total), high = std::min(row, column);
  double mode = a + std::round(std::clamp(row * column / total, low, high) - a);
  while (mode + 1 <= high && up(mode) > 1) mode += 1;
  while (mode - 1 >= low && down(mode) > 1) mode -= 1;
  if (mode > high) mode -= 1;
  if (mode < low) mode += 1;
  double observed = 1;
  for (double cell = mode; cell + 0.5 < a && observed > 0; cell += 1) observed *= up(cell);
  for (double cell = mode; cell - 0.5 > a && observed > 0; cell -= 1) observed *= down(cell);
  // Tables as likely as ours but for rounding count as ours.
  const double limit = observed * (1 + 1e-7);
  double all = 0, rare = 0;  // terms relative to the mode, those at most `limit` summed apart
  const auto add = [&](double term) {
    all += term;
    if (term <= limit) rare += term;
  };
  add(1);
  double term = 1;
  for (double cell = mode; cell + 1 <= high && term > 0; cell += 1) add(term *= up(cell));
  term = 1;
  for (double cell = mode; cell - 1 >= low && term > 0; cell -= 1) add(term *= down(cell));
  return std::min(1.0, rare / all);
}

}  // namespace clearwood
