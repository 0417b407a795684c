// Problem: the table as the growers see it: columns, target, weights. Views only; the caller owns the memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace clearwood {

// A column: numbers (float or double, NaN missing) or codes (int32, below zero missing), `stride` bytes from row to row.
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
  double number(std::size_t row) const {
    return type == Type::float32 ? static_cast<double>(at<float>(row)) : at<double>(row);
  }
  std::int32_t code(std::size_t row) const { return at<std::int32_t>(row); }
};

struct Problem {
  std::size_t rows = 0;
  std::vector<Column> columns;             // in schema order
  std::int32_t classes = 0;                // 0: the target is a number
  const std::int32_t* class_of = nullptr;  // [row]
  const double* number_of = nullptr;       // [row]
  const double* weight_of = nullptr;       // [row]; null: all 1
  bool by_median = false;                  // numbers are summed up by their median, not their mean
  std::vector<double> factors;             // [class] what priors and costs make of a row's weight; empty: 1

  // Numbers kept per node: a weight per class, or weight, value and error.
  std::size_t width() const { return classes > 0 ? static_cast<std::size_t>(classes) : 3; }
};

}  // namespace clearwood
