// ILA: for each class, the combinations of values that describe most of its rows and few or none of the others'.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/numeric/parallel.hpp"

namespace clearwood {

using Units = std::int64_t;  // weight in whole units

struct IlaTask {
  std::size_t rows = 0, columns = 0;
  std::vector<std::int32_t> cells;                  // [row][column], below zero missing
  std::vector<std::int32_t> values;                 // [column] how many codes
  const std::int32_t* class_of = nullptr;           // [row], not below zero
  const Units* units_of = nullptr;                  // [row]; null: 1 each
  std::vector<std::int32_t> order;                  // classes, as they are to be described
  std::vector<std::vector<std::int32_t>> relevant;  // [place in order] columns for combinations of two and more, ascending
  // A row covered wrongly costs penalty_over ÷ penalty_under of one covered rightly; under 0: it must not be covered.
  Units penalty_over = 0, penalty_under = 0;
  bool fast = false, cautious = false;
  std::size_t most_conditions = 0;    // 0: as many as there are columns
  std::size_t most_combinations = 0;  // of columns in one size; more are refused
  std::size_t most_work = 0;          // combinations times rows in one size above 1; more is refused; 0: no limit
  // Candidates kept at a time by each thread, 24 bytes each and twice over; when they run out all are counted again.
  std::size_t most_candidates = std::size_t{1} << 20;

  std::int32_t cell(std::size_t row, std::size_t column) const { return cells[row * columns + column]; }
  Units units(std::size_t row) const { return units_of ? units_of[row] : 1; }
};

struct IlaRules {
  std::vector<std::int32_t> cls;           // [rule]
  std::vector<Units> covers, wrong;        // [rule] unmarked rows when it was learned; rows of other classes
  std::vector<std::int64_t> start{0};      // [rule + 1] into the conditions
  std::vector<std::int32_t> column, code;  // [condition]
  std::vector<std::int64_t> left;          // rows that no rule describes, ascending
};

// Thrown before a size is begun that has too many combinations of columns, or so many rows that it would take too long.
struct TooManyCombinations : std::runtime_error {
  std::int32_t cls;
  std::size_t size, left;
  TooManyCombinations(std::int32_t c, std::size_t s, std::size_t l)
      : std::runtime_error("too many combinations"), cls(c), size(s), left(l) {}
};

// `marked` [row]: rows that earlier rules describe already.
IlaRules learn_ila(const IlaTask& task, const std::vector<char>& marked, int threads, const StopFlag& stop);

}  // namespace clearwood
