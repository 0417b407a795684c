// Marks of rows in any order: of each column a sum over its cells, each mixed with its row's answer.
#pragma once
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"

namespace clearwood {

std::vector<std::uint64_t> row_marks(const std::vector<Column>& columns, const Column& target, std::size_t rows);

}  // namespace clearwood
