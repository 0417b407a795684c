// A forest's rows: which a tree draws and what each weighs in it, as forest_task.py has it, and their codes row by row.
#pragma once
#include <cstdint>
#include <vector>

#include "core/counting/codes.hpp"
#include "core/numeric/chance.hpp"
#include "core/numeric/large_pages.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// What random numbers are for, after the branches (0 or 1) from the root.
constexpr std::uint64_t chance_of_rows = 2, chance_of_columns = 3, chance_of_cuts = 4;

// The key one place further than `key`: key_after(key_of({a}), b) is key_of({a, b}).
constexpr std::uint64_t key_after(std::uint64_t key, std::uint64_t place) {
  return mixed((key ^ mixed(place + golden)) + golden);
}

constexpr double most_draws = 67'108'864;  // 2^26: up to this weight, squares of counts are exact

class RowDraws {
 public:
  // `order` [place] are the rows by what is in them and not by where they are, so that a table gives the same forest however
  // its rows are sorted, and a row of weight two the same as two rows.
  RowDraws(const std::vector<std::uint32_t>& order, const double* weights, double part);
  // Does every tree's row weigh a whole number that fits two bytes, their squares exact? Where not, weights are doubles.
  bool whole() const { return whole_; }
  // [row] how often a tree drew it: with replacement.
  void count(std::uint64_t seed, std::uint64_t tree, std::vector<std::uint32_t>& times) const;
  double weight(std::size_t row) const { return part_ > 0 && weights_ ? weights_[row] : 1.0; }

 private:
  const std::vector<std::uint32_t>& order_;
  std::size_t rows_;
  const double* weights_;
  double part_;
  bool counts_ = false;  // weights are whole numbers, and each unit is drawn as a row
  bool whole_ = false;
  std::vector<double> ends_;  // [place] sums of the weights
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

ForestRows forest_rows(const std::vector<CodedColumn>& columns, std::size_t rows, int threads, const StopFlag& stop);

}  // namespace clearwood
