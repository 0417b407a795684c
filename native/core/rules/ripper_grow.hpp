// Growing one rule of RIPPER: the test of largest FOIL gain, again and again, on rows that shrink.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/numeric/bits.hpp"
#include "core/rules/ripper.hpp"
#include "core/rules/rule_cells.hpp"
#include "core/trees/target.hpp"

namespace clearwood {

constexpr double ripper_tie = 1e-10;  // differences below are rounding's

// The codes a test takes: first … first + span. A missing cell, below zero, lies beyond them as an unsigned number.
struct CodeInterval {
  std::uint32_t first = 0, span = 0;
  bool takes(std::int32_t code) const { return static_cast<std::uint32_t>(code) - first <= span; }
};

inline CodeInterval interval_of(const RuleColumn& column, const RipperTest& test) {
  if (test.kind == RipperTest::Kind::equals) return {static_cast<std::uint32_t>(test.value), 0};
  const auto up_to = std::upper_bound(column.values.begin(), column.values.end(), test.value) - column.values.begin();
  const auto low = static_cast<std::uint32_t>(up_to);  // the codes below it are at most the limit, and there is one
  if (test.kind == RipperTest::Kind::at_most) return {0, low - 1};
  return {low, static_cast<std::uint32_t>(column.size) - low - 1};
}

constexpr std::size_t worth_threads = 250'000;  // cells to count before other threads help
// Columns of at most so many values are counted by value; wider ones are read in sorted order.
constexpr std::size_t most_counted_values = 256;

// The gains of one column's tests; the first of equals stands.
class Gains {
 public:
  Gains(double positive, double all)
      : base_(std::log2((positive + 1) / (all + 1))), inverse_((all + 1) / (positive + 1)), tie_(ripper_tie * positive) {}

  bool improves(double positive, double all) {
    // Logarithms are dear, and log x ≤ x − 1 shows most tests to be no better than the best.
    if (positive * ((positive + 1) * inverse_ - (all + 1)) * std::numbers::log2e <= best_ * (all + 1)) return false;
    const double gain = positive * (std::log2((positive + 1) / (all + 1)) - base_);
    if (!(gain > best_ + tie_)) return false;
    best_ = gain;
    taken_ = positive;
    return true;
  }
  double best() const { return best_; }
  double taken() const { return taken_; }

 private:
  double base_, inverse_, tie_, best_ = 0, taken_ = 0;
};

// The growers of one class: which rows are positive, and each wide column's order of the rows still there.
class RuleGrower {
 public:
  RuleGrower(const std::vector<RuleColumn>& columns, const double* weights, double min_rows, int threads,
             const StopFlag& stop)
      : columns_(columns), weights_(weights), min_rows_(min_rows), threads_(threads), stop_(stop), sorted_(columns.size()),
        alive_order_(columns.size()), order_(columns.size()), sums_(columns.size()), counts_(columns.size()) {
    std::vector<double> possible(columns.size());
    run_parallel(columns.size(), threads, [&](std::size_t c, int) {
      check(stop);
      const RuleColumn& column = columns[c];
      std::vector<std::size_t> start(column.size + 1, 0);  // [code] of its rows in order
      for (const std::int32_t code : column.codes)
        if (code >= 0) ++start[static_cast<std::size_t>(code) + 1];
      const auto met = std::count_if(start.begin(), start.end(), [](std::size_t rows) { return rows > 0; });
      possible[c] = (column.numeric ? 2.0 : 1.0) * static_cast<double>(met);
      if (column.numeric && column.size > most_counted_values) {
        std::partial_sum(start.begin(), start.end(), start.begin());
        sorted_[c].resize(start.back());
        for (std::size_t row = 0; row < column.codes.size(); ++row)
          if (const std::int32_t code = column.codes[row]; code >= 0)
            sorted_[c][start[static_cast<std::size_t>(code)]++] = (static_cast<std::uint64_t>(code) + 1) << 32 | row;
      }
      if (!sorted_[c].empty()) return;
      if (weights) sums_[c].resize(2 * (column.size + 1));
      else counts_[c].resize(2 * (column.size + 1));
    });
    possible_ = std::accumulate(possible.begin(), possible.end(), 0.0);
  }

