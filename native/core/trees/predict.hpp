// Rows down a tree: to leaves, to averages of what the leaves say, to counts per node.
#pragma once
#include <cstdint>

#include "core/numeric/parallel.hpp"
#include "core/trees/walk.hpp"

namespace clearwood {

// leaves [row]: the leaf each row reaches; of several, the one of largest weight (first of equals).
void leaves_of(const Walk& walk, int64_t rows, int32_t* leaves, const StopFlag& stop);

// answers [row, width]: the average of values [node, width] over the leaves a row reaches.
void average_of(const Walk& walk, int64_t rows, const double* values, int32_t width, double* answers,
                const StopFlag& stop);

// codes [row]: node_codes [node] at the leaf; for a row in several leaves the class j of least
// Σ_i share_i · costs[i, j], first of equals, with `shares` [node, classes] averaged; of the largest share if costs is
// null.
void codes_of(const Walk& walk, int64_t rows, const int32_t* node_codes, const double* shares, const double* costs,
              int32_t classes, int32_t* codes, const StopFlag& stop);

// counts [node, classes]: row weight by class of the rows that pass through each node. weights may be null.
// A row of a code outside [0, classes) is not counted.
void count_classes(const Walk& walk, int64_t rows, const int32_t* target, const double* weights, int32_t classes,
                   double* counts, const StopFlag& stop);

// sums [node, 3]: Σw, Σwy, Σwy² of the rows that pass through each node. A row whose y is NaN is not counted.
void count_numbers(const Walk& walk, int64_t rows, const double* target, const double* weights, double* sums,
                   const StopFlag& stop);

}  // namespace clearwood
