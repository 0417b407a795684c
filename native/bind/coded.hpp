// Coded columns from Python, checked: a code beyond the last would write outside a histogram.
#pragma once
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "core/counting/histograms.hpp"
#include "core/counting/problem.hpp"

namespace clearwood {

inline CodedColumn code_column(nb::handle given, std::uint32_t known, std::size_t rows) {
  const auto array = nb::cast<nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(given);
  if (array.shape(0) != rows) throw std::invalid_argument("columns differ in length");
  if (array.dtype() != nb::dtype<std::uint8_t>() && array.dtype() != nb::dtype<std::uint16_t>() &&
      array.dtype() != nb::dtype<std::uint32_t>())
    throw std::invalid_argument("codes are uint8, uint16 or uint32");
  CodedColumn column;
  column.data = array.data();
  column.bytes = static_cast<std::size_t>(array.itemsize());
  column.known = known;
  return column;
}

inline std::vector<CodedColumn> code_columns(const nb::list& columns, const std::vector<std::uint32_t>& known, std::size_t rows) {
  if (columns.size() != known.size()) throw std::invalid_argument("a number of codes is needed for every column");
  if (rows >= (std::size_t{1} << 32)) throw std::invalid_argument("rows are numbered by 32 bits");
  std::vector<CodedColumn> coded;
  for (std::size_t c = 0; c < known.size(); ++c) coded.push_back(code_column(columns[c], known[c], rows));
  return coded;
}

inline CodedRows coded_rows(const nb::list& columns, const std::vector<std::uint32_t>& known, std::size_t rows) {
  CodedRows coded;
  coded.rows = rows;
  coded.columns = code_columns(columns, known, rows);
  return coded;
}

// Refuses a code beyond the last, and notes which columns have missing cells.
inline void check_codes_of(std::vector<CodedColumn>& columns, std::size_t rows, int threads) {
  std::vector<std::uint32_t> most(columns.size(), 0);
  if (rows == 0) return;
  run_parallel(columns.size(), rows * columns.size() < small_work ? 1 : threads, [&](std::size_t c, int) {
    columns[c].visit([&](const auto* codes) {
      auto largest = *codes;
      for (std::size_t row = 1; row < rows; ++row) largest = std::max(largest, codes[row]);
      most[c] = largest;
    });
  });
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (most[c] > columns[c].known) throw std::invalid_argument("a column has a code beyond its last");
    columns[c].any_missing = most[c] == columns[c].known;
  }
}

// A problem's target and weights. The arrays keep the memory.
class GivenRows {
 public:
  GivenRows(Problem& problem, std::int32_t classes, const nb::object& target, const nb::object& weights) {
    problem.classes = classes;
    if (classes > 0) {
      codes_ = nb::cast<Codes>(target);
      problem.class_of = codes_.data();
      problem.rows = codes_.shape(0);
    } else {
      numbers_ = nb::cast<Numbers>(target);
      problem.number_of = numbers_.data();
      problem.rows = numbers_.shape(0);
    }
    if (weights.is_none()) return;
    weights_ = nb::cast<Numbers>(weights);
    problem.weight_of = weights_.data();
    if (weights_.shape(0) != problem.rows) throw std::invalid_argument("weights and target differ in length");
  }
  // Refuses a row whose class is none.
  static void check(const Problem& problem) {
    for (std::size_t row = 0; problem.classes > 0 && row < problem.rows; ++row)
      if (problem.class_of[row] < 0 || problem.class_of[row] >= problem.classes)
        throw std::invalid_argument("row " + std::to_string(row) + " has no class");
  }

 private:
  Codes codes_;
  Numbers numbers_, weights_;
};

// What a learner of coded columns is given: (columns, known, kinds, ladders, cuts) as counting/coding.py has them, the target
// and weights. The arrays keep the memory.
class CodedProblem {
 public:
  CodedProblem(const nb::tuple& coded, std::int32_t classes, const nb::object& target, const nb::object& weights)
      : rows_(problem, classes, target, weights) {
    problem.coded = code_columns(nb::cast<nb::list>(coded[0]), nb::cast<std::vector<std::uint32_t>>(coded[1]), problem.rows);
    const auto kinds = nb::cast<std::vector<int>>(coded[2]);
    const auto ladders = nb::cast<nb::list>(coded[3]), cuts = nb::cast<nb::list>(coded[4]);
    const std::size_t width = problem.coded.size();
    if (kinds.size() != width || ladders.size() != width || cuts.size() != width)
      throw std::invalid_argument("what is said of columns is said of each");
    for (std::size_t c = 0; c < width; ++c) {
      CodedColumn& column = problem.coded[c];
      column.kind = static_cast<CodedColumn::Kind>(kinds[c]);
      const auto ladder = nb::cast<Numbers>(ladders[c]), given = nb::cast<Numbers>(cuts[c]);
      if ((ladder.shape(0) > 0 && ladder.shape(0) != column.known) || (given.shape(0) > 0 && given.shape(0) + 1 != column.known))
        throw std::invalid_argument("a ladder has a number for each code, and cuts divide one from the next");
      column.cuts.assign(given.data(), given.data() + given.shape(0));
      column.steps.assign(ladder.data(), ladder.data() + ladder.shape(0));
      if (!column.steps.empty() || column.kind == CodedColumn::Kind::values) continue;
      column.steps.resize(column.known);
      std::iota(column.steps.begin(), column.steps.end(), 0.0);
    }
  }
  // Runs learn(problem, stop) where every code and class is one.
  template <class Learn>
  void learn(const StopFlag& stop, Learn&& learner) {
    check_codes_of(problem.coded, problem.rows, thread_count());
    rows_.check(problem);
    learner(std::as_const(problem), stop);
  }
  Problem problem;

 private:
  GivenRows rows_;
};

}  // namespace clearwood
