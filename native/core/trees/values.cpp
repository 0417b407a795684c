#include "core/trees/values.hpp"

#include <algorithm>
#include <numeric>

namespace clearwood {
namespace {

// Gathers the rows of `cells` [value + 1][width] that hold weight (value −1, the missing, is the first row), and clears it.
void gather(std::vector<double>& cells, std::size_t values, std::size_t width, bool first_is_weight,
            ValueCounts& result) {
  result.codes.clear();
  result.table.clear();
  result.weights.clear();
  result.known = 0.0;
  auto weight_of = [&](const double* row) {
    if (first_is_weight) return row[0];
    double sum = 0;
    for (std::size_t c = 0; c < width; ++c) sum += row[c];
    return sum;
  };
  result.missing.assign(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(width));
  result.missing_weight = weight_of(cells.data());
  for (std::size_t v = 0; v < values; ++v) {
    const double* row = cells.data() + (v + 1) * width;
    const double weight = weight_of(row);
    if (!(weight > 0.0)) continue;
    result.codes.push_back(static_cast<std::int32_t>(v));
    result.table.insert(result.table.end(), row, row + width);
    result.weights.push_back(weight);
    result.known += weight;
  }
}

// Adds step(position) to cells[code of the row · width + place(position)]. Rows next to each other take turns between a few
// tables, so that one addition need not wait for the last to the same cell.
template <class Cell, class Codes, class Place, class Step>
void tally(std::vector<Cell>& cells, const Codes* codes, const std::uint32_t* rows, std::size_t size, std::size_t width,
           std::size_t table, Place place, Step step) {
  const std::size_t turns = size > 4 * table ? 4 : 1;
  cells.assign(table * turns, Cell{0});
  std::size_t i = 0;
  if (turns == 4) {
    Cell* const a = cells.data();
    Cell* const b = a + table;
    Cell* const c = b + table;
    Cell* const d = c + table;
    for (; i + 4 <= size; i += 4) {
      a[codes[rows[i]] * width + place(i)] += step(i);
      b[codes[rows[i + 1]] * width + place(i + 1)] += step(i + 1);
      c[codes[rows[i + 2]] * width + place(i + 2)] += step(i + 2);
      d[codes[rows[i + 3]] * width + place(i + 3)] += step(i + 3);
    }
  }
  for (; i < size; ++i) cells[codes[rows[i]] * width + place(i)] += step(i);
  if (turns == 4)
    for (std::size_t k = 0; k < table; ++k) cells[k] += cells[table + k] + cells[2 * table + k] + cells[3 * table + k];
}

}  // namespace

void gather_rows(const Pack& pack, const Range& range, NodeRows& rows) {
  const std::uint32_t* list = pack.instances(range);
  rows.rows.resize(range.size);
  for (std::size_t i = 0; i < range.size; ++i) rows.rows[i] = pack.row(list[i]);
  if (pack.problem().classes > 0) {
    rows.classes.resize(range.size);
    for (std::size_t i = 0; i < range.size; ++i)
      rows.classes[i] = static_cast<std::uint32_t>(pack.classes()[rows.rows[i]]);
  }
  rows.weights.clear();
  if (!pack.unit()) {
    rows.weights.resize(range.size);
    for (std::size_t i = 0; i < range.size; ++i) rows.weights[i] = pack.weights()[list[i]];
  }
}

void count_values(const NodeView& node, int attribute, Scratch& scratch, ValueCounts& result) {
  const Pack& pack = node.pack;
  const auto classes = static_cast<std::size_t>(pack.problem().classes);
  const auto values = static_cast<std::size_t>(pack.problem().columns[static_cast<std::size_t>(attribute)].values);
  const std::size_t table = (values + 1) * classes;
  const CodeColumn& codes = pack.codes(attribute);
  const std::uint32_t* rows = node.rows.rows.data();
  const std::uint32_t* class_of = node.rows.classes.data();
  const double* weights = node.rows.weights.data();
  auto place = [class_of](std::size_t i) { return class_of[i]; };
  auto count = [&](const auto* code) {
    if (node.rows.weights.empty()) {
      tally(scratch.tallies, code, rows, node.range.size, classes, table, place, [](std::size_t) { return 1u; });
      scratch.table.assign(scratch.tallies.begin(), scratch.tallies.begin() + static_cast<std::ptrdiff_t>(table));
    } else {
      tally(scratch.table, code, rows, node.range.size, classes, table, place,
            [weights](std::size_t i) { return weights[i]; });
    }
  };
  if (codes.wide.empty()) {
    count(codes.narrow.data());
  } else {
    count(codes.wide.data());
  }
  gather(scratch.table, values, classes, false, result);
}

void sum_values(const NodeView& node, int attribute, double centre, Scratch& scratch, ValueCounts& result) {
  const Pack& pack = node.pack;
  const auto values = static_cast<std::size_t>(pack.problem().columns[static_cast<std::size_t>(attribute)].values);
  const std::uint32_t* list = pack.instances(node.range);
  scratch.table.assign((values + 1) * 2, 0.0);
  for (std::size_t i = 0; i < node.range.size; ++i) {
    const auto value = static_cast<std::size_t>(pack.code(list[i], attribute) + 1);
    const double weight = pack.weight(list[i]);
    scratch.table[value * 2] += weight;
    scratch.table[value * 2 + 1] += weight * (pack.number_of(list[i]) - centre);
  }
  gather(scratch.table, values, 2, true, result);
}

std::vector<std::int32_t> one_branch_each(std::int32_t values) {
  std::vector<std::int32_t> branch_of(static_cast<std::size_t>(values));
  std::iota(branch_of.begin(), branch_of.end(), 0);
  return branch_of;
}

}  // namespace clearwood
