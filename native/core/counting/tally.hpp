// Tally: how often each value of each column occurs with each class, exactly, in any order of rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"
#include "core/counting/weight_units.hpp"

namespace clearwood {

// The rows that are counted: class codes in [0, classes), and their weights in whole units.
struct RowsByClass {
  const std::int32_t* classes_of = nullptr;  // [row]
  std::size_t rows = 0;
  std::int32_t classes = 0;
  const WeightUnits* weights = nullptr;

  bool weighted() const { return weights && !weights->units.empty(); }
};

// Throws where a class code is out of range.
void check_classes(const RowsByClass& rows);

// Where a column's cells begin; a column has classes × (values + 2) of them, for unseen (−2), missing (−1) and each value.
std::vector<std::size_t> tally_starts(const std::vector<Column>& columns, std::int32_t classes);

// [column][class][value + 2] the units of weight (rows, where there are no weights) of each cell.
std::vector<Whole> tally(const std::vector<Column>& columns, const RowsByClass& rows, int threads, const StopFlag& stop);

}  // namespace clearwood
