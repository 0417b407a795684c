#include "core/reading/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace clearwood {
namespace {

constexpr std::uint64_t prime = 0x9E3779B97F4A7C15ull;
constexpr std::size_t stretch = 4096;  // rows that are mixed one after another, column by column

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

// Several stretches side by side: each waits for its own last product only.
template <class T, std::size_t Many>
void mix_cells(const Column& column, std::size_t begin, std::size_t size, std::uint64_t* hashes) {
  std::array<std::uint64_t, Many> hash;
  std::copy_n(hashes, Many, hash.begin());
  for (std::size_t row = begin; row < begin + size; ++row)
    for (std::size_t i = 0; i < Many; ++i) hash[i] = mix(hash[i], bits_of<T>(column, row + i * stretch));
  std::copy_n(hash.begin(), Many, hashes);
}

template <std::size_t Many>
void mix_column(const Column& column, std::size_t begin, std::size_t size, std::uint64_t* hashes) {
  for (std::size_t i = 0; i < Many; ++i) hashes[i] = mix(hashes[i], column.numeric() ? 2u : 3u);
  switch (column.type) {
    case Column::Type::float32: return mix_cells<float, Many>(column, begin, size, hashes);
    case Column::Type::float64: return mix_cells<double, Many>(column, begin, size, hashes);
    case Column::Type::codes: return mix_cells<std::int32_t, Many>(column, begin, size, hashes);
  }
}

// `Many` stretches are one job.
template <std::size_t Many>
void mix_stretches(const std::vector<Column>& columns, std::size_t rows, int threads, const StopFlag& stop,
                   std::vector<std::uint64_t>& parts) {
  const std::size_t whole = rows / stretch;
  run_parallel((parts.size() + Many - 1) / Many, threads, [&](std::size_t job, int) {
    check(stop);
    const std::size_t first = job * Many;
    if (first + Many <= whole) {
      for (const Column& column : columns) mix_column<Many>(column, first * stretch, stretch, &parts[first]);
      return;
    }
    for (std::size_t i = first; i < std::min(first + Many, parts.size()); ++i)
      for (const Column& column : columns)
        mix_column<1>(column, i * stretch, std::min(stretch, rows - i * stretch), &parts[i]);
  });
}

bool lie_apart(const Column& column) { return std::abs(column.stride) > static_cast<std::ptrdiff_t>(2 * sizeof(double)); }

}  // namespace

std::string fingerprint(const std::vector<Column>& columns, std::size_t rows, int threads, const StopFlag& stop) {
  std::vector<std::uint64_t> parts((rows + stretch - 1) / stretch);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = i + 1;
  // A table stored by rows is read once a column: fewer stretches at a time stay in a cache near by.
  if (std::any_of(columns.begin(), columns.end(), lie_apart)) mix_stretches<2>(columns, rows, threads, stop, parts);
  else mix_stretches<4>(columns, rows, threads, stop, parts);
  std::uint64_t hash = mix(prime, rows);
  for (const std::uint64_t part : parts) hash = mix(hash, part);
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace clearwood
