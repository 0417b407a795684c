#include "core/ensembles/additive.hpp"

#include <algorithm>
#include <cmath>

namespace clearwood {

std::size_t CellSide::at(std::size_t row) const {
  if (!column.numeric()) {
    const std::int32_t code = column.code(row);
    const auto values = static_cast<std::size_t>(column.values);
    if (code == -1) return values;
    return code < 0 || code >= column.values ? values + 1 : static_cast<std::size_t>(code);
  }
  const double number = column.number(row);
  if (std::isnan(number)) return cuts.size() + 1;
  return numbers_below(cuts.data(), static_cast<std::int64_t>(cuts.size()), number);
}

void additive_scores(const std::vector<AdditiveTerm>& terms, std::span<const double> base, std::size_t rows,
                     double* scores, int threads, const StopFlag& stop) {
  constexpr std::size_t block = 4096;
  const std::size_t width = base.size();
  over_rows(rows, block, threads, stop, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t r = from; r < to; ++r) std::copy(base.begin(), base.end(), scores + r * width);
    for (const AdditiveTerm& term : terms) {
      const std::size_t cells = term.points.size() / width;
      const std::size_t wide = term.sides.size() > 1 ? term.sides[1].cells() : 1;
      for (std::size_t r = from; r < to; ++r) {
        std::size_t cell = term.sides[0].at(r);
        if (term.sides.size() > 1) cell = cell * wide + term.sides[1].at(r);
        for (std::size_t s = 0; s < width; ++s) scores[r * width + s] += term.points[s * cells + cell];
      }
    }
  });
}

}  // namespace clearwood
