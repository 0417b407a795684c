// A forest's split: the best way so far to part a node's rows, and how purity is compared.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "core/numeric/chance.hpp"
#include "core/numeric/wide.hpp"
#include "core/trees/groups.hpp"

namespace clearwood {

constexpr double tie_part = 1e-10;  // of a node's weight × impurity: a score must be better by more than this

// How counts are measured: classes by weight × factor, numbers by [weight, weight × distance].
struct ForestMeasure {
  Measure measure = Measure::gini;
  std::size_t width = 0;
  const double* factors = nullptr;  // [class]; null: 1
  bool numbers = false;
  double least = 1;  // weight of a leaf

  double rows(const double* counts) const {
    if (numbers) return counts[0];
    double sum = 0;
    for (std::size_t c = 0; c < width; ++c) sum += counts[c];
    return sum;
  }
  double weight(const double* counts) const {
    if (numbers) return counts[0];
    double sum = 0;
    for (std::size_t c = 0; c < width; ++c) sum += scored(counts, c);
    return sum;
  }
  bool heavy(const double* counts) const { return rows(counts) >= least - 1e-9; }
  double purity(const double* counts) const {
    if (numbers) return counts[1] * counts[1] * (1.0 / counts[0]);
    const double all = weight(counts);
    double sum = 0;
    if (measure == Measure::entropy) {
      for (std::size_t c = 0; c < width; ++c) sum += xlog2x(scored(counts, c));
      return sum - xlog2x(all);
    }
    for (std::size_t c = 0; c < width; ++c) sum += scored(counts, c) * scored(counts, c);
    return sum * (1.0 / all);
  }
  double scored(const double* counts, std::size_t c) const { return factors ? counts[c] * factors[c] : counts[c]; }
};

// The best split so far. Ids are those of the rows' order (forest_order.hpp).
struct ForestSplit {
  bool valid = false;
  double score = 0;
  double bar = -std::numeric_limits<double>::infinity();  // what the next must be above
  double slack = 0;
  std::size_t column = 0;
  bool nominal = false, apart = false, drawn_cut = false;
  std::uint32_t below = 0, above = 0;  // a cut between these ids
  double cut = 0;                      // where it was drawn
  int missing = -1;                    // the side of missing cells; −1: there are none
  std::vector<std::uint32_t> ids;      // nominal: the values met …
  std::vector<std::uint8_t> sides;     // … and the side of each

  void clear(double impurity) {
    valid = false;
    bar = -std::numeric_limits<double>::infinity();
    slack = tie_part * impurity;
  }
  bool beats(double other) const { return other > bar; }
  // Takes the division of these counts if both sides are heavy enough and it beats the best so far.
  bool offer(const ForestMeasure& measure, const double* low, const double* high, std::size_t of) {
    if (!measure.heavy(low) || !measure.heavy(high)) return false;
    const double both = measure.purity(low) + measure.purity(high);
    if (!beats(both)) return false;
    take(both, of);
    return true;
  }
  void take(double better, std::size_t of) {
    valid = true;
    score = better;
    bar = better + slack;
    column = of;
    nominal = apart = drawn_cut = false;
  }
};

// What each value met at a node adds up to.
struct ValueSums {
  std::vector<std::uint32_t> ids;  // [value] ascending
  std::vector<double> sums;        // [value][width]
  std::vector<double> missing;     // [width]
  bool any_missing = false;
};

constexpr std::size_t most_for_every_way = 10;

inline std::vector<double> total_of(const ValueSums& values, std::size_t width) {
  std::vector<double> total(width, 0.0);
  for (std::size_t v = 0; v < values.ids.size(); ++v)
    for (std::size_t k = 0; k < width; ++k) total[k] += values.sums[v * width + k];
  return total;
}

// The values of a nominal column, the missing last where there are some.
struct ValueTable {
  std::vector<double> sums;
  std::size_t size, width;

  ValueTable(const ValueSums& values, std::size_t columns) : sums(values.sums), size(values.ids.size()), width(columns) {
    if (!values.any_missing) return;
    sums.insert(sums.end(), values.missing.begin(), values.missing.end());
    ++size;
  }
  const double* of(std::size_t value) const { return sums.data() + value * width; }
};

inline void keep_groups_of(const ValueSums& values, const std::vector<std::uint8_t>& sides, ForestSplit& best) {
  best.nominal = true;
  best.ids = values.ids;
  best.sides = sides;
  best.missing = values.any_missing ? sides.back() : -1;
}

// Tries the groups by side; the first value's is side 0.
inline void try_groups(const ForestMeasure& measure, const ValueSums& values, const ValueTable& table,
                       const std::vector<std::uint8_t>& sides, std::size_t column, ForestSplit& best) {
  std::vector<double> sums(2 * table.width, 0.0);
  for (std::size_t v = 0; v < table.size; ++v)
    for (std::size_t k = 0; k < table.width; ++k) sums[sides[v] * table.width + k] += table.of(v)[k];
  if (best.offer(measure, sums.data(), sums.data() + table.width, column)) keep_groups_of(values, sides, best);
}

// Each value's place along the order in which groups are cut: to a billionth of the span, so that rounding decides none.
inline std::vector<double> places_of(const ForestMeasure& measure, const ValueTable& table) {
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
inline void ask_along(const ForestMeasure& measure, const ValueSums& values, const ValueTable& table, std::size_t column,
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
  best.take(score, column);
  keep_groups_of(values, sides, best);
}

// The best cut of values in order; the missing above it, then below, then apart.
[[gnu::noinline]] inline void ask_cuts(const ForestMeasure& measure, const ValueSums& values, std::size_t column, ForestSplit& best) {
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
      if (!best.offer(measure, low.data(), high.data(), column)) continue;
      best.below = values.ids[v];
      best.above = values.ids[v + 1];
      best.missing = values.any_missing ? 1 - below : -1;
    }
  }
  if (!values.any_missing || !best.offer(measure, known.data(), values.missing.data(), column)) return;
  best.apart = true;
  best.below = values.ids.back();
  best.missing = 1;
}

