#include "core/selecting/expected_differences.hpp"

#include <algorithm>
#include <cmath>

namespace clearwood {

ExpectedDifferences::ExpectedDifferences(const ReliefTask& task, const ReliefColumn& column, const std::int32_t* class_of,
                                         std::int32_t classes)
    : ordered_(column.ordered), unit_(task.unit), by_class_(static_cast<std::size_t>(classes)) {
  for (std::size_t row = 0; row < task.rows; ++row) {
    if (column.cells[row] < 0) continue;
    const Cell cell{column.cells[row], task.weight_of ? task.weight_of[row] : 1.0};
    by_class_[class_of ? static_cast<std::size_t>(class_of[row]) : 0].cells.push_back(cell);
    all_.cells.push_back(cell);
  }
  auto sum_up = [](Known& known) {
    std::vector<Cell>& cells = known.cells;
    std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.value < b.value; });
    std::size_t end = 0;
    for (const Cell& cell : cells) {
      if (end && cells[end - 1].value == cell.value) {
        cells[end - 1].weight += cell.weight;
      } else {
        cells[end++] = cell;
      }
    }
    cells.resize(end);
    known.weight.assign(end + 1, 0.0);
    known.moment.assign(end + 1, 0.0);
    for (std::size_t i = 0; i < end; ++i) {
      known.weight[i + 1] = known.weight[i] + cells[i].weight;
      known.moment[i + 1] = known.moment[i] + cells[i].weight * cells[i].value;
    }
  };
  for (Known& known : by_class_) sum_up(known);
  sum_up(all_);
}

const ExpectedDifferences::Known& ExpectedDifferences::known(std::int32_t one_class) const {
  const Known& known = by_class_[static_cast<std::size_t>(one_class)];
  return known.cells.empty() ? all_ : known;
}

double ExpectedDifferences::average(std::int32_t cell, const Known& known) const {
  if (known.cells.empty()) return 0.0;
  const auto place = std::lower_bound(known.cells.begin(), known.cells.end(), cell,
                                      [](const Cell& each, std::int32_t value) { return each.value < value; });
  const double total = known.weight.back();
  if (!ordered_) {
    const double same = place != known.cells.end() && place->value == cell ? place->weight : 0.0;
    return unit_ * ((total - same) / total);
  }
  const auto below = static_cast<std::size_t>(place - known.cells.begin());
  const double lower = cell * known.weight[below] - known.moment[below];
  const double upper = known.moment.back() - known.moment[below] - cell * (total - known.weight[below]);
  return (lower + upper) / total;
}

std::int32_t ExpectedDifferences::of(std::int32_t cell, std::int32_t other_class) const {
  return static_cast<std::int32_t>(std::lround(average(cell, known(other_class))));
}

std::int32_t ExpectedDifferences::of_missing(std::int32_t one_class, std::int32_t other_class) const {
  const Known& one = known(one_class);
  const Known& other = known(other_class);
  if (one.cells.empty()) return 0;
  double sum = 0.0;
  for (const Cell& cell : one.cells) sum += cell.weight * average(cell.value, other);
  return static_cast<std::int32_t>(std::lround(sum / one.weight.back()));
}

}  // namespace clearwood
