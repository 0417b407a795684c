// Bits: a set of rows as words of 64, one bit a row; the rows past the last are always 0.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clearwood {

using Word = std::uint64_t;
using Bits = std::vector<Word>;

inline std::size_t words_for(std::size_t rows) { return (rows + 63) / 64; }
inline Bits no_rows(std::size_t rows) { return Bits(words_for(rows), 0); }

inline Bits all_rows(std::size_t rows) {
  Bits bits(words_for(rows), ~Word{0});
  if (rows % 64) bits.back() = (Word{1} << (rows % 64)) - 1;
  return bits;
}

inline void put(Bits& bits, std::size_t row) { bits[row / 64] |= Word{1} << (row % 64); }
inline bool has(const Bits& bits, std::size_t row) { return bits[row / 64] >> (row % 64) & 1; }

inline std::size_t count(const Word* bits, std::size_t words) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < words; ++i) total += static_cast<std::size_t>(std::popcount(bits[i]));
  return total;
}

inline std::size_t count_both(const Word* one, const Word* two, std::size_t words) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < words; ++i) total += static_cast<std::size_t>(std::popcount(one[i] & two[i]));
  return total;
}

// Calls each(row) for the rows of one word, which begins at row `first`.
template <class Each>
void for_each_row(Word word, std::size_t first, Each&& each) {
  while (word) {
    each(first + static_cast<std::size_t>(std::countr_zero(word)));
    word &= word - 1;
  }
}

template <class Each>
void for_each_row(const Bits& bits, Each&& each) {
  for (std::size_t i = 0; i < bits.size(); ++i) for_each_row(bits[i], i * 64, each);
}

}  // namespace clearwood
