#include "core/ensembles/forest_split.hpp"

#include <algorithm>
#include <numeric>

#include "core/numeric/chance.hpp"
#include "core/trees/groups.hpp"

namespace clearwood {
namespace {

constexpr std::size_t most_for_every_way = 10;

std::vector<double> total_of(const ValueSums& values, std::size_t width) {
  std::vector<double> total(width, 0.0);
  for (std::size_t v = 0; v < values.ids.size(); ++v)
    for (std::size_t k = 0; k < width; ++k) total[k] += values.sums[v * width + k];
  return total;
}

// The values of a nominal column, the missing last where there are some.
struct Table {
  std::vector<double> sums;
  std::size_t size, width;

  Table(const ValueSums& values, std::size_t columns) : sums(values.sums), size(values.ids.size()), width(columns) {
    if (!values.any_missing) return;
    sums.insert(sums.end(), values.missing.begin(), values.missing.end());
    ++size;
  }
  const double* of(std::size_t value) const { return sums.data() + value * width; }
};

void take_groups(const ValueSums& values, const std::vector<std::uint8_t>& sides, double score, std::size_t column,
                 ForestSplit& best) {
  best.take(score, column);
  best.nominal = true;
  best.ids = values.ids;
  best.sides = sides;
  best.missing = values.any_missing ? sides.back() : -1;
}

// Tries the groups by side; the first value's is side 0.
void try_groups(const ForestMeasure& measure, const ValueSums& values, const Table& table,
                const std::vector<std::uint8_t>& sides, std::size_t column, ForestSplit& best) {
  std::vector<double> sums(2 * table.width, 0.0);
  for (std::size_t v = 0; v < table.size; ++v)
    for (std::size_t k = 0; k < table.width; ++k) sums[sides[v] * table.width + k] += table.of(v)[k];
  const double *left = sums.data(), *right = left + table.width;
  if (!measure.heavy(left) || !measure.heavy(right)) return;
  const double score = measure.purity(left) + measure.purity(right);
  if (best.beats(score)) take_groups(values, sides, score, column, best);
}

// Each value's place along the order in which groups are cut: to a billionth of the span, so that rounding decides none.
std::vector<double> places_of(const ForestMeasure& measure, const Table& table) {
  std::vector<double> places(table.size);
  double scale = 1.0;
  if (measure.numbers) {
    scale = 0.0;
    for (std::size_t v = 0; v < table.size; ++v) {
      places[v] = table.of(v)[1] / table.of(v)[0];
      scale = std::max(scale, std::abs(places[v]));
    }
  } else if (table.width == 2) {
    for (std::size_t v = 0; v < table.size; ++v)
      places[v] = measure.scored(table.of(v), 1) / measure.weight(table.of(v));
  } else {
    std::vector<double> scored(table.sums), weights(table.size);
    for (std::size_t v = 0; v < table.size; ++v) {
      for (std::size_t k = 0; k < table.width; ++k) scored[v * table.width + k] = measure.scored(table.of(v), k);
      weights[v] = measure.weight(table.of(v));
    }
    places = principal_scores(scored, weights, table.width);
  }
  const auto [low, high] = std::minmax_element(places.begin(), places.end());
  const double least = *low, span = *high - *low;
  for (double& place : places) place = span > 1e-9 * scale ? std::nearbyint((place - least) / span * 1e9) : 0.0;
  return places;
}

// Cuts along an order: one value after the other goes to the low side.
void ask_along(const ForestMeasure& measure, const ValueSums& values, const Table& table, std::size_t column,
               ForestSplit& best) {
  const std::vector<double> places = places_of(measure, table);
  std::vector<std::size_t> order(table.size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::vector<double> low(table.width, 0.0), high(table.width, 0.0);
  for (std::size_t v = 0; v < table.size; ++v)
    for (std::size_t k = 0; k < table.width; ++k) high[k] += table.of(v)[k];
  std::size_t first = 0;
  double score = 0;
  for (std::size_t p = 0; p + 1 < table.size; ++p) {
    for (std::size_t k = 0; k < table.width; ++k) {
      low[k] += table.of(order[p])[k];
      high[k] -= table.of(order[p])[k];
      if (!measure.numbers || k == 0) high[k] = std::max(0.0, high[k]);
    }
    if (!measure.heavy(low.data()) || !measure.heavy(high.data())) continue;
    const double here = measure.purity(low.data()) + measure.purity(high.data());
    if (!(first > 0 ? here > score + best.slack : best.beats(here))) continue;
    first = p + 1;
    score = here;
  }
  if (first == 0) return;
  std::vector<std::uint8_t> sides(table.size, 1);
  for (std::size_t p = 0; p < first; ++p) sides[order[p]] = 0;
  if (sides[0] == 1)
    for (std::uint8_t& side : sides) side ^= 1;
  take_groups(values, sides, score, column, best);
}

}  // namespace

void ask_cuts(const ForestMeasure& measure, const ValueSums& values, std::size_t column, ForestSplit& best) {
  const std::size_t width = measure.width, size = values.ids.size();
  if (size == 0) return;
  const std::vector<double> known = total_of(values, width);
  std::vector<double> left(width), low(width), high(width);
  for (int below = 0; below <= (values.any_missing ? 1 : 0); ++below) {
    std::fill(left.begin(), left.end(), 0.0);
    for (std::size_t v = 0; v + 1 < size; ++v) {
      for (std::size_t k = 0; k < width; ++k) {
        left[k] += values.sums[v * width + k];
        low[k] = left[k];
        high[k] = known[k] - left[k];
        if (values.any_missing) (below ? low : high)[k] += values.missing[k];
      }
      if (!measure.heavy(low.data()) || !measure.heavy(high.data())) continue;
      const double score = measure.purity(low.data()) + measure.purity(high.data());
      if (!best.beats(score)) continue;
      best.take(score, column);
      best.below = values.ids[v];
      best.above = values.ids[v + 1];
      best.missing = values.any_missing ? 1 - below : -1;
    }
  }
  if (!values.any_missing || !measure.heavy(known.data()) || !measure.heavy(values.missing.data())) return;
  const double score = measure.purity(known.data()) + measure.purity(values.missing.data());
  if (!best.beats(score)) return;
  best.take(score, column);
  best.apart = true;
  best.below = values.ids.back();
  best.missing = 1;
}

void ask_groups(const ForestMeasure& measure, const ValueSums& values, std::size_t column, ForestSplit& best) {
  const Table table(values, measure.width);
  if (values.ids.empty() || table.size < 2) return;
  const bool ordered = measure.numbers || measure.width == 2 || table.size > most_for_every_way;
  if (ordered && table.size > 2) return ask_along(measure, values, table, column, best);
  // Bit v − 1 of the way: value v parts from the first.
  std::vector<std::uint8_t> sides(table.size);
  for (std::uint32_t way = 1; way < 1u << (table.size - 1); ++way) {
    for (std::size_t v = 1; v < table.size; ++v) sides[v] = way >> (v - 1) & 1u;
    try_groups(measure, values, table, sides, column, best);
  }
}

void ask_random_groups(const ForestMeasure& measure, const ValueSums& values, std::size_t column, std::uint64_t key,
                       ForestSplit& best) {
  const Table table(values, measure.width);
  if (values.ids.empty() || table.size < 2) return;
  std::vector<std::uint8_t> sides(table.size);
  for (std::uint64_t toss = 0;; ++toss) {
    std::size_t ones = 0;
    for (std::size_t v = 0; v < table.size; ++v) ones += sides[v] = draw(key, toss * table.size + v) >> 63;
    if (ones > 0 && ones < table.size) break;
  }
  if (sides[0] == 1)
    for (std::uint8_t& side : sides) side ^= 1;
  try_groups(measure, values, table, sides, column, best);
}

}  // namespace clearwood
