// What the bindings over trees and rules share: a model's columns and a table's cells, seen from C++.
#pragma once
#include "bind/arrays.hpp"
#include "core/trees/walk.hpp"

namespace clearwood::bound {
template <class T>
const T* column(nb::handle nodes, const char* name, std::size_t size) {
  const auto array = nb::cast<Array<T>>(nodes.attr(name));
  if (array.shape(0) != size) throw nb::value_error("The columns of a model differ in length.");
  return array.data();
}

inline std::size_t length(nb::handle nodes, const char* name) { return nb::len(nb::object(nodes.attr(name))); }

// The arrays stay alive in `nodes`, which the caller holds.
inline NodesView view(nb::handle nodes) {
  const std::size_t n = length(nodes, "parent");
  const std::size_t s = length(nodes, "s_attribute");
  const std::size_t codes = length(nodes, "set_codes");
  const std::size_t s_codes = length(nodes, "s_set_codes");
  return {static_cast<int32_t>(n),
          column<int32_t>(nodes, "end", n),
          column<double>(nodes, "share", n),
          column<int32_t>(nodes, "otherwise", n),
          column<int32_t>(nodes, "attribute", n),
          column<double>(nodes, "low", n),
          column<double>(nodes, "high", n),
          column<bool>(nodes, "or_missing", n),
          column<int64_t>(nodes, "set_start", n + 1),
          column<int32_t>(nodes, "set_codes", codes),
          static_cast<int64_t>(codes),
          column<int64_t>(nodes, "s_start", n + 1),
          static_cast<int64_t>(s),
          column<int32_t>(nodes, "s_attribute", s),
          column<double>(nodes, "s_limit", s),
          column<int32_t>(nodes, "s_branch", s),
          column<int64_t>(nodes, "s_set_start", s + 1),
          column<int64_t>(nodes, "s_set_split", s),
          column<int32_t>(nodes, "s_set_codes", s_codes),
          static_cast<int64_t>(s_codes)};
}

inline Columns columns_of(nb::list cells, Array<int32_t> values, std::size_t rows) {
  Columns columns(nb::len(cells));
  if (values.shape(0) != columns.size()) throw nb::value_error("One number of values per attribute.");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (cells[i].is_none()) continue;
    const auto array = nb::cast<AnyArray>(cells[i]);
    if (array.shape(0) != rows) throw nb::value_error("Columns differ in length.");
    columns[i] = column_of(array, values.data()[i]);
    if (columns[i]->numeric() != (values.data()[i] < 0))
      throw nb::type_error("Codes belong to nominal and ordinal attributes.");
  }
  return columns;
}

inline Walk walk_of(nb::handle nodes, nb::list cells, Array<int32_t> values, std::size_t rows) {
  return Walk(view(nodes), columns_of(cells, values, rows));
}

}  // namespace clearwood::bound
