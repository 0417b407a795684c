#include "core/reading/fingerprint.hpp"

#include <array>
#include <bit>
#include <cstdio>
#include <numeric>
#include <type_traits>

#include "core/numeric/chance.hpp"

namespace clearwood {
namespace {

constexpr std::size_t stretch = 4096;  // rows that are mixed side by side, column by column, and stay in the cache

// Calls each(row, word) with the bits of every cell: a number's as a double, so that the width of a float doesn't matter;
// minus zero is zero, and one missing number is as another: `missing`.
template <class Each>
void with_words(const Column& column, std::size_t begin, std::size_t end, std::uint64_t missing, Each each) {
  column.visit([&](auto kind) {
    using Cell = decltype(kind);
    for (std::size_t row = begin; row < end; ++row) {
      if constexpr (std::is_integral_v<Cell>) {
        each(row, static_cast<std::uint64_t>(static_cast<std::int64_t>(column.at<Cell>(row))));
      } else {
        const double number = static_cast<double>(column.at<Cell>(row)) + 0.0;
        each(row, number == number ? std::bit_cast<std::uint64_t>(number) : missing);
      }
    }
  });
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t bits) {
  hash = (hash ^ bits) * golden;
  return hash ^ (hash >> 29);
}

// What the rows of a stretch come to, each mixed of its own cells: a sum, which no order of rows changes.
std::uint64_t sum_of(const std::vector<Column>& columns, std::size_t begin, std::size_t end) {
  std::array<std::uint64_t, stretch> hashes;
  hashes.fill(golden);
  for (const Column& column : columns)
    with_words(column, begin, end, 1, [&](std::size_t row, std::uint64_t word) { hashes[row - begin] = mix(hashes[row - begin], word); });
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < end - begin; ++i) sum += mixed(hashes[i]);
  return sum;
}

std::uint64_t spread(std::uint64_t word) {
  word = word * golden + golden;
  return word ^ (word >> 32);
}

constexpr std::uint64_t no_number = 0x7FF8000000000000;  // the bits of NaN

}  // namespace

std::string fingerprint(const std::vector<Column>& columns, std::size_t rows, int threads, const StopFlag& stop) {
  std::vector<std::uint64_t> parts((rows + stretch - 1) / stretch);
  over_rows(rows, stretch, threads, stop,
            [&](std::size_t begin, std::size_t end, int) { parts[begin / stretch] = sum_of(columns, begin, end); });
  std::uint64_t hash = mix(golden, rows);
  for (const Column& column : columns) hash = mix(hash, column.numeric() ? 2u : 3u);
  hash = mix(hash, std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}));
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::vector<std::uint64_t> row_marks(const std::vector<Column>& columns, const Column& target, std::size_t rows,
                                     int threads) {
  std::vector<std::uint64_t> beside(rows), marks(columns.size());
  with_words(target, 0, rows, no_number, [&](std::size_t row, std::uint64_t word) { beside[row] = spread(word); });
  run_parallel(columns.size(), threads, [&](std::size_t i, int) {
    std::uint64_t sum = 0;
    with_words(columns[i], 0, rows, no_number, [&](std::size_t row, std::uint64_t word) {
      const std::uint64_t both = spread(word ^ beside[row]);
      sum += both * both;
    });
    marks[i] = sum;
  });
  return marks;
}

std::vector<std::uint64_t> row_hashes(const std::vector<Column>& columns, std::size_t rows, int threads) {
  std::vector<std::uint64_t> hashes(rows, 0);
  run_parallel((rows + stretch - 1) / stretch, threads, [&](std::size_t i, int) {
    for (const Column& column : columns)
      with_words(column, i * stretch, std::min(rows, (i + 1) * stretch), no_number,
                 [&](std::size_t row, std::uint64_t word) { hashes[row] = mixed((hashes[row] ^ word) + golden); });
  });
  return hashes;
}

}  // namespace clearwood
