// Spread: where a column's numbers lie, and how far from their mean.
#pragma once
#include <cstddef>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// Weight, mean, sum of squares about the mean, least and largest of the numbers; how many cells are empty.
struct Spread {
  double weight = 0, mean = 0, squares = 0, least = 0, largest = 0, empty = 0;
};

// One for each column of numbers; the same on any number of threads. Without a number, least is above largest.
std::vector<Spread> spreads(const std::vector<Column>& columns, std::size_t rows, const double* weights, int threads,
                            const StopFlag& stop);

}  // namespace clearwood
