// Terms: a table's columns as the few numbers a linear model adds up for each row, block by block, never one-hot.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// One column's part in the sum. A number enters term `term` as (x − centre) / scale, an empty cell as `fill`, and if
// `missing` ≥ 0 an empty cell also adds term `missing`. A code adds term place[code + 2] (−2 unseen, −1 missing).
// Terms below zero add nothing. Term 0 is the intercept: 1 in every row, and no column's.
struct TermColumn {
  Column cells;
  std::int32_t term = -1;
  std::int32_t missing = -1;
  double centre = 0, scale = 1, fill = 0;
  std::vector<std::int32_t> place;
};

struct Terms {
  std::vector<TermColumn> columns;
  std::size_t rows = 0;
  std::int32_t count = 1;  // with the intercept
};

// A block of rows: numbers and indicators side by side, each [column][row].
class TermBlock {
 public:
  static constexpr std::size_t most = 128;  // 20 columns of them stay in the first cache

  explicit TermBlock(const Terms& terms);  // Throws std::invalid_argument where a term or a place lies outside.
  void load(std::size_t begin, std::size_t end);

  std::size_t size() const { return size_; }
  // scores [row] = Σ weights[term] · value
  void scores(const double* weights, double* scores_of_rows) const;
  // sums[term] += Σ_row factor[row] · value
  void add_sums(const double* factor, double* sums) const;
  // gram[high · count + low] += Σ_row factor[row] · value_high · value_low
  void add_gram(const double* factor, double* gram) const;

 private:
  const Terms* terms_;
  std::size_t size_ = 0;
  std::vector<std::int32_t> number_terms_;    // [number] its term; the first is the intercept's
  std::vector<std::int32_t> indicator_from_;  // [indicator] its column
  std::vector<double> numbers_;               // [number][row], zeros past the last row
  std::vector<std::int32_t> indicators_;      // [indicator][row] the term it adds, or −1
};

// Spread: where a column's numbers lie, and how far from their mean: what terms are standardised by.

// Weight, mean, sum of squares about the mean, least and largest of the numbers; how many cells are empty.
struct Spread {
  double weight = 0, mean = 0, squares = 0, least = 0, largest = 0, empty = 0;
};

// One for each column of numbers; the same on any number of threads. Without a number, least is above largest.
std::vector<Spread> spreads(const std::vector<Column>& columns, std::size_t rows, const double* weights, int threads,
                            const StopFlag& stop);

}  // namespace clearwood
