// Special functions at values known in closed form.
#include "core/numeric/special.hpp"

#include <algorithm>
#include <cmath>

#include "tests/testing.hpp"

using namespace clearwood;

namespace {

bool near(double a, double b, double relative = 1e-12) {
  return a == b || std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

TEST("chi-square with two degrees of freedom is exp(−x/2)") {
  for (double x : {0.0, 0.5, 3.0, 40.0, 600.0}) CHECK(near(chi2_sf(x, 2), std::exp(-x / 2)));
}

TEST("F with (2, 2) degrees of freedom is 1/(1 + x)") {
  for (double x : {0.1, 1.0, 9.0, 1e6}) CHECK(near(f_sf(x, 2, 2), 1 / (1 + x), 1e-11));
}

TEST("the median of the normal is 0 and its quantiles are symmetric") {
  CHECK(std::abs(normal_quantile(0.5)) < 1e-15);
  CHECK(near(normal_quantile(0.975), -normal_quantile(0.025), 1e-12));
  CHECK(near(normal_quantile(0.75), 0.6744897501960817, 1e-12));
}

TEST("Fisher's tea: three of four right has p = 34/70") {
  CHECK(near(fisher_p(3, 1, 1, 3), 34.0 / 70.0));
}

}  // namespace
