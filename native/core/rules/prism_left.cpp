#include "core/rules/prism_left.hpp"

#include <algorithm>

namespace clearwood {

Left::Left(const std::vector<RuleColumn>& columns, const Labels& classes, std::int32_t goal, const RowList& rows)
    : columns_(columns),
      classes_(classes),
      goal_(goal),
      is_left_(classes.of.size(), false),
      size_(rows.size()),
      by_column_(columns.size()) {
  for (const Row row : rows) {
    is_left_[row] = true;
    if (classes.of[row] == goal) ++goals_;
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Values& values = by_column_[c];
    const auto& codes = columns[c].codes;
    values.counts.resize(columns[c].size);
    std::size_t known = 0;
    for (const Row row : rows) {
      if (codes[row] < 0) continue;
      Count& value_count = values.counts[index(codes[row])];
      count(value_count, row, 1);
      ++value_count.end;
      ++known;
    }
    std::size_t place = 0;
    for (std::size_t code = 0; code < values.counts.size(); ++code) {
      Count& value_count = values.counts[code];
      value_count.begin = place;
      place += value_count.end;
      value_count.end = value_count.begin;
      if (value_count.goals > 0) values.alive.push_back(static_cast<std::int32_t>(code));
    }
    values.rows.resize(known);
    for (const Row row : rows)
      if (codes[row] >= 0) values.rows[values.counts[index(codes[row])].end++] = row;
  }
}

RowList Left::all() const {
  RowList rows;
  for (Row row = 0; row < is_left_.size(); ++row)
    if (is_left_[row]) rows.push_back(row);
  return rows;
}

RowList Left::rows_with(std::size_t column, std::int32_t code) {
  Values& values = by_column_[column];
  Count& value_count = values.counts[index(code)];
  const auto at = [&](std::size_t place) { return values.rows.begin() + static_cast<std::ptrdiff_t>(place); };
  const auto end = std::remove_if(at(value_count.begin), at(value_count.end), [&](Row row) { return !is_left_[row]; });
  value_count.end = static_cast<std::size_t>(end - values.rows.begin());
  return {at(value_count.begin), end};
}

void Left::take(const RowList& rows) {
  for (const Row row : rows) {
    is_left_[row] = false;
    if (classes_.of[row] == goal_) --goals_;
  }
  size_ -= rows.size();
  for (std::size_t c = 0; c < columns_.size(); ++c)
    for (const Row row : rows)
      if (const std::int32_t code = columns_[c].codes[row]; code >= 0) count(by_column_[c].counts[index(code)], row, -1);
}

void Left::count(Count& count, Row row, int sign) const {
  const double weight = sign * classes_.weight(row);
  count.taken.add(weight);
  if (classes_.of[row] != goal_) return;
  count.right.add(weight);
  count.goals += static_cast<std::uint32_t>(sign);
}

}  // namespace clearwood
