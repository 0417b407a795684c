// Marks of rows: of each column a sum over its cells, each mixed with its row's answer, which no order of rows
// changes; and of each row 64 bits mixed of its cells, by which equal rows are known.
#pragma once
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

std::vector<std::uint64_t> row_marks(const std::vector<Column>& columns, const Column& target, std::size_t rows,
                                     int threads);

std::vector<std::uint64_t> row_hashes(const std::vector<Column>& columns, std::size_t rows, int threads);

}  // namespace clearwood
