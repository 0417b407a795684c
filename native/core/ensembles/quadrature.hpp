// Gauss and Legendre's points: sums over few of them are the exact integrals of polynomials from 0 to 1.
#pragma once
#include <vector>

namespace clearwood {

struct Quadrature {
  std::vector<double> at;      // [point] ascending, within (0, 1)
  std::vector<double> weight;  // [point] they add up to 1
};

// So many points: exact for polynomials of degree 2·points − 1.
Quadrature quadrature(int points);

}  // namespace clearwood
