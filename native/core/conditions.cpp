#include "core/conditions.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace clearwood {

namespace {
constexpr std::size_t below_zero = 2;  // the codes −2, unseen, and −1, missing, stand first in a table

// Packs holds(row) of `rows` rows into words, 64 at a time.
template <class Holds>
void pack(std::size_t rows, Word* out, Holds&& holds) {
  for (std::size_t start = 0; start < rows; start += 64) {
    const std::size_t stop = rows - start < 64 ? rows - start : 64;
    Word word = 0;
    for (std::size_t i = 0; i < stop; ++i) word |= static_cast<Word>(holds(start + i)) << i;
    out[start / 64] = word;
  }
}

template <class T>
void numbers(const Column& column, std::size_t first, std::size_t rows, double low, double high, bool or_missing,
             Word* out) {
  const auto within = [&](auto cell) {
    pack(rows, out, [&](std::size_t row) {
      const double x = static_cast<double>(cell(row));
      return (x > low && x <= high) || (or_missing && std::isnan(x));
    });
  };
  if (column.stride == sizeof(T)) {
    const T* const values = reinterpret_cast<const T*>(column.data) + first;
    within([&](std::size_t row) { return values[row]; });
  } else {
    within([&](std::size_t row) { return column.at<T>(first + row); });
  }
}
}  // namespace

Conditions::Conditions(const ConditionsView& view, Cells cells) : view_(view), cells_(std::move(cells)) {
  table_start_.resize(view.size + 1);
  for (std::size_t i = 0; i < view.size; ++i) {
    const std::int32_t at = view.attribute[i];
    if (at < 0 || static_cast<std::size_t>(at) >= cells_.size() || !cells_[static_cast<std::size_t>(at)])
      throw std::invalid_argument("A condition asks for a column that is not there.");
    const Column& column = *cells_[static_cast<std::size_t>(at)];
    const std::int64_t start = view.set_start[i], stop = view.set_start[i + 1];
    if (start < 0 || stop < start || static_cast<std::size_t>(stop) > view.set_size)
      throw std::invalid_argument("A condition's set of values lies outside the codes.");
    table_start_[i] = tables_.size();
    if (column.numeric()) continue;
    tables_.resize(tables_.size() + below_zero + static_cast<std::size_t>(column.values), 0);
    std::uint8_t* const table = tables_.data() + table_start_[i];
    table[1] = view.or_missing[i];
    for (std::int64_t k = start; k < stop; ++k) {
      const std::int32_t code = view.set_codes[k];
      if (code < 0 || code >= column.values) throw std::invalid_argument("A condition names a code beyond the values.");
      table[below_zero + static_cast<std::size_t>(code)] = 1;
    }
  }
  table_start_[view.size] = tables_.size();
}

void Conditions::answer(std::size_t condition, std::size_t first, std::size_t rows, Word* out) const {
  const Column& column = *cells_[static_cast<std::size_t>(view_.attribute[condition])];
  const bool or_missing = view_.or_missing[condition];
  if (column.type == Column::Type::float32) {
    return numbers<float>(column, first, rows, view_.low[condition], view_.high[condition], or_missing, out);
  }
  if (column.type == Column::Type::float64) {
    return numbers<double>(column, first, rows, view_.low[condition], view_.high[condition], or_missing, out);
  }
  const std::uint8_t* const table = tables_.data() + table_start_[condition];
  const std::size_t size = table_start_[condition + 1] - table_start_[condition];
  const std::int64_t start = view_.set_start[condition];
  const bool contiguous = column.stride == sizeof(std::int32_t);
  const std::int32_t* const codes = reinterpret_cast<const std::int32_t*>(column.data) + first;
  if (contiguous && !or_missing && view_.set_start[condition + 1] - start == 1) {
    const std::int32_t wanted = view_.set_codes[start];
    return pack(rows, out, [&](std::size_t row) { return codes[row] == wanted; });
  }
  pack(rows, out, [&](std::size_t row) -> bool {
    const std::int32_t code = contiguous ? codes[row] : column.code(first + row);
    const std::size_t place = static_cast<std::size_t>(static_cast<std::int64_t>(code) + 2);
    return place < size && table[place];
  });
}

}  // namespace clearwood
