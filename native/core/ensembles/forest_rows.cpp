#include "core/ensembles/forest_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric/chance.hpp"

namespace clearwood {

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

ForestRows forest_rows(const std::vector<CodedColumn>& columns, std::size_t rows, int threads, const StopFlag& stop) {
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
