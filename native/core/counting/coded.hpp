// CodedColumn: a column's codes, as codes.hpp makes them, and what they stand for: the one format that learners count.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clearwood {

// A view: the caller owns the codes. `known` is the code of a missing cell, the last there is.
struct CodedColumn {
  enum class Kind : std::uint8_t { values, levels, numbers };  // levels are values in order

  const void* data = nullptr;
  std::size_t bytes = 1;
  std::uint32_t known = 0;
  Kind kind = Kind::values;
  bool any_missing = false;
  std::vector<double> steps{};  // [code] of numbers: the number of a ladder, else the code itself, as of levels
  std::vector<double> cuts{};   // of numbers with given thresholds: code k ends at cuts[k]

  std::size_t bins() const { return static_cast<std::size_t>(known) + 1; }
  std::uint32_t at(std::size_t row) const {
    return bytes == 1   ? static_cast<const std::uint8_t*>(data)[row]
           : bytes == 2 ? static_cast<const std::uint16_t*>(data)[row]
                        : static_cast<const std::uint32_t*>(data)[row];
  }
  // Calls with the codes as an array of their width.
  template <class Call>
  decltype(auto) visit(Call&& call) const {
    if (bytes == 1) return call(static_cast<const std::uint8_t*>(data));
    if (bytes == 2) return call(static_cast<const std::uint16_t*>(data));
    return call(static_cast<const std::uint32_t*>(data));
  }
};

}  // namespace clearwood