// The best two groups of a nominal column's values; the missing are a last value.
inline void ask_groups(const ForestMeasure& measure, const ValueSums& values, std::size_t column, ForestSplit& best) {
  const ValueTable table(values, measure.width);
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

// Two groups by the toss of a coin for each value.
inline void ask_random_groups(const ForestMeasure& measure, const ValueSums& values, std::size_t column, std::uint64_t key,
                              ForestSplit& best) {
  const ValueTable table(values, measure.width);
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

inline std::uint32_t tag_of(std::uint32_t cls, std::uint32_t weight) { return weight << 16 | cls; }

// Purity of both sides by weights and squares of counts: whole numbers below 2^53, so nothing is rounded before the division.
CLEARWOOD_WIDE static void score_squares(const double* squares, const double* others, const std::uint32_t* weights,
                                         double weight, std::size_t cuts, double* scores) {
  for (std::size_t k = 0; k < cuts; ++k) {
    const double left = static_cast<std::int32_t>(weights[k]);
    scores[k] = squares[k] * (1.0 / left) + others[k] * (1.0 / (weight - left));
  }
}

CLEARWOOD_WIDE static void score_two(const std::uint32_t* ones, const std::uint32_t* weights, double all_ones, double weight,
                                     std::size_t cuts, double* scores) {
  for (std::size_t k = 0; k < cuts; ++k) {
    const double left = static_cast<std::int32_t>(weights[k]), one = static_cast<std::int32_t>(ones[k]);
    const double zero = left - one, right = weight - left, other_one = all_ones - one, other_zero = right - other_one;
    scores[k] = (zero * zero + one * one) * (1.0 / left) + (other_zero * other_zero + other_one * other_one) * (1.0 / right);
  }
}

// The same as ask_cuts where weights are whole and the measure is Gini, from rows in order; a tag is class and weight.
class WholeCuts {
 public:
  void begin(std::size_t classes, double least) {
    classes_ = classes;
    least_ = static_cast<std::uint32_t>(std::clamp(std::ceil(least - 1e-9), 1.0, 4e9));
    counts_.resize(classes);
    left_.resize(classes);
    first_.assign(classes, 0);
  }

  // The node's counts, whose sum is weight.
  void at_node(const double* counts, double weight) {
    for (std::size_t c = 0; c < classes_; ++c) counts_[c] = static_cast<std::uint32_t>(counts[c]);
    weight_ = static_cast<std::uint32_t>(weight);
    ones_ = classes_ == 2 ? counts_[1] : 0;
  }

  [[gnu::noinline]] void ask(const std::uint32_t* ids, const std::uint32_t* tags, std::size_t count, std::uint32_t missing_id,
                             std::size_t column, ForestSplit& best) {
    if (at_.size() < count) {
      at_.resize(count);
      weights_.resize(count);
      ones_at_.resize(count);
      squares_.resize(count);
      other_squares_.resize(count);
      scores_.resize(count);
    }
    const bool two = classes_ == 2;
    std::size_t known = count;
    while (known > 0 && ids[known - 1] == missing_id) --known;
    std::fill(first_.begin(), first_.end(), 0);
    if (two) {
      scan_two(ids, tags, known, 0, 0);
    } else {
      scan(ids, tags, known, first_.data());
    }
    score(cuts_, two);
    choose(cuts_, column, known < count ? 1 : -1, ids, best);
    if (known == count) return;
    // The missing below the cut, then by themselves.
    std::uint32_t weight = 0;
    for (std::size_t i = known; i < count; ++i) {
      first_[tags[i] & 0xFFFF] += tags[i] >> 16;
      weight += tags[i] >> 16;
    }
    if (two) {
      scan_two(ids, tags, known, weight, first_[1]);
    } else {
      scan(ids, tags, known, first_.data());
    }
    score(cuts_, two);
    choose(cuts_, column, 0, ids, best);
    if (known > 0) apart(first_.data(), column, ids[known - 1], best);
  }

  // The same from counts by value: [id][class], the missing last. False where all cells are alike.
  bool ask_counts(const std::uint32_t* table, std::uint32_t size, std::size_t column, ForestSplit& best) {
    // As rows of a value and class each, as heavy as they are together.
    met_.clear();
    met_tags_.clear();
    for (std::uint32_t id = 0; id <= size; ++id)
      for (std::uint32_t c = 0; c < classes_; ++c)
        for (std::uint32_t left = table[id * classes_ + c]; left > 0;) {
          const std::uint32_t some = std::min(left, 0xFFFFu);
          met_.push_back(id);
          met_tags_.push_back(tag_of(c, some));
          left -= some;
        }
    if (met_.front() == met_.back()) return false;
    ask(met_.data(), met_tags_.data(), met_.size(), size, column, best);
    return true;
  }

 private:
  void scan_two(const std::uint32_t* ids, const std::uint32_t* tags, std::size_t known, std::uint32_t weight,
                std::uint32_t ones) {
    std::size_t cuts = 0;
    for (std::size_t i = 0; i + 1 < known; ++i) {
      const std::uint32_t more = tags[i] >> 16;
      weight += more;
      ones += more & (0u - (tags[i] & 1u));
      at_[cuts] = static_cast<std::uint32_t>(i);
      weights_[cuts] = weight;
      ones_at_[cuts] = ones;
      cuts += static_cast<std::size_t>(ids[i] != ids[i + 1]) & static_cast<std::size_t>(weight >= least_) &
              static_cast<std::size_t>(weight_ - weight >= least_);
    }
    cuts_ = cuts;
  }

  void scan(const std::uint32_t* ids, const std::uint32_t* tags, std::size_t known,
            const std::uint32_t* first) {
    std::int64_t squares = 0, others = 0;
    std::uint32_t weight = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      left_[c] = first[c];
      weight += first[c];
      const std::int64_t low = first[c], high = counts_[c] - first[c];
      squares += low * low;
      others += high * high;
    }
    std::size_t cuts = 0;
    for (std::size_t i = 0; i + 1 < known; ++i) {
      const std::uint32_t c = tags[i] & 0xFFFF;
      const std::int64_t more = tags[i] >> 16, low = left_[c], high = static_cast<std::int64_t>(counts_[c]) - low;
      squares += more * (2 * low + more);
      others -= more * (2 * high - more);
      left_[c] = static_cast<std::uint32_t>(low + more);
      weight += static_cast<std::uint32_t>(more);
      at_[cuts] = static_cast<std::uint32_t>(i);
      weights_[cuts] = weight;
      squares_[cuts] = static_cast<double>(squares);
      other_squares_[cuts] = static_cast<double>(others);
      cuts += static_cast<std::size_t>(ids[i] != ids[i + 1]) & static_cast<std::size_t>(weight >= least_) &
              static_cast<std::size_t>(weight_ - weight >= least_);
    }
    cuts_ = cuts;
  }

  void score(std::size_t cuts, bool two) {
    if (two) {
      score_two(ones_at_.data(), weights_.data(), ones_, weight_, cuts, scores_.data());
    } else {
      score_squares(squares_.data(), other_squares_.data(), weights_.data(), weight_, cuts, scores_.data());
    }
  }

  void choose(std::size_t cuts, std::size_t column, int missing, const std::uint32_t* ids,
              ForestSplit& best) const {
    for (std::size_t k = 0; k < cuts; ++k) {
      if (!best.beats(scores_[k])) continue;
      best.take(scores_[k], column);
      best.below = ids[at_[k]];
      best.above = ids[at_[k] + 1];
      best.missing = missing;
    }
  }

  void apart(const std::uint32_t* first, std::size_t column, std::uint32_t last, ForestSplit& best) {
    double squares[2] = {0, 0}, weights[2] = {0, 0};
    for (std::size_t c = 0; c < classes_; ++c) {
      const double missing = first[c], known = counts_[c] - first[c];
      squares[0] += known * known;
      squares[1] += missing * missing;
      weights[0] += known;
      weights[1] += missing;
    }
    if (weights[0] < least_ || weights[1] < least_) return;
    const double score = squares[0] * (1.0 / weights[0]) + squares[1] * (1.0 / weights[1]);
    if (!best.beats(score)) return;
    best.take(score, column);
    best.apart = true;
    best.below = last;
    best.missing = 1;
  }

  std::size_t classes_ = 0, cuts_ = 0;
  std::uint32_t least_ = 1, weight_ = 0, ones_ = 0;
  std::vector<std::uint32_t> counts_, left_, first_;
  std::vector<std::uint32_t> at_, weights_, ones_at_;  // [cut] the place before it, the weight below it
  std::vector<double> squares_, other_squares_;        // [cut] Σ n² below and above it
  std::vector<double> scores_;
  std::vector<std::uint32_t> met_, met_tags_;
};

}  // namespace clearwood
