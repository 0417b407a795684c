#include "core/reading/survey.hpp"

#include <bit>
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

constexpr std::int32_t none = -1;
constexpr std::int32_t small = 1 << 15;  // whole numbers from −small up to below small have a place of their own
constexpr std::size_t block = 1 << 16;  // rows between two looks at the stop flag

class Coder {
 public:
  std::int32_t code(double number) {
    if (number != number) return none;
    if (number >= -small && number < small) {
      const auto whole = static_cast<std::int32_t>(number);
      if (whole == number) {
        std::int32_t& code = small_[static_cast<std::size_t>(whole + small)];
        if (code == none) code = add(number + 0.0);
        return code;
      }
    }
    return look_up(number);
  }
  std::vector<double> take() { return std::move(numbers_); }

 private:
  std::int32_t add(double number) {
    numbers_.push_back(number);
    return static_cast<std::int32_t>(numbers_.size() - 1);
  }
  std::size_t slot(double number) const {
    std::uint64_t hash = std::bit_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 32;
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != none && numbers_[static_cast<std::size_t>(slots_[at])] != number) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  std::int32_t look_up(double number) {
    std::size_t at = slot(number);
    if (slots_[at] != none) return slots_[at];
    if (++used_ * 2 > slots_.size()) {
      std::vector<std::int32_t> old(slots_.size() * 2, none);
      old.swap(slots_);
      for (const std::int32_t code : old)
        if (code != none) slots_[slot(numbers_[static_cast<std::size_t>(code)])] = code;
      at = slot(number);
    }
    return slots_[at] = add(number);
  }

  std::vector<std::int32_t> small_ = std::vector<std::int32_t>(2 * small, none);
  std::vector<std::int32_t> slots_ = std::vector<std::int32_t>(1024, none);  // open addressing, at most half full
  std::size_t used_ = 0;
  std::vector<double> numbers_;
};

}  // namespace

template <class Float>
Survey survey(const Float* values, std::size_t rows, std::size_t columns, std::ptrdiff_t row_stride,
              std::ptrdiff_t column_stride, int threads, const StopFlag& stop) {
  Survey result;
  result.whole.assign(columns, 1);
  std::vector<std::atomic<bool>> broken(columns);  // the column has a number that isn't whole
  std::mutex guard;
  const bool by_rows = columns > 1 && std::abs(column_stride) < std::abs(row_stride);
  over_rows(rows, block_rows, threads, stop, [&](std::size_t first, std::size_t last, int) {
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

std::vector<double> number_codes(const Column& column, std::size_t rows, std::int32_t* codes, const StopFlag& stop) {
  Coder coder;
  for (std::size_t begin = 0; begin < rows; begin += block) {
    check(stop);
    for (std::size_t row = begin; row < std::min(rows, begin + block); ++row) codes[row] = coder.code(column.number(row));
  }
  return coder.take();
}

}  // namespace clearwood
