// RuleRows: the training rows as rules see them; each class a set of rows, every set with its weight.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/numeric/bits.hpp"

namespace clearwood {

class RuleRows {
 public:
  // class_of [row] lies in [0, classes); weight_of [row], null: all 1. The arrays must outlive it.
  RuleRows(std::size_t rows, std::size_t classes, const std::int32_t* class_of, const double* weight_of)
      : rows(rows), words(words_for(rows)), weight_of(weight_of), all(all_rows(rows)), of_class(classes, no_rows(rows)) {
    for (std::size_t row = 0; row < rows; ++row) put(of_class[static_cast<std::size_t>(class_of[row])], row);
  }

  // The weight of the rows of one word, the i-th.
  double weight(Word word, std::size_t i) const {
    if (!weight_of) return static_cast<double>(std::popcount(word));
    double sum = 0;
    for_each_row(word, i * 64, [&](std::size_t row) { sum += weight_of[row]; });
    return sum;
  }

  const std::size_t rows, words;
  const double* const weight_of;
  const Bits all;
  std::vector<Bits> of_class;
};

// Is one number below another by more than rounding?
inline bool below(double one, double two) {
  return one < two - 1e-10 * std::max(std::abs(two), std::numeric_limits<double>::min());
}

}  // namespace clearwood
