// Problem: the table as the growers see it: columns, target, weights. Views only; the caller owns the memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/codes.hpp"
#include "core/counting/column.hpp"

namespace clearwood {

struct Problem {
  std::size_t rows = 0;
  std::vector<Column> columns;             // in schema order, or
  std::vector<CodedColumn> coded;          // … the same in their coding, for those who count codes
  std::int32_t classes = 0;                // 0: the target is a number
  const std::int32_t* class_of = nullptr;  // [row]
  const double* number_of = nullptr;       // [row]
  const double* weight_of = nullptr;       // [row]; null: all 1
  bool by_median = false;                  // numbers are summed up by their median, not their mean
  std::vector<double> factors;             // [class] what priors and costs make of a row's weight; empty: 1
  double units = 0;                        // of weight in a row, a power of two: weights and parts are whole units; 0: as given
  std::vector<int> signs;                  // [column] 1, −1: its direction, 0: free; empty: all are (trees/limits.hpp)
  double margin = 0;                       // by which limits are kept

  // Numbers kept per node: a weight per class, or weight, value and error.
  std::size_t width() const { return classes > 0 ? static_cast<std::size_t>(classes) : 3; }
};

}  // namespace clearwood
