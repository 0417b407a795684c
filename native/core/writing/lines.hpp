// Rows as lines of separated text, with columns of answers after them: as they stand in a text, or cell by cell.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/numeric/parallel.hpp"

namespace clearwood {

// Numbers, or codes of values; what is missing (NaN, or below zero) is an empty cell.
struct LineColumn {
  const double* numbers = nullptr;
  const std::int32_t* codes = nullptr;
  std::vector<std::string> values;  // code → its cell, in quotes where it must be
};

// The text of rows: spans [row, 2] are where each begins and ends, without its line end.
struct LineText {
  std::string_view text;
  const std::int64_t* spans = nullptr;
  char delimiter = ',';
};

struct LineAnswers {
  std::vector<LineColumn> columns;      // [position among the rows that are written]
  std::size_t rows = 0;                 // that are written
  const std::int64_t* picked = nullptr;  // [position] which row it is; null: all in their order
  char separator = ',';
};

struct Lines {
  std::unique_ptr<std::uint8_t[]> bytes;
  std::size_t size = 0;
};

// Appends a number as a line has it: whole ones without a point, others in the fewest digits that read back as the same
// number, as Python prints them; nothing for a missing one (NaN).
void append_number(std::string& line, double value);

// The text as a cell of a line: in quotes if the separator, a quote or a line end is in it.
std::string quoted_cell(std::string_view text, char separator);

// A row stays as it is written, unless its delimiter is another: then its cells are written anew.
Lines lines_of_text(const LineText& text, const LineAnswers& answers, int threads, const StopFlag& stop);

Lines lines_of_columns(const std::vector<LineColumn>& columns, const LineAnswers& answers, int threads,
                       const StopFlag& stop);

}  // namespace clearwood
