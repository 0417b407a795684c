#include "core/fingerprint.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <type_traits>

namespace clearwood {
namespace {

constexpr std::uint64_t prime = 0x9E3779B97F4A7C15ull;
constexpr std::size_t stretch = 4096;  // rows that one job mixes, all columns, so that a row-wise table is read once

std::uint64_t mix(std::uint64_t hash, std::uint64_t bits) {
  hash = (hash ^ bits) * prime;
  return hash ^ (hash >> 29);
}

template <class T>
std::uint64_t mix_cells(const Column& column, std::size_t begin, std::size_t end, std::uint64_t hash) {
  for (std::size_t row = begin; row < end; ++row) {
    if constexpr (std::is_same_v<T, std::int32_t>) {
      hash = mix(hash, static_cast<std::uint64_t>(static_cast<std::int64_t>(column.at<T>(row))));
    } else {
      // As a double, so that the width of a float doesn't matter; every NaN alike, −0 is 0.
      const double value = static_cast<double>(column.at<T>(row)) + 0.0;
      hash = mix(hash, value == value ? std::bit_cast<std::uint64_t>(value) : 1u);
    }
  }
  return hash;
}

}  // namespace

std::string fingerprint(const std::vector<Column>& columns, std::size_t rows, int threads, const StopFlag& stop) {
  const std::size_t jobs = (rows + stretch - 1) / stretch;
  std::vector<std::uint64_t> parts(jobs, prime);
  run_parallel(jobs, threads, [&](std::size_t job, int) {
    check(stop);
    const std::size_t begin = job * stretch, end = std::min(rows, begin + stretch);
    std::uint64_t hash = job + 1;
    for (const Column& column : columns) {
      hash = mix(hash, column.numeric() ? 2u : 3u);
      switch (column.type) {
        case Column::Type::float32: hash = mix_cells<float>(column, begin, end, hash); break;
        case Column::Type::float64: hash = mix_cells<double>(column, begin, end, hash); break;
        case Column::Type::codes: hash = mix_cells<std::int32_t>(column, begin, end, hash); break;
      }
    }
    parts[job] = hash;
  });
  std::uint64_t hash = mix(prime, rows);
  for (const std::uint64_t part : parts) hash = mix(hash, part);
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace clearwood
