// Separated text to columns: numbers where every known cell is one, dictionary-coded strings elsewhere.
//
// The file is cut into chunks of whole rows. Each is split into cells and coded column by column while it is in the
// cache; dictionaries belong to a thread and are merged at the end by place of first appearance, so the result does
// not depend on the number of threads.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/reading/dictionary.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

struct CsvForm {
  char delimiter = ',';
  char decimal = '.';
  std::vector<std::string> missing;  // cells that stand for no value, compared without outer blanks
};

struct CsvColumn {
  std::unique_ptr<double[]> numbers;     // [row], NaN = missing; null for a column of strings
  std::unique_ptr<std::int32_t[]> codes;  // [row], -1 = missing; null for a column of numbers
  std::vector<std::string_view> values;  // code → text
  bool whole = true;                     // every known number is whole
  bool plain = true;                     // … and is written as a program would print it
  bool padded = false;                   // some number is written with a leading zero
  std::int64_t infinite_at = -1;         // byte offset of the first row with an infinite number
  std::int64_t distinct = -1;            // how many whole numbers, counted where they lie close together
};

struct CsvFault {
  enum Kind { none, ragged, unclosed, too_long } kind = none;
  std::size_t offset = 0;  // where the row (ragged) or the cell (unclosed) begins
  std::size_t cells = 0;   // how many cells a ragged row has
};

struct CsvColumns {
  std::size_t rows = 0;
  std::vector<CsvColumn> columns;
  std::unique_ptr<std::int64_t[]> spans;  // [row, 2] where it begins and ends, without its line end; null if not requested
  CsvFault fault;
  std::vector<std::vector<Dictionary>> owners;  // of the texts that are not in the file as they are
};

// Cells of the rows from `begin`, at most `limit` rows; `ends` receives the offset after each row. The last row is
// left out if the text ends inside quotes.
std::vector<std::vector<std::string>> csv_rows(std::string_view text, const CsvForm& form, std::size_t begin,
                                               std::size_t limit, std::vector<std::size_t>& ends);

// All rows from `begin`, each of `width` cells. With `only` ≥ 0, that column alone, as strings (the other columns come
// back empty). The values point into `text` or into the result. The places of the rows come along if requested.
CsvColumns csv_columns(std::string_view text, const CsvForm& form, std::size_t begin, std::size_t width, int only,
                       bool with_spans, int threads, const StopFlag& stop);

// A number as written: text to the nearest double, and what the way of writing it gives away.
struct NumberText {
  double value = 0;
  bool valid = false;   // the text is a number
  bool plain = false;   // written as a program would print a whole number: '12', '-3', never '+1', '01', '1.0'
  bool padded = false;  // written with a leading zero: '01'
};

// Reads digits with an optional sign, decimal mark and exponent, or inf/infinity; correctly rounded, like Python's
// float(). Refuses everything else: hexadecimal, thousands separators, nan, blanks.
NumberText read_number(std::string_view text, char decimal);

}  // namespace clearwood
