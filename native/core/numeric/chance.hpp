// Chance by counter: a random number is a function of what it is for, never of how many were drawn before.
// src/clearwood/counting/chance.py has the same numbers.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace clearwood {

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;

// The finaliser of SplitMix64 (Steele et al. 2014).
constexpr std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

// The key one place further than `key`: key_after(key_of({a}), b) is key_of({a, b}).
constexpr std::uint64_t key_after(std::uint64_t key, std::uint64_t place) {
  return mixed((key ^ mixed(place + golden)) + golden);
}

// The key of a purpose: of a seed, a tree, a node's path, what it is for.
constexpr std::uint64_t key_of(std::initializer_list<std::uint64_t> places) {
  std::uint64_t key = 0;
  for (const std::uint64_t place : places) key = key_after(key, place);
  return key;
}

// The k-th 64 bits of a key, the k-th number below a limit, and the k-th from 0 up to, not including, 1.
constexpr std::uint64_t draw(std::uint64_t key, std::uint64_t k) { return mixed(key + (k + 1) * golden); }

inline std::uint64_t below(std::uint64_t key, std::uint64_t k, std::uint64_t limit) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(draw(key, k)) * limit) >> 64);
}

inline double part(std::uint64_t key, std::uint64_t k) { return static_cast<double>(draw(key, k) >> 11) * 0x1p-53; }

// Bootstrap: rows drawn with replacement (Efron 1979); src/clearwood/counting/chance.py has the same draws.
// Calls `take(row)` for each of `draws` draws. `ends` [row] are running sums of the rows' weights, which are then their chances;
// null: every row is as likely. With `units` the weights are whole numbers, each unit of which is a row, and `draws` their sum.
template <class Take>
void draw_with_replacement(std::uint64_t key, std::size_t rows, std::size_t draws, const double* ends, bool units, Take take) {
  if (!ends) {
    for (std::size_t k = 0; k < draws; ++k) take(static_cast<std::size_t>(below(key, k, rows)));
    return;
  }
  const double total = ends[rows - 1];
  for (std::size_t k = 0; k < draws; ++k) {
    const double place = units ? static_cast<double>(below(key, k, draws)) : part(key, k) * total;
    take(std::min(static_cast<std::size_t>(std::upper_bound(ends, ends + rows, place) - ends), rows - 1));
  }
}

}  // namespace clearwood
