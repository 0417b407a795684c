// Bootstrap: rows drawn with replacement (Efron 1979); src/clearwood/counting/chance.py has the same draws.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/numeric/chance.hpp"

namespace clearwood {

// Calls `take(row)` for each of `draws` draws. `ends` [row] are running sums of the rows' weights, which are then their chances;
// null: every row is as likely. With `units` the weights are whole numbers, each unit of which is a row, and `draws` their sum.
template <class Take>
void draw_with_replacement(std::uint64_t key, std::size_t rows, std::size_t draws, const double* ends, bool units, Take take) {
  if (!ends) {
    for (std::size_t k = 0; k < draws; ++k) take(static_cast<std::size_t>(below(key, k, rows)));
    return;
  }
  const double total = ends[rows - 1];
  for (std::size_t k = 0; k < draws; ++k) {
    const double place = units ? static_cast<double>(below(key, k, draws)) : part(key, k) * total;
    take(std::min(static_cast<std::size_t>(std::upper_bound(ends, ends + rows, place) - ends), rows - 1));
  }
}

}  // namespace clearwood
