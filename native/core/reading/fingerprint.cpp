#include "core/reading/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <numeric>
#include <type_traits>

#include "core/numeric/chance.hpp"

namespace clearwood {
namespace {

constexpr std::uint64_t prime = 0x9E3779B97F4A7C15ull;
constexpr std::size_t stretch = 4096;  // rows that are mixed side by side, column by column

std::uint64_t mix(std::uint64_t hash, std::uint64_t bits) {
  hash = (hash ^ bits) * prime;
  return hash ^ (hash >> 29);
}

// What a cell is mixed in as.
template <class T>
std::uint64_t bits_of(const Column& column, std::size_t row) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(column.at<T>(row)));
  } else {
    // As a double, so that the width of a float doesn't matter; every NaN alike, −0 is 0.
    const double value = static_cast<double>(column.at<T>(row)) + 0.0;
    return value == value ? std::bit_cast<std::uint64_t>(value) : 1u;
  }
}

template <class T>
void mix_cells(const Column& column, std::size_t begin, std::size_t size, std::uint64_t* hashes) {
  for (std::size_t i = 0; i < size; ++i) hashes[i] = mix(hashes[i], bits_of<T>(column, begin + i));
}

void mix_column(const Column& column, std::size_t begin, std::size_t size, std::uint64_t* hashes) {
  switch (column.type) {
    case Column::Type::float32: return mix_cells<float>(column, begin, size, hashes);
    case Column::Type::float64: return mix_cells<double>(column, begin, size, hashes);
    case Column::Type::codes: return mix_cells<std::int32_t>(column, begin, size, hashes);
  }
}

// What the rows of a stretch come to, each mixed of its own cells: a sum, which no order of rows changes.
std::uint64_t sum_of(const std::vector<Column>& columns, std::size_t begin, std::size_t size) {
  std::array<std::uint64_t, stretch> hashes;
  hashes.fill(prime);
  for (const Column& column : columns) mix_column(column, begin, size, hashes.data());
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += mixed(hashes[i]);
  return sum;
}

}  // namespace

std::string fingerprint(const std::vector<Column>& columns, std::size_t rows, int threads, const StopFlag& stop) {
  std::vector<std::uint64_t> parts((rows + stretch - 1) / stretch);
  run_parallel(parts.size(), threads, [&](std::size_t i, int) {
    check(stop);
    parts[i] = sum_of(columns, i * stretch, std::min(stretch, rows - i * stretch));
  });
  std::uint64_t hash = mix(prime, rows);
  for (const Column& column : columns) hash = mix(hash, column.numeric() ? 2u : 3u);
  hash = mix(hash, std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}));
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace clearwood
