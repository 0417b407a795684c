#include "core/ensembles/forest_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/numeric/bootstrap.hpp"

namespace clearwood {

std::vector<std::uint32_t> row_order(const Problem& problem, const std::vector<ForestColumn>& columns, int threads) {
  struct Keyed {
    std::uint64_t key;
    std::uint32_t row;
    bool operator<(const Keyed& other) const { return key != other.key ? key < other.key : row < other.row; }
  };
  std::vector<Keyed> keyed(problem.rows);
  constexpr std::size_t stretch = 4096;
  run_parallel((problem.rows + stretch - 1) / stretch, threads, [&](std::size_t job, int) {
    const std::size_t begin = job * stretch, end = std::min(problem.rows, begin + stretch);
    for (std::size_t row = begin; row < end; ++row) {
      const std::uint64_t answer = problem.classes > 0 ? static_cast<std::uint64_t>(problem.class_of[row])
                                                       : std::bit_cast<std::uint64_t>(problem.number_of[row]);
      keyed[row] = {key_of({answer}), static_cast<std::uint32_t>(row)};
    }
    for (const ForestColumn& column : columns)
      column.visit([&](const auto* codes) {
        for (std::size_t row = begin; row < end; ++row) keyed[row].key = key_after(keyed[row].key, codes[row]);
      });
  });
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::uint32_t> order(problem.rows);
  for (std::size_t place = 0; place < problem.rows; ++place) order[place] = keyed[place].row;
  return order;
}

RowDraws::RowDraws(const std::vector<std::uint32_t>& order, const double* weights, double part)
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

void RowDraws::count(std::uint64_t seed, std::uint64_t tree, std::vector<std::uint32_t>& times) const {
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

}  // namespace clearwood
