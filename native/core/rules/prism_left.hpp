// Left: the rows that no rule of a class covers yet, by value: how many have the class, and which they are.
#pragma once
#include "core/rules/rule_cells.hpp"

namespace clearwood {

// `right` of the `taken` weight have the class of the rule.
struct Precision {
  double right = 0.0, taken = 0.0;
};

class Left {
 public:
  Left(const std::vector<RuleColumn>& columns, const Labels& classes, std::int32_t goal, const RowList& rows);

  bool has_goal() const { return goals_ > 0; }
  bool is_pure() const { return goals_ == size_; }
  RowList all() const;

  // Calls each(code, precision) for the column's values that occur in rows of the class, in their order.
  template <class Each>
  void for_each_value(std::size_t column, Each&& each) {
    Values& values = by_column_[column];
    // A value that has lost its last row of the class never gets one again.
    std::erase_if(values.alive, [&](std::int32_t code) { return values.counts[index(code)].goals == 0; });
    for (const std::int32_t code : values.alive) {
      const Count& count = values.counts[index(code)];
      each(code, Precision{count.right.value(), count.taken.value()});
    }
  }

  // The rows with this value, ascending.
  RowList rows_with(std::size_t column, std::int32_t code);

  void take(const RowList& rows);

 private:
  // A sum that terms can leave again without a trace: `low` holds what `high` has no digits for.
  struct Sum {
    double high = 0.0, low = 0.0;
    void add(double term) {
      const double sum = high + term, part = sum - high;
      low += (high - (sum - part)) + (term - part);
      high = sum;
    }
    double value() const { return high + low; }
  };
  struct Count {
    Sum right, taken;
    std::uint32_t goals = 0;         // rows of the class
    std::size_t begin = 0, end = 0;  // among the column's rows; some of them may have been taken
  };
  struct Values {
    std::vector<Count> counts;        // [code]
    std::vector<std::int32_t> alive;  // codes with rows of the class, ascending
    RowList rows;                     // those with a known cell, by code
  };

  static std::size_t index(std::int32_t code) { return static_cast<std::size_t>(code); }
  void count(Count& count, Row row, int sign) const;

  const std::vector<RuleColumn>& columns_;
  const Labels& classes_;
  std::int32_t goal_;
  std::vector<bool> is_left_;  // [row]
  std::size_t size_ = 0, goals_ = 0;
  std::vector<Values> by_column_;
};

}  // namespace clearwood
