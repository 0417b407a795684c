// Missing cells: how much a cell differs on average from the known cells of a class in the same column.
#pragma once
#include <cstdint>
#include <vector>

#include "core/selecting/relieff.hpp"

namespace clearwood {

// Of one column. A class without a known cell is taken for all rows; a column without one differs by 0.
class ExpectedDifferences {
 public:
  // `class_of` null: all rows are of one class.
  ExpectedDifferences(const ReliefTask& task, const ReliefColumn& column, const std::int32_t* class_of, std::int32_t classes);

  std::int32_t of(std::int32_t cell, std::int32_t other_class) const;               // a known cell and a missing one
  std::int32_t of_missing(std::int32_t one_class, std::int32_t other_class) const;  // two missing ones

 private:
  struct Cell {
    std::int32_t value;
    double weight;
  };
  // The known cells of a class, equal ones as one, ascending, and their sums up to each.
  struct Known {
    std::vector<Cell> cells;
    std::vector<double> weight, moment;
  };
  const Known& known(std::int32_t one_class) const;
  double average(std::int32_t cell, const Known& known) const;

  bool ordered_;
  std::int32_t unit_;
  std::vector<Known> by_class_;
  Known all_;
};

}  // namespace clearwood
