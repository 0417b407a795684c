#include "core/ensembles/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace clearwood {

// The points are the zeros of Legendre's polynomial, by Newton's steps from where they nearly are.
Quadrature quadrature(int points) {
  Quadrature made;
  made.at.resize(static_cast<std::size_t>(points));
  made.weight.resize(static_cast<std::size_t>(points));
  for (int i = 0; i < (points + 1) / 2; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (points + 0.5));
    double slope = 1;
    for (int again = 0; again < 100; ++again) {
      double before = 1, here = x;
      for (int degree = 2; degree <= points; ++degree) {
        const double next = ((2 * degree - 1) * x * here - (degree - 1) * before) / degree;
        before = here;
        here = next;
      }
      slope = points * (x * here - before) / (x * x - 1);
      const double step = here / slope;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    const double weight = 1 / ((1 - x * x) * slope * slope);
    made.at[i] = 0.5 * (1 - x);
    made.at[points - 1 - i] = 0.5 * (1 + x);
    made.weight[i] = made.weight[points - 1 - i] = weight;
  }
  return made;
}

}  // namespace clearwood
