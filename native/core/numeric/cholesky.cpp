#include "core/numeric/cholesky.hpp"

#include <cmath>

#include "core/numeric/wide.hpp"

namespace clearwood {
namespace {
// Four sums at once: the compiler may not reorder one, and one alone waits for itself.
double product(const double* a, const double* b, std::size_t size) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= size; k += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  for (; k < size; ++k) sums[0] += a[k] * b[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

constexpr std::size_t panel = 48;          // columns factored together, so that what they subtract stays in the cache
constexpr std::size_t high = 4, wide = 8;  // a tile of the rest, whose sums stay in registers

// l[i][j] −= Σ_k l[i][k] · l[j][k] for the panel's columns k: a tile's rows from `i`, columns from `j` to `end` by whole
// tiles; `turned` [k][j] are the same numbers column by column.
CLEARWOOD_WIDE void take_off(double* l, std::size_t size, std::size_t i, std::size_t j, std::size_t end, std::size_t first,
                             std::size_t many, const double* turned) {
  for (; j < end; j += wide) {
    double sums[high][wide] = {};
    for (std::size_t k = 0; k < many; ++k) {
      const double* const across = turned + k * size + j;
      for (std::size_t r = 0; r < high; ++r) {
        const double down = l[(i + r) * size + first + k];
        for (std::size_t c = 0; c < wide; ++c) sums[r][c] += down * across[c];
      }
    }
    for (std::size_t r = 0; r < high; ++r)
      for (std::size_t c = 0; c < wide; ++c) l[(i + r) * size + j + c] -= sums[r][c];
  }
}

// The same for a tile at the edge, cell by cell.
void take_off_edge(double* l, std::size_t size, std::size_t i, std::size_t j, std::size_t end, std::size_t first,
                   std::size_t many, const double* turned) {
  for (std::size_t c = j; c < end; ++c) {
    double sum = 0;
    for (std::size_t k = 0; k < many; ++k) sum += l[i * size + first + k] * turned[k * size + c];
    l[i * size + c] -= sum;
  }
}
}  // namespace

std::vector<double> cholesky(const double* matrix, std::size_t size, double least, const StopFlag& stop) {
  std::vector<double> l(matrix, matrix + size * size), turned(panel * size);
  for (std::size_t first = 0; first < size; first += panel) {
    check(stop);
    const std::size_t many = std::min(panel, size - first), next = first + many;
    for (std::size_t i = first; i < size; ++i) {
      double* const row = &l[i * size + first];
      for (std::size_t j = 0; j < std::min(many, i - first); ++j) {
        const double* const above = &l[(first + j) * size + first];
        row[j] = (row[j] - product(row, above, j)) / above[j];
        turned[j * size + i] = row[j];
      }
      if (i >= next) continue;
      const double rest = l[i * size + i] - product(row, row, i - first);
      if (!(rest > least * matrix[i * size + i]) || !(rest > 0)) return {};
      l[i * size + i] = std::sqrt(rest);
    }
    for (std::size_t i = next; i < size; i += high) {
      const std::size_t rows = std::min(high, size - i), below = i + rows;
      const std::size_t j = rows == high ? next + (i + 1 - next) / wide * wide : next;
      if (rows == high) take_off(l.data(), size, i, next, j, first, many, turned.data());
      for (std::size_t r = i; r < below; ++r) take_off_edge(l.data(), size, r, j, r + 1, first, many, turned.data());
    }
  }
  for (std::size_t i = 0; i < size; ++i) std::fill(&l[i * size] + i + 1, &l[i * size] + size, 0.0);
  return l;
}

std::vector<double> solve(const std::vector<double>& l, const double* right, std::size_t size) {
  std::vector<double> x(right, right + size);
  for (std::size_t i = 0; i < size; ++i) x[i] = (x[i] - product(&l[i * size], x.data(), i)) / l[i * size + i];
  for (std::size_t i = size; i-- > 0;) {
    x[i] /= l[i * size + i];
    for (std::size_t j = 0; j < i; ++j) x[j] -= l[i * size + j] * x[i];
  }
  return x;
}

std::vector<double> inverse(const std::vector<double>& l, std::size_t size, const StopFlag& stop) {
  // Row j of m is column j of the triangle's inverse: products then run along rows.
  std::vector<double> m(size * size, 0.0), inverse(size * size);
  for (std::size_t j = 0; j < size; ++j) {
    check(stop);
    m[j * size + j] = 1 / l[j * size + j];
    for (std::size_t i = j + 1; i < size; ++i)
      m[j * size + i] = -product(&l[i * size + j], &m[j * size + j], i - j) / l[i * size + i];
  }
  for (std::size_t i = 0; i < size; ++i) {
    check(stop);
    for (std::size_t j = 0; j <= i; ++j)
      inverse[i * size + j] = inverse[j * size + i] = product(&m[i * size + i], &m[j * size + i], size - i);
  }
  return inverse;
}

Dependence dependence(const double* gram, std::size_t size, double least, const StopFlag& stop) {
  Dependence dependence{std::vector<bool>(size, false), std::vector<double>(size * size, 0.0)};
  std::vector<double> l(size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    check(stop);
    double* const row = &l[i * size];
    for (std::size_t j = 0; j < i; ++j)
      row[j] = dependence.follows[j] ? 0.0 : (gram[i * size + j] - product(row, &l[j * size], j)) / l[j * size + j];
    const double own = gram[i * size + i], rest = own - product(row, row, i);
    if (rest > least * own) {
      row[i] = std::sqrt(rest);
      continue;
    }
    dependence.follows[i] = true;
    double* const how = &dependence.how[i * size];  // the triangle's transpose times how = row
    for (std::size_t j = i; j-- > 0;) {
      if (dependence.follows[j]) continue;
      double sum = row[j];
      for (std::size_t k = j + 1; k < i; ++k) sum -= l[k * size + j] * how[k];
      how[j] = sum / l[j * size + j];
    }
    std::fill(row, row + i, 0.0);
  }
  return dependence;
}

int lasso(const double* matrix, const double* right, const double* penalty, std::size_t size, double tolerance,
          int most_rounds, double* x, const StopFlag& stop) {
  std::vector<double> rest(right, right + size);  // b − A x
  for (std::size_t i = 0; i < size; ++i)
    if (x[i] != 0)
      for (std::size_t j = 0; j < size; ++j) rest[j] -= matrix[i * size + j] * x[i];
  int round = 0;
  for (double moved = INFINITY; round < most_rounds && moved > tolerance; ++round) {
    check(stop);
    moved = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double curve = matrix[i * size + i];
      if (!(curve > 0)) continue;
      const double pull = rest[i] + curve * x[i];
      const double aim = std::copysign(std::max(0.0, std::abs(pull) - penalty[i]), pull) / curve;
      const double step = aim - x[i];
      if (step == 0) continue;
      x[i] = aim;
      for (std::size_t j = 0; j < size; ++j) rest[j] -= matrix[i * size + j] * step;
      moved = std::max(moved, std::abs(step));
    }
  }
  return round;
}

}  // namespace clearwood
