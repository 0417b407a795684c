#include "core/sorting.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace clearwood {
namespace {

constexpr int digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
constexpr std::uint32_t missing_key = 0xFFFFFFFFu;

// Bits that sort as the number does; −0 is 0, NaN is last.
std::uint32_t ordered(float value) {
  if (std::isnan(value)) return missing_key;
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

std::uint64_t ordered(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return bits & 0x8000000000000000ull ? ~bits : bits | 0x8000000000000000ull;
}

// Least-significant-digit radix sort of the upper 32 bits, stable; a digit that all keys share costs nothing.
// Sorts what is in `from`; the result is in the returned array, `from` or `other`.
Entry* radix_sort(Entry* from, Entry* other, std::size_t count) {
  std::array<std::array<std::uint32_t, digits>, 3> histogram{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto key = static_cast<std::uint32_t>(from[i] >> 32);
    ++histogram[0][key & (digits - 1)];
    ++histogram[1][(key >> digit_bits) & (digits - 1)];
    ++histogram[2][key >> (2 * digit_bits)];
  }
  for (int pass = 0; pass < 3; ++pass) {
    auto& counts = histogram[static_cast<std::size_t>(pass)];
    const int shift = 32 + pass * digit_bits;
    if (counts[(from[0] >> shift) & (digits - 1)] == count) continue;
    std::uint32_t start = 0;
    for (auto& each : counts) start += std::exchange(each, start);
    for (std::size_t i = 0; i < count; ++i) {
      const Entry entry = from[i];
      other[counts[(entry >> shift) & (digits - 1)]++] = entry;
    }
    std::swap(from, other);
  }
  return from;
}

bool fits_float(const Column& column, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    const double value = column.at<double>(row);
    if (static_cast<double>(static_cast<float>(value)) != value && !std::isnan(value)) return false;
  }
  return true;
}

}  // namespace

SortedColumn sort_column(const Problem& problem, const Column& column, int class_bits, bool keep_values, Entry* out,
                         std::vector<Entry>& scratch) {
  const std::size_t rows = problem.rows;
  scratch.resize(rows);
  const bool narrow = column.type == Column::Type::float32 || fits_float(column, rows);
  if (column.type == Column::Type::float32) {
    for (std::size_t row = 0; row < rows; ++row)
      scratch[row] = static_cast<Entry>(ordered(column.at<float>(row))) << 32 | row;
  } else if (narrow) {
    for (std::size_t row = 0; row < rows; ++row)
      scratch[row] = static_cast<Entry>(ordered(static_cast<float>(column.at<double>(row)))) << 32 | row;
  } else {
    for (std::size_t row = 0; row < rows; ++row) {
      const double value = column.at<double>(row);
      const std::uint64_t key = std::isnan(value) ? ~0ull : ordered(value);
      scratch[row] = (key & 0xFFFFFFFF00000000ull) | row;
    }
  }
  Entry* sorted = radix_sort(scratch.data(), out, rows);
  if (sorted != out) std::copy(sorted, sorted + rows, out);
  if (!narrow) {
    // The radix saw only the upper half of each double; rows alike in it are put in order one run at a time.
    auto key = [&](Entry entry) {
      const double value = column.at<double>(instance_of(entry));
      return std::isnan(value) ? ~0ull : ordered(value);
    };
    for (std::size_t begin = 0; begin < rows;) {
      std::size_t end = begin + 1;
      while (end < rows && out[end] >> 32 == out[begin] >> 32) ++end;
      if (end - begin > 1)
        std::stable_sort(out + begin, out + end, [&](Entry a, Entry b) { return key(a) < key(b); });
      begin = end;
    }
  }
  SortedColumn result;
  const std::uint32_t last_rank = (0xFFFFFFFFu >> class_bits) << class_bits;
  std::uint32_t rank = 0;
  auto place = [&](std::size_t i, std::uint32_t shifted_rank) {
    const std::uint32_t row = instance_of(out[i]);
    const std::uint32_t cls = class_bits > 0 ? static_cast<std::uint32_t>(problem.class_of[row]) : 0u;
    out[i] = static_cast<Entry>(shifted_rank | cls) << 32 | row;
  };
  auto number = [&](std::size_t i) { return column.number(instance_of(out[i])); };
  std::uint64_t before = 0;
  double value_before = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t key = out[i] >> 32;
    if (key == missing_key) {
      result.any_missing = true;
      place(i, last_rank);
      continue;
    }
    if (i > 0) {
      if (key != before) {
        ++rank;
      } else if (!narrow && number(i) != value_before) {
        ++rank;
      }
    }
    before = key;
    if (!narrow) value_before = number(i);
    if (keep_values && result.values.size() <= rank) result.values.push_back(number(i));
    place(i, rank << class_bits);
  }
  return result;
}

}  // namespace clearwood
