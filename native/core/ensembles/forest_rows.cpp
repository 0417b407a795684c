#include "core/ensembles/forest_rows.hpp"

#include <algorithm>
#include <cmath>

namespace clearwood {

RowDraws::RowDraws(std::size_t rows, const double* weights, double part)
    : rows_(rows), weights_(weights), part_(part) {
  double total = static_cast<double>(rows);
  bool integral = true;
  if (weights) {
    total = 0;
    ends_.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      integral = integral && weights[row] == std::floor(weights[row]) && weights[row] <= 0xFFFF;
      total += weights[row];
      ends_[row] = total;
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
        times[row] = 1;
        --needed;
      }
    return;
  }
  if (!weights_) {
    for (std::size_t k = 0; k < rows_; ++k) ++times[below(key, k, rows_)];
    return;
  }
  const double total = ends_.back();
  const std::size_t draws = counts_ ? static_cast<std::size_t>(total) : rows_;
  for (std::size_t k = 0; k < draws; ++k) {
    const double place = counts_ ? static_cast<double>(below(key, k, draws)) : part(key, k) * total;
    const auto row = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), place) - ends_.begin());
    ++times[std::min(row, rows_ - 1)];
  }
}

}  // namespace clearwood
