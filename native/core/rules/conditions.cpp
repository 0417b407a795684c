#include "core/rules/conditions.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace clearwood {

namespace {
constexpr std::size_t below_zero = 2;  // the codes −2, unseen, and −1, missing, stand first in a table

// A table by code is quick, but conditions on thousands of values would fill the memory with them.
constexpr std::int32_t most_in_a_table = 4096;

// Packs holds(row) of `rows` rows into words. Bytes first, then bits: the comparisons can then run side by side.
template <class Holds>
void pack(std::size_t rows, Word* out, Holds&& holds) {
  for (std::size_t start = 0; start < rows; start += 64) {
    const std::size_t stop = rows - start < 64 ? rows - start : 64;
    alignas(64) std::uint8_t bytes[64];
    if (stop == 64) {
      for (std::size_t i = 0; i < 64; ++i) bytes[i] = holds(start + i);
    } else {
      for (std::size_t i = 0; i < 64; ++i) bytes[i] = i < stop && holds(start + i);
    }
    Word word = 0;
    if constexpr (std::endian::native == std::endian::little) {
      for (std::size_t i = 0; i < 64; i += 8) {
        Word eight;
        std::memcpy(&eight, bytes + i, 8);
        word |= eight * 0x0102040810204080u >> 56 << i;  // gathers the lowest bits of eight bytes in one
      }
    } else {
      for (std::size_t i = 0; i < 64; ++i) word |= static_cast<Word>(bytes[i]) << i;
    }
    out[start / 64] = word;
  }
}

template <class T>
void numbers(const Column& column, std::size_t first, std::size_t rows, double low, double high, bool or_missing,
             Word* out) {
  const auto within = [&](auto cell) {
    pack(rows, out, [&](std::size_t row) -> std::uint8_t {
      const double x = static_cast<double>(cell(row));
      return static_cast<std::uint8_t>(((x > low) & (x <= high)) | (or_missing & (x != x)));
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
    for (std::int64_t k = start; k < stop; ++k)
      if (view.set_codes[k] < 0 || view.set_codes[k] >= column.values)
        throw std::invalid_argument("A condition names a code beyond the values.");
    if (stop - start < 2 || column.values > most_in_a_table) continue;
    tables_.resize(tables_.size() + below_zero + static_cast<std::size_t>(column.values), 0);
    std::uint8_t* const table = tables_.data() + table_start_[i];
    table[1] = view.or_missing[i];
    for (std::int64_t k = start; k < stop; ++k) table[below_zero + static_cast<std::size_t>(view.set_codes[k])] = 1;
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
  const std::int32_t* const chosen = view_.set_codes + view_.set_start[condition];
  const std::int32_t* const chosen_end = view_.set_codes + view_.set_start[condition + 1];
  const auto among = [&](auto code) {
    if (chosen_end - chosen < 2) {  // −2, unseen, equals no value of the schema, and −1 only what takes missing cells
      const std::int32_t only = chosen == chosen_end ? -1 : *chosen;
      const bool any = chosen != chosen_end || or_missing;
      return pack(rows, out, [&, only](std::size_t row) -> std::uint8_t {
        const std::int32_t value = code(row);
        return static_cast<std::uint8_t>((any & (value == only)) | (or_missing & (value == -1)));
      });
    }
    const std::uint8_t* const table = tables_.data() + table_start_[condition];
    const std::size_t size = table_start_[condition + 1] - table_start_[condition];
    if (size == 0)
      return pack(rows, out, [&](std::size_t row) -> std::uint8_t {
        const std::int32_t value = code(row);
        return value == -1 ? or_missing : std::binary_search(chosen, chosen_end, value);
      });
    pack(rows, out, [&](std::size_t row) -> std::uint8_t {
      const std::size_t place = static_cast<std::size_t>(static_cast<std::int64_t>(code(row)) + 2);
      return place < size ? table[place] : std::uint8_t{0};
    });
  };
  if (column.stride == sizeof(std::int32_t)) {
    const std::int32_t* const codes = reinterpret_cast<const std::int32_t*>(column.data) + first;
    among([&](std::size_t row) { return codes[row]; });
  } else {
    among([&](std::size_t row) { return column.code(first + row); });
  }
}

}  // namespace clearwood
