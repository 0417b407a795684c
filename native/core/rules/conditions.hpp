// Conditions: what a rule asks of a row, as columns; each answered for a block of rows as bits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/numeric/bits.hpp"
#include "core/counting/column.hpp"

namespace clearwood {

// Of codes a set of them; of numbers low < x ≤ high (low = +∞: only an empty cell).
struct ConditionsView {
  std::size_t size;
  const std::int32_t* attribute;   // [condition]
  const double* low;               // [condition]
  const double* high;              // [condition]
  const bool* or_missing;          // [condition] does an empty cell satisfy it?
  const std::int64_t* set_start;   // [condition + 1]
  const std::int32_t* set_codes;   // [·] each set ascending
  std::size_t set_size;
};

using Cells = std::vector<std::optional<Column>>;  // [attribute]; nothing where no condition asks for it

// Conditions over a table's columns, checked. Throws std::invalid_argument where they do not fit each other.
class Conditions {
 public:
  Conditions(const ConditionsView& view, Cells cells);
  std::size_t size() const { return view_.size; }
  // out [words]: the rows of [first, first + rows) that satisfy the condition; `first` is a multiple of 64.
  void answer(std::size_t condition, std::size_t first, std::size_t rows, Word* out) const;

 private:
  ConditionsView view_;
  Cells cells_;
  std::vector<std::size_t> table_start_;  // [condition] where its table begins; it has one if it names several codes
  std::vector<std::uint8_t> tables_;      // [·] by code + 2: does it satisfy the condition?
};

}  // namespace clearwood
