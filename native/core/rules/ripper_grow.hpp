// Growing one rule of RIPPER: the test of largest FOIL gain, again and again, on rows that shrink.
#pragma once
#include <vector>

#include "core/numeric/bits.hpp"
#include "core/rules/ripper_columns.hpp"

namespace clearwood {

// The growers of one class: which rows are positive, and each wide column's order of the rows still there.
class RuleGrower {
 public:
  RuleGrower(const std::vector<RankedColumn>& columns, const double* weights, double min_rows, int threads,
             const StopFlag& stop);

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
  struct Sums {
    double positive = 0, all = 0;
  };
  template <bool unit>
  struct Scan;

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

  const std::vector<RankedColumn>& columns_;
  const double* weights_;
  double min_rows_;
  int threads_;
  const StopFlag& stop_;
  const Bits* positive_ = nullptr;
  std::vector<std::vector<std::uint64_t>> alive_order_, order_;  // [column], of wide ones
  std::vector<std::vector<double>> sums_;                        // [column] scratch: [rank] positive, then others
  std::vector<std::vector<std::uint32_t>> counts_;               // the same where every weight is 1
  std::vector<char> state_;                                      // [row] 0 out, 1 other, 2 positive
  RowList positives_, others_;
};

}  // namespace clearwood
