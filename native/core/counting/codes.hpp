// Codes: a table's columns as whole numbers of 1, 2 or 4 bytes: a value's place, or a number's rank among cuts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// How a column is coded. A number's code is how many cuts lie below it, so that x ≤ cuts[k] just where its code ≤ k. The
// code `known` is that of a missing cell, and of a value that the schema does not list.
struct Coding {
  std::vector<double> cuts;  // ascending; none for a column of values
  std::uint32_t known = 1;   // cuts + 1, or how many values there are

  std::size_t bytes() const { return known < 256 ? 1 : known < 65536 ? 2 : 4; }
};

// The cuts of a numeric column: the midpoints of all neighbouring numbers if these are at most `most`, else at most `most` of
// them between which the rows weigh about the same. A number that outweighs its part has a bin of its own, and the others
// share what is left. `most` 0: all midpoints. Rows without weight are absent.
std::vector<double> cuts_of(const Column& column, std::size_t rows, const double* weights, std::size_t most);

// The different numbers of the rows with weight, ascending: with all but the last as cuts a number's code is its place.
std::vector<double> ladder_of(const Column& column, std::size_t rows, const double* weights);

// Writes the codes of rows [begin, end) of a column to out[begin …], of as many bytes as the coding says.
void write_codes(const Column& column, const Coding& coding, std::size_t begin, std::size_t end, void* out);

// The same of all columns, in stretches of rows, so that a table that lies row by row is read once.
void write_all_codes(const std::vector<Column>& columns, const std::vector<Coding>& codings, std::size_t rows,
                     const std::vector<void*>& out, int threads, const StopFlag& stop);

// CodedColumn: a column's codes, as codes.hpp makes them, and what they stand for: the one format that learners count. A view: the caller owns the codes. `known` is the code of a missing cell, the last there is.
struct CodedColumn {
  enum class Kind : std::uint8_t { values, levels, numbers };  // levels are values in order

  const void* data = nullptr;
  std::size_t bytes = 1;
  std::uint32_t known = 0;
  Kind kind = Kind::values;
  bool any_missing = false;
  std::vector<double> steps{};  // [code] of numbers: the number of a ladder, else the code itself, as of levels
  std::vector<double> cuts{};   // of numbers with given thresholds: code k ends at cuts[k]

  std::size_t bins() const { return static_cast<std::size_t>(known) + 1; }
  std::uint32_t at(std::size_t row) const {
    return bytes == 1   ? static_cast<const std::uint8_t*>(data)[row]
           : bytes == 2 ? static_cast<const std::uint16_t*>(data)[row]
                        : static_cast<const std::uint32_t*>(data)[row];
  }
  // Calls with the codes as an array of their width.
  template <class Call>
  decltype(auto) visit(Call&& call) const {
    if (bytes == 1) return call(static_cast<const std::uint8_t*>(data));
    if (bytes == 2) return call(static_cast<const std::uint16_t*>(data));
    return call(static_cast<const std::uint32_t*>(data));
  }
};

}  // namespace clearwood
