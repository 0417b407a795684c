// Letters: what kind of character each code point is, and its lower case. The table is that of one Unicode version, so
// that words are the same on every machine.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace clearwood {

enum class Letter : std::uint8_t {
  other,
  letter,      // and digits
  mark,        // combining; belongs to what stands before it
  ideograph,   // Han, kana, Tangut: a word by itself
  pictograph,  // emoji and the like
  joiner,      // zero-width joiner and non-joiner
  invisible,   // soft hyphen, word joiner, marks of direction
  apostrophe,
  tone,  // of skin
  flag,  // half a flag
  tag,   // of a flag within a flag
};

Letter kind_of(char32_t code);
char32_t lower_case(char32_t code);

// The whole table: where each run of one kind begins, and the pairs of upper and lower case.
std::vector<std::pair<std::uint32_t, std::uint32_t>> letter_runs();
std::vector<std::pair<std::uint32_t, std::uint32_t>> case_pairs();

}  // namespace clearwood
