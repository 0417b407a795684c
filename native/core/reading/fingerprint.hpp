// What rows are known by, in whatever order they come: cells mixed to 64 bits.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// The same rows give the same sixteen hexadecimal digits, on any machine.
std::string fingerprint(const std::vector<Column>& columns, std::size_t rows, int threads, const StopFlag& stop);

// Of each column a sum over its cells, each mixed with its row's answer.
std::vector<std::uint64_t> row_marks(const std::vector<Column>& columns, const Column& target, std::size_t rows,
                                     int threads);

// Of each row 64 bits mixed of its cells, by which equal rows are known.
std::vector<std::uint64_t> row_hashes(const std::vector<Column>& columns, std::size_t rows, int threads);

}  // namespace clearwood
