// Out of bag: rows that a tree did not draw are answered by it, and the error of all trees so far is noted.
#pragma once
#include <cstdint>
#include <vector>

#include "core/ensembles/forest_tree.hpp"

namespace clearwood {

// The rows that a tree did not draw, and the leaf of each.
struct Answered {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> leaves;
};

Answered answer_undrawn(const ForestTree& tree, const std::vector<CodedColumn>& columns,
                        const ForestRows& by_row, const std::vector<std::uint32_t>& times);

// Trees have to come in order.
class OutOfBagErrors {
 public:
  OutOfBagErrors(const Problem& problem, const ForestSettings& settings, OutOfBag before);
  void add(const ForestTree& tree, const Answered& answered);
  double latest() const;  // the mean error of the trees so far; NaN before a row was out of bag
  OutOfBag take() { return std::move(result_); }

 private:
  double wrong(std::size_t row) const;  // 1 or 0, or the squared error

  const Problem& problem_;
  const ForestSettings& settings_;
  std::size_t width_;  // sums per row
  OutOfBag result_;
  std::vector<double> wrong_;  // [row] by the trees so far
};

}  // namespace clearwood
