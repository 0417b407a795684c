// Growing one rule of RIPPER: the test of largest FOIL gain, again and again, on rows that shrink.
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/bits.hpp"
#include "core/rules/ripper.hpp"
#include "core/rules/rule_cells.hpp"

namespace clearwood {

constexpr double ripper_tie = 1e-10;  // differences below are rounding's

// The codes a test takes: first … first + span. A missing cell, below zero, lies beyond them as an unsigned number.
struct CodeInterval {
  std::uint32_t first = 0, span = 0;
  bool takes(std::int32_t code) const { return static_cast<std::uint32_t>(code) - first <= span; }
};
CodeInterval interval_of(const RuleColumn& column, const RipperTest& test);

// The growers of one class: which rows are positive, and each wide column's order of the rows still there.
class RuleGrower {
 public:
  RuleGrower(const std::vector<RuleColumn>& columns, const double* weights, double min_rows, int threads,
             const StopFlag& stop);

  double possible() const { return possible_; }  // how many tests the columns offer
  // A new class begins: `alive` rows, of which the `positive` ones are to be separated from the others.
  void begin(const Bits& alive, const Bits& positive);
  // Adds tests (and their gains) to the draft while they gain; `rows` satisfy the tests it has already.
  void grow(const Bits& rows, RipperDraft& draft);

 private:
  struct Best {
    double gain = 0;
    double taken = 0;  // weight of positive rows
    RipperTest test;
  };

  template <bool unit>
  void grow_as(RipperDraft& draft);
  template <bool unit>
  Best best_of(std::size_t column, bool first, double positive, double all);
  template <bool unit>
  Best best_counted(std::size_t column, double positive, double all);
  template <bool unit>
  Best best_sorted(std::size_t column, bool first, double positive, double all);
  void narrow(const RipperTest& test);
  template <bool unit>
  double weigh(const RowList& rows) const;

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
