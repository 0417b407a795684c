// Chance by counter: a random number is a function of what it is for, never of how many were drawn before.
// src/clearwood/counting/chance.py has the same numbers.
#pragma once
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

// The key of a purpose: of a seed, a tree, a node's path, what it is for.
constexpr std::uint64_t key_of(std::initializer_list<std::uint64_t> places) {
  std::uint64_t key = 0;
  for (const std::uint64_t place : places) key = mixed((key ^ mixed(place + golden)) + golden);
  return key;
}

// The k-th 64 bits of a key, the k-th number below a limit, and the k-th from 0 up to, not including, 1.
constexpr std::uint64_t draw(std::uint64_t key, std::uint64_t k) { return mixed(key + (k + 1) * golden); }

inline std::uint64_t below(std::uint64_t key, std::uint64_t k, std::uint64_t limit) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(draw(key, k)) * limit) >> 64);
}

inline double part(std::uint64_t key, std::uint64_t k) { return static_cast<double>(draw(key, k) >> 11) * 0x1p-53; }

}  // namespace clearwood
