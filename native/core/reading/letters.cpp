#include "core/reading/letters.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace clearwood {

namespace {

struct Run {
  std::uint32_t first;
  std::uint8_t kind;
};
struct Pair {
  std::uint32_t code;
  std::uint32_t lower;
};

#include "core/reading/letters.inc"

constexpr std::size_t near = 0x10000;  // the plane that most text is in has a table of its own

struct Near {
  std::array<Letter, near> kinds{};
  std::array<std::uint16_t, near> lower{};

  Near() {
    for (std::size_t i = 0; i < std::size(runs); ++i) {
      const std::size_t end = i + 1 < std::size(runs) ? runs[i + 1].first : near;
      for (std::size_t code = runs[i].first; code < std::min(end, near); ++code)
        kinds[code] = static_cast<Letter>(runs[i].kind);
    }
    for (std::size_t code = 0; code < near; ++code) lower[code] = static_cast<std::uint16_t>(code);
    for (const Pair& pair : lower_of)
      if (pair.code < near && pair.lower < near) lower[pair.code] = static_cast<std::uint16_t>(pair.lower);
  }
};

const Near& near_table() {
  static const Near table;
  return table;
}

}  // namespace

Letter kind_of(char32_t code) {
  if (code < near) return near_table().kinds[code];
  const auto* const after =
      std::upper_bound(std::begin(runs), std::end(runs), code, [](char32_t a, const Run& run) { return a < run.first; });
  return static_cast<Letter>(std::prev(after)->kind);
}

char32_t lower_case(char32_t code) {
  if (code < near) return near_table().lower[code];
  const auto* const pair = std::lower_bound(std::begin(lower_of), std::end(lower_of), code,
                                             [](const Pair& pair, char32_t a) { return pair.code < a; });
  return pair != std::end(lower_of) && pair->code == code ? pair->lower : code;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> letter_runs() {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> kinds;
  for (const Run& run : runs) kinds.emplace_back(run.first, run.kind);
  return kinds;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> case_pairs() {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cases;
  for (const Pair& pair : lower_of) cases.emplace_back(pair.code, pair.lower);
  return cases;
}

}  // namespace clearwood