  double possible() const { return possible_; }  // how many tests the columns offer

  // A new class begins: `alive` rows, of which the `positive` ones are to be separated from the others.
  void begin(const Bits& alive, const Bits& positive) {
    positive_ = &positive;
    state_.assign(alive.size() * 64, 0);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      alive_order_[c].clear();
      for (const std::uint64_t entry : sorted_[c])
        if (has(alive, static_cast<std::uint32_t>(entry))) alive_order_[c].push_back(entry);
    }
  }

  // Adds tests (and their gains) to the draft while they gain; `rows` satisfy the tests it has already.
  void grow(const Bits& rows, RipperDraft& draft) {
    positives_.clear();
    others_.clear();
    for_each_row(rows, [&](std::size_t row) {
      const bool positive = has(*positive_, row);
      (positive ? positives_ : others_).push_back(static_cast<std::uint32_t>(row));
      state_[row] = positive ? 2 : 1;
    });
    weights_ ? grow_as<false>(draft) : grow_as<true>(draft);
    for (const auto row : positives_) state_[row] = 0;
    for (const auto row : others_) state_[row] = 0;
  }

 private:
  struct Best {
    double gain = 0;
    double taken = 0;  // weight of positive rows
    RipperTest test;
  };

  template <bool unit>
  void grow_as(RipperDraft& draft) {
    for (bool first = true; !positives_.empty() && !others_.empty(); first = false) {
      check(stop_);
      const double positive = weigh<unit>(positives_);
      const double all = positive + weigh<unit>(others_);
      std::vector<Best> bests(columns_.size());
      const std::size_t cells = (positives_.size() + others_.size()) * columns_.size();
      run_parallel(columns_.size(), cells >= worth_threads ? threads_ : 1,
                   [&](std::size_t c, int) { bests[c] = best_of<unit>(c, first, positive, all); });
      Best best;
      for (const Best& each : bests)
        if (each.gain > best.gain + ripper_tie * positive) best = each;
      if (!(best.gain > 0) || best.taken < min_rows_ - 1e-9) break;
      draft.grown.push_back(best.test);
      draft.gains.push_back(best.gain);
      narrow(best.test);
    }
  }

  template <bool unit>
  Best best_of(std::size_t column, bool first, double positive, double all) {
    Best best = sorted_[column].empty() ? best_counted<unit>(column, positive, all)
                                        : best_sorted<unit>(column, first, positive, all);
    best.test.column = static_cast<std::int32_t>(column);
    return best;
  }

  template <bool unit>
  Best best_counted(std::size_t column, double positive, double all) {
    const RuleColumn& c = columns_[column];
    auto& sums = [&]() -> auto& {
      if constexpr (unit) return counts_[column];
      else return sums_[column];
    }();
    using Sum = typename std::remove_reference_t<decltype(sums)>::value_type;
    std::fill(sums.begin(), sums.end(), Sum{0});
    Sum* const of_positive = sums.data();
    Sum* const of_others = of_positive + c.size + 1;
    const std::int32_t* const code = c.codes.data();
    if constexpr (unit) {
      for (const auto row : positives_) ++of_positive[code[row] + 1];
      for (const auto row : others_) ++of_others[code[row] + 1];
    } else {
      for (const auto row : positives_) of_positive[code[row] + 1] += weights_[row];
      for (const auto row : others_) of_others[code[row] + 1] += weights_[row];
    }
    Best best;
    Gains gains(positive, all);
    if (!c.numeric) {
      for (std::size_t r = 1; r <= c.size; ++r) {
        const double p = static_cast<double>(of_positive[r]);
        if (gains.improves(p, p + static_cast<double>(of_others[r])))
          best = {gains.best(), gains.taken(), {0, RipperTest::Kind::equals, static_cast<double>(r - 1)}};
      }
      return best;
    }
    double known_positive = 0, known = 0;
    for (std::size_t r = 1; r <= c.size; ++r) {
      known_positive += static_cast<double>(of_positive[r]);
      known += static_cast<double>(of_positive[r]) + static_cast<double>(of_others[r]);
    }
    double low_positive = 0, low = 0;
    std::size_t last = 0;
    for (std::size_t r = 1; r <= c.size; ++r) {
      const double p = static_cast<double>(of_positive[r]);
      const double here = p + static_cast<double>(of_others[r]);
      if (!(here > 0)) continue;
      if (last > 0) {
        const bool below = gains.improves(low_positive, low);
        const bool above = gains.improves(known_positive - low_positive, known - low);
        if (below || above)
          best = {gains.best(), gains.taken(), {0, above ? RipperTest::Kind::above : RipperTest::Kind::at_most, midpoint(c.values[last - 1], c.values[r - 1])}};
      }
      low_positive += p;
      low += here;
      last = r;
    }
    return best;
  }

