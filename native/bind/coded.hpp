// Coded columns from Python, checked: a code beyond the last would write outside a histogram.
#pragma once
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bind/arrays.hpp"
#include "core/counting/histograms.hpp"

namespace clearwood {

inline CodedColumn code_column(nb::handle given, std::uint32_t known, std::size_t rows) {
  const auto array = nb::cast<nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(given);
  if (array.shape(0) != rows) throw std::invalid_argument("columns differ in length");
  if (array.dtype() != nb::dtype<std::uint8_t>() && array.dtype() != nb::dtype<std::uint16_t>() &&
      array.dtype() != nb::dtype<std::uint32_t>())
    throw std::invalid_argument("codes are uint8, uint16 or uint32");
  return {array.data(), static_cast<std::size_t>(array.itemsize()), known};
}

template <class Code>
bool all_at_most(const Code* codes, std::size_t rows, std::uint32_t known) {
  Code most = 0;
  for (std::size_t row = 0; row < rows; ++row) most = std::max(most, codes[row]);
  return most <= known;
}

inline bool codes_fit(const CodedColumn& column, std::size_t rows) {
  switch (column.bytes) {
    case 1:
      return column.known >= 255 || all_at_most(static_cast<const std::uint8_t*>(column.data), rows, column.known);
    case 2:
      return all_at_most(static_cast<const std::uint16_t*>(column.data), rows, column.known);
    default:
      return all_at_most(static_cast<const std::uint32_t*>(column.data), rows, column.known);
  }
}

inline CodedRows coded_rows(const nb::list& columns, const std::vector<std::uint32_t>& known, std::size_t rows) {
  if (columns.size() != known.size()) throw std::invalid_argument("a number of codes is needed for every column");
  if (rows >= (std::size_t{1} << 32)) throw std::invalid_argument("rows are numbered by 32 bits");
  CodedRows coded;
  coded.rows = rows;
  for (std::size_t c = 0; c < known.size(); ++c) coded.columns.push_back(code_column(columns[c], known[c], rows));
  return coded;
}

inline void check_codes_of(const CodedRows& coded, int threads) {
  std::vector<std::uint8_t> fits(coded.columns.size());
  run_parallel(coded.columns.size(), coded.rows * coded.columns.size() < small_work ? 1 : threads,
               [&](std::size_t c, int) { fits[c] = codes_fit(coded.columns[c], coded.rows); });
  if (std::find(fits.begin(), fits.end(), 0) != fits.end()) throw std::invalid_argument("a column has a code beyond its last");
}

}  // namespace clearwood
