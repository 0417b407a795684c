#include "core/reading/survey.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace clearwood {
namespace {

constexpr std::size_t block_rows = 4096;

// A number times zero is zero unless it is infinite or missing; sums of such products show whether any was.
template <class Float>
bool all_finite(const Float* values, std::size_t count, std::ptrdiff_t stride) {
  Float sums[8] = {};
  std::size_t i = 0;
  if (stride == 1) {
    for (; i + 8 <= count; i += 8)
      for (std::size_t k = 0; k < 8; ++k) sums[k] += values[i + k] * Float(0);
  }
  for (; i < count; ++i) sums[0] += values[static_cast<std::ptrdiff_t>(i) * stride] * Float(0);
  Float sum = 0;
  for (const Float each : sums) sum += each;
  return sum == 0;
}

}  // namespace

template <class Float>
Survey survey(const Float* values, std::size_t rows, std::size_t columns, std::ptrdiff_t row_stride,
              std::ptrdiff_t column_stride, int threads, const StopFlag& stop) {
  Survey result;
  result.whole.assign(columns, 1);
  std::vector<std::atomic<bool>> broken(columns);  // the column has a number that isn't whole
  std::mutex guard;
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  const bool by_rows = columns > 1 && std::abs(column_stride) < std::abs(row_stride);
  run_parallel(blocks, threads, [&](std::size_t block, int) {
    check(stop);
    const std::size_t first = block * block_rows, last = std::min(rows, first + block_rows);
    auto at = [&](std::size_t row, std::size_t column) {
      return values[static_cast<std::ptrdiff_t>(row) * row_stride + static_cast<std::ptrdiff_t>(column) * column_stride];
    };
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t row = first; row < last && !broken[column].load(std::memory_order_relaxed); ++row) {
        const Float value = at(row, column);
        if (value == value && value != std::trunc(value)) broken[column].store(true, std::memory_order_relaxed);
      }
    }
    auto line_is_finite = [&](std::size_t outer) {
      if (by_rows) return all_finite(values + static_cast<std::ptrdiff_t>(first + outer) * row_stride, columns, column_stride);
      return all_finite(values + static_cast<std::ptrdiff_t>(first) * row_stride +
                            static_cast<std::ptrdiff_t>(outer) * column_stride, last - first, row_stride);
    };
    bool clean = true;
    if (by_rows && column_stride == 1 && row_stride == static_cast<std::ptrdiff_t>(columns)) {
      clean = all_finite(values + first * columns, (last - first) * columns, 1);
    } else {
      for (std::size_t outer = 0; clean && outer < (by_rows ? last - first : columns); ++outer) clean = line_is_finite(outer);
    }
    if (clean) return;
    for (std::size_t row = first; row < last; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        if (std::isinf(at(row, column))) {
          std::lock_guard lock(guard);
          const auto infinite_row = static_cast<std::int64_t>(row);
          if (result.row < 0 || infinite_row < result.row) {
            result.row = infinite_row;
            result.column = static_cast<std::int64_t>(column);
          }
          return;
        }
  });
  for (std::size_t column = 0; column < columns; ++column) result.whole[column] = !broken[column];
  return result;
}

template Survey survey(const float*, std::size_t, std::size_t, std::ptrdiff_t, std::ptrdiff_t, int, const StopFlag&);
template Survey survey(const double*, std::size_t, std::size_t, std::ptrdiff_t, std::ptrdiff_t, int, const StopFlag&);

}  // namespace clearwood
