// A forest's rows: which a tree draws and what each weighs in it, as forest_task.py has it, and their codes row by row.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/counting/codes.hpp"
#include "core/numeric/chance.hpp"
#include "core/numeric/large_pages.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// What random numbers are for, after the branches (0 or 1) from the root.
constexpr std::uint64_t chance_of_rows = 2, chance_of_columns = 3, chance_of_cuts = 4;

constexpr double most_draws = 67'108'864;  // 2^26: up to this weight, squares of counts are exact

class RowDraws {
 public:
  // `order` [place] are the rows by what is in them and not by where they are, so that a table gives the same forest however
  // its rows are sorted, and a row of weight two the same as two rows.
  RowDraws(const std::vector<std::uint32_t>& order, const double* weights, double part)
      : order_(order), rows_(order.size()), weights_(weights), part_(part) {
    const std::size_t rows = rows_;
    double total = static_cast<double>(rows);
    bool integral = true;
    if (weights) {
      total = 0;
      ends_.resize(rows);
      for (std::size_t place = 0; place < rows; ++place) {
        const double weight = weights[order[place]];
        integral = integral && weight == std::floor(weight) && weight <= 0xFFFF;
        total += weight;
        ends_[place] = total;
      }
      counts_ = total <= most_draws && std::all_of(weights, weights + rows, [](double w) { return w == std::floor(w); });
    }
    whole_ = part > 0 ? integral && total <= most_draws : static_cast<double>(rows) <= most_draws;
  }

  // Does every tree's row weigh a whole number that fits two bytes, their squares exact? Where not, weights are doubles.
  bool whole() const { return whole_; }
  // [row] how often a tree drew it: with replacement.
  void count(std::uint64_t seed, std::uint64_t tree, std::vector<std::uint32_t>& times) const {
    const std::uint64_t key = key_of({seed, tree, chance_of_rows});
    times.assign(rows_, 0);
    if (part_ > 0) {
      auto needed = static_cast<std::uint64_t>(std::max(1.0, std::ceil(part_ * static_cast<double>(rows_))));
      for (std::size_t row = 0; row < rows_; ++row)
        if (below(key, row, rows_ - row) < needed) {
          times[order_[row]] = 1;
          --needed;
        }
      return;
    }
    const std::size_t draws = counts_ ? static_cast<std::size_t>(ends_.back()) : rows_;
    draw_with_replacement(key, rows_, draws, weights_ ? ends_.data() : nullptr, counts_,
                          [&](std::size_t place) { ++times[order_[place]]; });
  }

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

inline ForestRows forest_rows(const std::vector<CodedColumn>& columns, std::size_t rows, int threads, const StopFlag& stop) {
  ForestRows by_row;
  by_row.columns = columns.size();
  bool fits = true;
  for (const CodedColumn& column : columns) fits = fits && column.bytes <= 2;
  const std::size_t cells = rows * columns.size();
  if (fits) {
    by_row.middle = LargeArray<std::uint16_t>(cells);
  } else {
    by_row.wide = LargeArray<std::uint32_t>(cells);
  }
  constexpr std::size_t stretch = 1024;
  auto turn = [&](auto* out) {
    over_rows(rows, stretch, threads, stop, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t c = 0; c < columns.size(); ++c)
        columns[c].visit([&](const auto* codes) {
          for (std::size_t row = begin; row < end; ++row)
            out[row * columns.size() + c] = static_cast<std::remove_reference_t<decltype(*out)>>(codes[row]);
        });
    });
  };
  if (fits) {
    turn(by_row.middle.data());
  } else {
    turn(by_row.wide.data());
  }
  return by_row;
}

}  // namespace clearwood
