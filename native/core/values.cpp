#include "core/values.hpp"

#include <algorithm>

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

}  // namespace

void count_values(const NodeView& node, int attribute, Scratch& scratch, ValueCounts& result) {
  const Pack& pack = node.pack;
  const Column& column = pack.problem().columns[static_cast<std::size_t>(attribute)];
  const auto classes = static_cast<std::size_t>(pack.problem().classes);
  const auto values = static_cast<std::size_t>(column.values);
  const std::uint32_t* list = pack.instances(node.range);
  const std::size_t size = node.range.size;
  if (pack.unit()) {
    auto& tallies = scratch.tallies;
    tallies.assign((values + 1) * classes, 0);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t instance = list[i];
      const auto value = static_cast<std::size_t>(std::max(column.code(pack.row(instance)), -1) + 1);
      ++tallies[value * classes + static_cast<std::size_t>(pack.class_of(instance))];
    }
    scratch.table.assign(tallies.begin(), tallies.end());
  } else {
    scratch.table.assign((values + 1) * classes, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t instance = list[i];
      const auto value = static_cast<std::size_t>(std::max(column.code(pack.row(instance)), -1) + 1);
      scratch.table[value * classes + static_cast<std::size_t>(pack.class_of(instance))] += pack.weight(instance);
    }
  }
  gather(scratch.table, values, classes, false, result);
}

void sum_values(const NodeView& node, int attribute, double centre, Scratch& scratch, ValueCounts& result) {
  const Pack& pack = node.pack;
  const Column& column = pack.problem().columns[static_cast<std::size_t>(attribute)];
  const auto values = static_cast<std::size_t>(column.values);
  const std::uint32_t* list = pack.instances(node.range);
  scratch.table.assign((values + 1) * 2, 0.0);
  for (std::size_t i = 0; i < node.range.size; ++i) {
    const std::uint32_t instance = list[i];
    const auto value = static_cast<std::size_t>(std::max(column.code(pack.row(instance)), -1) + 1);
    const double weight = pack.weight(instance);
    scratch.table[value * 2] += weight;
    scratch.table[value * 2 + 1] += weight * (pack.number_of(instance) - centre);
  }
  gather(scratch.table, values, 2, true, result);
}

}  // namespace clearwood
