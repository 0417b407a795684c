// Scores of rows straight from the cells: for prediction, where nothing is standardised and few cells are empty.
#pragma once
#include <cstddef>
#include <vector>

#include "core/linear/terms.hpp"

namespace clearwood {

// The same sums as TermBlock's, in the same order, without a copy of the numbers: a cell that is empty shows as a score
// that is not a number, and its block of rows is then added up by TermBlock.
class RowScores {
 public:
  static constexpr std::size_t most = TermBlock::most;

  // weights [vector][term]
  RowScores(const Terms& terms, const double* weights, std::size_t vectors);

  // scores [vector][most]: the scores of the rows [begin, end), at most `most` of them; what lies beyond them is not set.
  void add_up(std::size_t begin, std::size_t end, double* scores);

 private:
  template <class T>
  bool add_numbers(std::size_t begin, std::size_t size, const double* weights, double* scores) const;

  struct Number {
    const std::byte* cells;
    std::ptrdiff_t stride;
    std::int32_t term;
  };

  const Terms& terms_;
  const double* weights_;
  const std::size_t vectors_;
  bool direct_ = true;      // the numbers are terms as they are
  bool narrow_ = false;     // … and floats of 32 bits
  std::vector<Number> numbers_;
  std::vector<const TermColumn*> codes_;
  TermBlock block_;
};

}  // namespace clearwood
