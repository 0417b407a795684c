#include "core/trees/values.hpp"

#include <cmath>
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

// branch_of(instance): the branch, or shared_branch.
template <class BranchOf>
std::vector<double> summarise_by(const Pack& pack, const Range& range, std::size_t branches,
                                 const std::vector<double>& shares, BranchOf branch_of) {
  const Problem& problem = pack.problem();
  const std::size_t width = problem.width();
  const std::uint32_t* list = pack.instances(range);
  std::vector<double> result(branches * width, 0.0);
  // Calls visit(branch, weight, instance) for every branch a row goes down.
  auto each = [&](auto visit) {
    for (std::size_t i = 0; i < range.size; ++i) {
      const std::uint32_t instance = list[i];
      const std::uint32_t b = branch_of(instance);
      if (b != Pack::shared_branch) {
        visit(b, pack.weight(instance), instance);
        continue;
      }
      for (std::size_t k = 0; k < branches; ++k)
        if (shares[k] > 0.0) visit(k, pack.weight(instance) * shares[k], instance);
    }
  };
  if (problem.classes > 0) {
    each([&](std::size_t b, double weight, std::uint32_t instance) {
      result[b * width + static_cast<std::size_t>(pack.class_of(instance))] += weight;
    });
    return result;
  }
  std::vector<double> weight_of(branches, 0.0), value_of(branches, 0.0), error_of(branches, 0.0);
  std::vector<double> least(branches, std::numeric_limits<double>::infinity());
  std::vector<double> most(branches, -std::numeric_limits<double>::infinity());
  if (problem.by_median) {
    std::vector<std::vector<std::pair<double, double>>> pairs(branches);
    each([&](std::size_t b, double weight, std::uint32_t instance) {
      weight_of[b] += weight;
      pairs[b].emplace_back(pack.number_of(instance), weight);
    });
    for (std::size_t b = 0; b < branches; ++b) {
      value_of[b] = weighted_median(pairs[b]);
      for (const auto& [value, weight] : pairs[b]) error_of[b] += weight * std::abs(value - value_of[b]);
    }
  } else {
    each([&](std::size_t b, double weight, std::uint32_t instance) {
      const double number = pack.number_of(instance);
      weight_of[b] += weight;
      value_of[b] += weight * number;
      least[b] = std::min(least[b], number);
      most[b] = std::max(most[b], number);
    });
    // Equal numbers have that mean and no error, whatever rounding makes of their sum.
    for (std::size_t b = 0; b < branches; ++b)
      if (weight_of[b] > 0) value_of[b] = least[b] == most[b] ? least[b] : value_of[b] / weight_of[b];
    each([&](std::size_t b, double weight, std::uint32_t instance) {
      const double off = pack.number_of(instance) - value_of[b];
      error_of[b] += weight * off * off;
    });
  }
  for (std::size_t b = 0; b < branches; ++b) {
    result[b * width] = weight_of[b];
    result[b * width + 1] = value_of[b];
    result[b * width + 2] = error_of[b];
  }
  return result;
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

void measure_values(const NodeView& node, int attribute, Scratch& scratch, ValueCounts& result) {
  const Pack& pack = node.pack;
  const auto values = static_cast<std::size_t>(pack.problem().columns[static_cast<std::size_t>(attribute)].values);
  const std::uint32_t* list = pack.instances(node.range);
  auto& cells = scratch.table;
  cells.assign((values + 1) * 3, 0.0);
  auto cell_of = [&](std::uint32_t instance) {
    return cells.data() + static_cast<std::size_t>(pack.code(instance, attribute) + 1) * 3;
  };
  for (std::size_t i = 0; i < node.range.size; ++i) {
    double* cell = cell_of(list[i]);
    cell[0] += pack.weight(list[i]);
    cell[1] += pack.weight(list[i]) * pack.number_of(list[i]);
  }
  for (std::size_t v = 0; v <= values; ++v)
    if (cells[v * 3] > 0.0) cells[v * 3 + 1] /= cells[v * 3];
  for (std::size_t i = 0; i < node.range.size; ++i) {
    double* cell = cell_of(list[i]);
    const double off = pack.number_of(list[i]) - cell[1];
    cell[2] += pack.weight(list[i]) * off * off;
  }
  gather(cells, values, 3, true, result);
}

std::vector<std::int32_t> one_branch_each(std::int32_t values) {
  std::vector<std::int32_t> branch_of(static_cast<std::size_t>(values));
  std::iota(branch_of.begin(), branch_of.end(), 0);
  return branch_of;
}

double weighted_median(std::vector<std::pair<double, double>>& pairs) {
  if (pairs.empty()) return 0.0;
  std::sort(pairs.begin(), pairs.end());
  double total = 0.0;
  for (const auto& [value, weight] : pairs) total += weight;
  double below = 0.0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    below += pairs[i].second;
    if (std::abs(below - total / 2) <= 1e-12 * total && i + 1 < pairs.size())
      return (pairs[i].first + pairs[i + 1].first) / 2;
    if (below >= total / 2) return pairs[i].first;
  }
  return pairs.back().first;
}

std::vector<double> summarise_branches(const Pack& pack, const Range& range, int branches, const Pack::Routed& routed,
                                       const std::vector<double>& shares) {
  const auto classes = static_cast<std::size_t>(pack.problem().classes);
  if (classes == 0)
    return summarise_by(pack, range, static_cast<std::size_t>(branches), shares,
                        [&](std::uint32_t instance) { return pack.branch(instance); });
  std::vector<double> counts = routed.counts;
  const std::vector<double> ends = ends_of_shares(shares);
  for (const std::uint32_t instance : routed.shared)
    for (std::size_t b = 0; b < shares.size(); ++b)
      counts[b * classes + static_cast<std::size_t>(pack.class_of(instance))] += pack.part(instance, shares, ends, b);
  return counts;
}

std::vector<double> without_factors(const Problem& problem, std::vector<double> counts) {
  if (problem.factors.empty()) return counts;
  const std::size_t classes = problem.factors.size();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] /= problem.factors[i % classes];
    // Whole rows stay whole: a weight times a factor and back may be off in the last digit.
    const double whole = std::rint(counts[i]);
    if (std::abs(counts[i] - whole) <= 1e-9 * whole) counts[i] = whole;
  }
  return counts;
}

std::vector<double> summarise(const Pack& pack, const Range& range) {
  return summarise_by(pack, range, 1, {1.0}, [](std::uint32_t) { return std::uint32_t{0}; });
}

}  // namespace clearwood
