#include "core/counting/spread.hpp"

#include <algorithm>
#include <cmath>

#include "core/numeric/infinity.hpp"

namespace clearwood {
namespace {
constexpr std::size_t chunk_rows = 8192;
constexpr std::size_t lanes = 4;  // sums side by side: the compiler may not reorder one, and one alone waits for itself

struct Lanes {
  double weight[lanes] = {}, sum[lanes] = {}, squares[lanes] = {}, empty[lanes] = {};
  double least[lanes] = {infinity, infinity, infinity, infinity};
  double largest[lanes] = {-infinity, -infinity, -infinity, -infinity};

  void add(std::size_t lane, double x, double weight_of, double first) {
    const bool known = x == x;
    const double w = known ? weight_of : 0.0, off = known ? x - first : 0.0;
    weight[lane] += w;
    sum[lane] += w * off;
    squares[lane] += w * (off * off);
    empty[lane] += known ? 0.0 : 1.0;
    least[lane] = x < least[lane] ? x : least[lane];
    largest[lane] = x > largest[lane] ? x : largest[lane];
  }
};

double total(const double* each) { return (each[0] + each[1]) + (each[2] + each[3]); }

Spread spread_of(const Column& column, const double* weights, std::size_t begin, std::size_t end) {
  double cells[chunk_rows];
  const std::size_t size = end - begin;
  for (std::size_t i = 0; i < size; ++i) cells[i] = column.number(begin + i);
  const double* const known = std::find_if(cells, cells + size, [](double x) { return !std::isnan(x); });
  const double first = known == cells + size ? 0.0 : *known;  // about it, squares keep their digits
  Lanes sums;
  for (std::size_t i = 0; i < size; i += lanes)
    for (std::size_t lane = 0; lane < std::min(lanes, size - i); ++lane)
      sums.add(lane, cells[i + lane], weights ? weights[begin + i + lane] : 1.0, first);
  Spread spread;
  spread.weight = total(sums.weight);
  spread.empty = total(sums.empty);
  spread.least = *std::min_element(sums.least, sums.least + lanes);
  spread.largest = *std::max_element(sums.largest, sums.largest + lanes);
  if (spread.weight > 0) {
    const double sum = total(sums.sum);
    spread.mean = first + sum / spread.weight;
    spread.squares = std::max(0.0, total(sums.squares) - sum * (sum / spread.weight));
  }
  return spread;
}

void add(Spread& all, const Spread& part) {
  all.empty += part.empty;
  if (!(part.weight > 0)) return;
  const double weight = all.weight + part.weight, apart = part.mean - all.mean;
  all.squares += part.squares + apart * apart * (all.weight * (part.weight / weight));
  all.mean += apart * (part.weight / weight);
  all.weight = weight;
  all.least = std::min(all.least, part.least);
  all.largest = std::max(all.largest, part.largest);
}
}  // namespace

std::vector<Spread> spreads(const std::vector<Column>& columns, std::size_t rows, const double* weights, int threads,
                            const StopFlag& stop) {
  const std::size_t chunks = (rows + chunk_rows - 1) / chunk_rows;
  std::vector<Spread> parts(chunks * columns.size());
  over_rows(rows, chunk_rows, threads, stop, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      parts[begin / chunk_rows * columns.size() + k] = spread_of(columns[k], weights, begin, end);
  });
  std::vector<Spread> spreads(columns.size(), Spread{0, 0, 0, infinity, -infinity, 0});
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (std::size_t k = 0; k < columns.size(); ++k) add(spreads[k], parts[chunk * columns.size() + k]);
  return spreads;
}

}  // namespace clearwood
