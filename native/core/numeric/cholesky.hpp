// Cholesky: a symmetric positive matrix as the product of a triangle with itself, and what follows from it.
#pragma once
#include <cstddef>
#include <vector>

#include "core/numeric/parallel.hpp"

namespace clearwood {

// The lower triangle [size][size] (zeros above); empty where a pivot is not above `least` times its diagonal.
std::vector<double> cholesky(const double* matrix, std::size_t size, double least, const StopFlag& stop);

// x with matrix · x = right, given the triangle.
std::vector<double> solve(const std::vector<double>& triangle, const double* right, std::size_t size);

// The whole inverse [size][size].
std::vector<double> inverse(const std::vector<double>& triangle, std::size_t size, const StopFlag& stop);

// [column] does it follow from the columns before it, but for `least` of its own square?
// Row j of `how` [size][size] then holds how: its column is about Σ how[j][i] · column i.
struct Dependence {
  std::vector<bool> follows;
  std::vector<double> how;
};
Dependence dependence(const double* gram, std::size_t size, double least, const StopFlag& stop);

// The minimum of ½ x'Ax − b'x + Σ penalty[i] · |x[i]| by coordinates in turn, from `x`; how many rounds it took.
int lasso(const double* matrix, const double* right, const double* penalty, std::size_t size, double tolerance,
          int most_rounds, double* x, const StopFlag& stop);

}  // namespace clearwood
