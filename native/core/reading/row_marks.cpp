#include "core/reading/row_marks.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/numeric/chance.hpp"

namespace clearwood {

namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio: its products spread over all bits

std::uint64_t spread(std::uint64_t word) {
  word = word * kOdd + kOdd;
  return word ^ (word >> 32);
}

// The bits of a cell; minus zero is zero, and one missing number is as another.
std::uint64_t word_of(double number) {
  return std::bit_cast<std::uint64_t>(number == number ? number + 0.0 : std::numeric_limits<double>::quiet_NaN());
}
std::uint64_t word_of(std::int32_t code) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(code)); }

template <class Each>
void with_words(const Column& column, std::size_t begin, std::size_t end, Each each) {
  switch (column.type) {
    case Column::Type::codes:
      for (std::size_t row = begin; row < end; ++row) each(row, word_of(column.code(row)));
      return;
    case Column::Type::float32:
      for (std::size_t row = begin; row < end; ++row) each(row, word_of(static_cast<double>(column.at<float>(row))));
      return;
    case Column::Type::float64:
      for (std::size_t row = begin; row < end; ++row) each(row, word_of(column.at<double>(row)));
      return;
  }
}

constexpr std::size_t kStretch = 16384;  // rows whose words stay in the cache while column after column is mixed in

}  // namespace

std::vector<std::uint64_t> row_marks(const std::vector<Column>& columns, const Column& target, std::size_t rows,
                                     int threads) {
  std::vector<std::uint64_t> beside(rows), marks(columns.size());
  with_words(target, 0, rows, [&](std::size_t row, std::uint64_t word) { beside[row] = spread(word); });
  run_parallel(columns.size(), threads, [&](std::size_t i, int) {
    std::uint64_t sum = 0;
    with_words(columns[i], 0, rows, [&](std::size_t row, std::uint64_t word) {
      const std::uint64_t mixed = spread(word ^ beside[row]);
      sum += mixed * mixed;
    });
    marks[i] = sum;
  });
  return marks;
}

std::vector<std::uint64_t> row_hashes(const std::vector<Column>& columns, std::size_t rows, int threads) {
  std::vector<std::uint64_t> hashes(rows, 0);
  run_parallel((rows + kStretch - 1) / kStretch, threads, [&](std::size_t i, int) {
    const std::size_t begin = i * kStretch, end = std::min(rows, begin + kStretch);
    for (const Column& column : columns)
      with_words(column, begin, end,
                 [&](std::size_t row, std::uint64_t word) { hashes[row] = mixed((hashes[row] ^ word) + golden); });
  });
  return hashes;
}

}  // namespace clearwood
