// SHAP values of trees: how far each column moves a row's answer away from the mean answer (Lundberg 2020, by paths).
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/trees/walk.hpp"

namespace clearwood {

// Gauss and Legendre's points: sums over so many of them are the exact integrals, from 0 to 1, of polynomials of degree up
// to 2·points − 1.
struct Quadrature {
  std::vector<double> at;      // [point] ascending, within (0, 1)
  std::vector<double> weight;  // [point] they add up to 1
};
Quadrature quadrature(int points);

// Adds the contributions of one tree to `sums` [row, attributes, scores], at the score where the tree's first number
// belongs, and gives its mean answer [width] in `mean`.
//
// `answers` [node, width] are the leaves' numbers, each times `scale`; `cover` [node] is the weight of the training rows.
// With a set of columns known, a row goes on at a split of a known column as prediction sends it (by its surrogates and
// in parts as well), and at the others down every branch by the branch's part of the cover.
void add_shap(const Walk& walk, const double* cover, const double* answers, int32_t width, double scale, int64_t rows,
              int32_t attributes, int32_t scores, int32_t first_score, double* sums, double* mean, const StopFlag& stop);

}  // namespace clearwood