  template <bool unit>
  Best best_sorted(std::size_t column, bool first, double positive, double all) {
    const RuleColumn& c = columns_[column];
    auto& kept = order_[column];
    const auto& from = first ? alive_order_[column] : kept;
    if (first) kept.resize(alive_order_[column].size());
    // The rows that left since the last test leave this order too, and what stays is summed on the way.
    std::size_t size = 0;
    double known_positive = 0, known = 0;
    for (const std::uint64_t entry : from) {
      const auto row = static_cast<std::uint32_t>(entry);
      const char state = state_[row];
      kept[size] = entry;
      size += state != 0;
      if constexpr (!unit) {
        if (!state) continue;
        known += weights_[row];
        if (state == 2) known_positive += weights_[row];
      } else {
        known += state != 0;
        known_positive += state == 2;
      }
    }
    kept.resize(size);
    Best best;
    Gains gains(positive, all);
    double low_positive = 0, low = 0;
    std::uint32_t last = 0, below_cut = 0, above_cut = 0;
    auto kind = RipperTest::Kind::at_most;
    for (const std::uint64_t entry : kept) {
      const auto row = static_cast<std::uint32_t>(entry);
      const auto rank = static_cast<std::uint32_t>(entry >> 32);
      if (rank != last && last != 0) {
        const bool below = gains.improves(low_positive, low);
        const bool above = gains.improves(known_positive - low_positive, known - low);
        if (below || above) {
          kind = above ? RipperTest::Kind::above : RipperTest::Kind::at_most;
          below_cut = last;
          above_cut = rank;
        }
      }
      const double weight = unit ? 1.0 : weights_[row];
      low += weight;
      if (state_[row] == 2) low_positive += weight;
      last = rank;
    }
    if (below_cut > 0) best = {gains.best(), gains.taken(), {0, kind, midpoint(c.values[below_cut - 1], c.values[above_cut - 1])}};
    return best;
  }

  void narrow(const RipperTest& test) {
    const RuleColumn& column = columns_[static_cast<std::size_t>(test.column)];
    const CodeInterval interval = interval_of(column, test);
    for (RowList* rows : {&positives_, &others_}) {
      std::size_t size = 0;
      for (const auto row : *rows) {
        const bool stays = interval.takes(column.codes[row]);
        if (!stays) state_[row] = 0;
        (*rows)[size] = row;
        size += stays;
      }
      rows->resize(size);
    }
  }

  template <bool unit>
  double weigh(const RowList& rows) const {
    if constexpr (unit) return static_cast<double>(rows.size());
    double weight = 0;
    for (const auto row : rows) weight += weights_[row];
    return weight;
  }

  const std::vector<RuleColumn>& columns_;
  const double* weights_;
  double min_rows_;
  double possible_ = 0;
  int threads_;
  const StopFlag& stop_;
  const Bits* positive_ = nullptr;
  // [column] of wide numeric ones, the known cells ascending, rank (code + 1) above row: all, the class's, the rule's
  std::vector<std::vector<std::uint64_t>> sorted_, alive_order_, order_;
  std::vector<std::vector<double>> sums_;           // [column] scratch: [rank] positive, then others; rank 0 is missing
  std::vector<std::vector<std::uint32_t>> counts_;  // the same where every weight is 1
  std::vector<char> state_;                         // [row] 0 out, 1 other, 2 positive
  RowList positives_, others_;
};

}  // namespace clearwood
