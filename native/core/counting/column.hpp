// Column: numbers (float or double, NaN missing) or codes (int32, below zero missing), `stride` bytes from row to row.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace clearwood {

// Beyond every number: where an interval has no end.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

// A view: the caller owns the memory.
struct Column {
  enum class Type : std::uint8_t { float32, float64, codes };
  Type type = Type::codes;
  const std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;
  std::int32_t values = 0;  // codes: how many values the schema lists

  bool numeric() const { return type != Type::codes; }
  template <class T>
  T at(std::size_t row) const {
    T value;
    std::memcpy(&value, data + static_cast<std::ptrdiff_t>(row) * stride, sizeof(T));
    return value;
  }
  // Calls with a value of the type that the cells have.
  template <class Call>
  decltype(auto) visit(Call&& call) const {
    if (type == Type::float32) return call(float{});
    if (type == Type::float64) return call(double{});
    return call(std::int32_t{});
  }
  double number(std::size_t row) const {
    return type == Type::float32 ? static_cast<double>(at<float>(row)) : at<double>(row);
  }
  std::int32_t code(std::size_t row) const { return at<std::int32_t>(row); }
};

// Rows with their classes and weights. A code outside [0, classes) is none, and such a row is not counted, or refused.
struct ClassedRows {
  std::size_t rows = 0;
  std::int32_t classes = 0;
  const std::int32_t* class_of = nullptr;  // [row]
  const double* weight_of = nullptr;       // [row]; null: all 1
};

using Columns = std::vector<std::optional<Column>>;  // [attribute]; nothing where nobody asks for it

// How many of the ascending numbers lie below x, without a branch to guess.
inline std::uint32_t numbers_below(const double* first, std::int64_t count, double x) {
  if (count == 0) return 0;
  const double* base = first;
  while (count > 1) {
    const std::int64_t half = count / 2;
    base += (base[half - 1] < x) * half;
    count -= half;
  }
  return static_cast<std::uint32_t>(base - first) + (*base < x);
}

}  // namespace clearwood
