// A forest's columns: every cell as its rank among the column's distinct numbers, or its value's code, in 1, 2 or 4 bytes.
#pragma once
#include <cstdint>
#include <vector>

#include "core/counting/problem.hpp"
#include "core/numeric/large_pages.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// How an ordered attribute became numbers: the steps of an ordinal one, or of given thresholds.
struct OrderedAs {
  std::int32_t levels = 0;   // ordinal: how many values; a cut is two sets of them
  std::vector<double> cuts;  // given thresholds: step s ends at cuts[s]
};

struct ForestColumn {
  bool nominal = false;
  bool any_missing = false;
  std::uint32_t size = 0;      // codes below it are values; it is the code of a missing cell
  std::vector<double> values;  // [code] of numbers, ascending
  LargeArray<std::uint8_t> narrow;
  LargeArray<std::uint16_t> middle;
  LargeArray<std::uint32_t> wide;

  // Calls with the codes as an array of their width.
  template <class Call>
  void visit(Call&& call) const {
    if (!narrow.empty()) {
      call(narrow.data());
    } else if (!middle.empty()) {
      call(middle.data());
    } else {
      call(wide.data());
    }
  }
};

// The codes of all columns once more, row by row: a row is then in a line or two of the cache.
struct ForestRows {
  std::size_t columns = 0;
  LargeArray<std::uint16_t> middle;  // where every column fits
  LargeArray<std::uint32_t> wide;

  std::uint32_t at(std::size_t row, std::size_t column) const {
    const std::size_t place = row * columns + column;
    return middle.empty() ? wide[place] : middle[place];
  }
  template <class Call>
  void visit(Call&& call) const {
    if (!middle.empty()) {
      call(middle.data());
    } else {
      call(wide.data());
    }
  }
};

std::vector<ForestColumn> forest_columns(const Problem& problem, int threads, const StopFlag& stop);
ForestRows forest_rows(const std::vector<ForestColumn>& columns, std::size_t rows, int threads, const StopFlag& stop);

}  // namespace clearwood
