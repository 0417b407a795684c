// A forest's split: the best way so far to part a node's rows, and how purity is compared.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/trees/measure.hpp"

namespace clearwood {

constexpr double tie_part = 1e-10;  // of a node's weight × impurity: a score must be better by more than this

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
  void take(double better, std::size_t of) {
    valid = true;
    score = better;
    bar = better + slack;
    column = of;
    nominal = apart = drawn_cut = false;
  }
};

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

// What each value met at a node adds up to.
struct ValueSums {
  std::vector<std::uint32_t> ids;  // [value] ascending
  std::vector<double> sums;        // [value][width]
  std::vector<double> missing;     // [width]
  bool any_missing = false;
};

// The best cut of values in order; the missing above it, then below, then apart.
[[gnu::noinline]] void ask_cuts(const ForestMeasure& measure, const ValueSums& values, std::size_t column, ForestSplit& best);
// The best two groups of a nominal column's values; the missing are a last value.
void ask_groups(const ForestMeasure& measure, const ValueSums& values, std::size_t column, ForestSplit& best);
// Two groups by the toss of a coin for each value.
void ask_random_groups(const ForestMeasure& measure, const ValueSums& values, std::size_t column, std::uint64_t key,
                       ForestSplit& best);

// The same as ask_cuts where weights are whole and the measure is Gini, from rows in order; a tag is class and weight.
class WholeCuts {
 public:
  void begin(std::size_t classes, double least);
  // The node's counts, whose sum is weight.
  void at_node(const double* counts, double weight);
  void ask(const std::uint32_t* ids, const std::uint32_t* tags, std::size_t count, std::uint32_t missing_id,
           std::size_t column, ForestSplit& best);
  // The same from counts by value: [id][class], the missing last. False where all cells are alike.
  bool ask_counts(const std::uint32_t* table, std::uint32_t size, std::size_t column, ForestSplit& best);

 private:
  void score(std::size_t cuts, bool two);
  void choose(std::size_t cuts, std::size_t column, int missing, const std::uint32_t* ids, ForestSplit& best) const;
  void apart(const std::uint32_t* first, std::size_t column, std::uint32_t last, ForestSplit& best);
  void scan_two(const std::uint32_t* ids, const std::uint32_t* tags, std::size_t known, std::uint32_t weight,
                std::uint32_t ones);
  void scan(const std::uint32_t* ids, const std::uint32_t* tags, std::size_t known, const std::uint32_t* first);

  std::size_t classes_ = 0, cuts_ = 0;
  std::uint32_t least_ = 1, weight_ = 0, ones_ = 0;
  std::vector<std::uint32_t> counts_, left_, first_;
  std::vector<std::uint32_t> at_, weights_, ones_at_;  // [cut] the place before it, the weight below it
  std::vector<double> squares_, other_squares_;        // [cut] Σ n² below and above it
  std::vector<double> scores_;
  std::vector<std::uint32_t> met_, met_tags_;
};

inline std::uint32_t tag_of(std::uint32_t cls, std::uint32_t weight) { return weight << 16 | cls; }

}  // namespace clearwood
