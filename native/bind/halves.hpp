// Whole numbers of 128 bits handed to Python as two of 64, the lower first.
#pragma once
#include <cstdint>
#include <vector>

#include "bind/arrays.hpp"
#include "core/counting/tally.hpp"

namespace clearwood {

inline Given<std::uint64_t> halves_of(const std::vector<Whole>& numbers) {
  std::vector<std::uint64_t> halves;
  halves.reserve(2 * numbers.size());
  for (const Whole number : numbers) {
    halves.push_back(static_cast<std::uint64_t>(number));
    halves.push_back(static_cast<std::uint64_t>(number >> 64));
  }
  return give_array(std::move(halves), 2);
}

}  // namespace clearwood
