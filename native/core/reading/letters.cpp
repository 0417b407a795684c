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
struct Cases {
  std::uint32_t first, last, step;
  std::int32_t offset;

  std::uint32_t lower(std::uint32_t code) const { return code + static_cast<std::uint32_t>(offset); }
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
    for (const Cases& run : lower_of)
      for (std::uint32_t code = run.first; code <= run.last && code < near; code += run.step)
        if (run.lower(code) < near) lower[code] = static_cast<std::uint16_t>(run.lower(code));
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
  const auto* const run = std::lower_bound(std::begin(lower_of), std::end(lower_of), code,
                                           [](const Cases& each, char32_t a) { return each.last < a; });
  const bool has_lower = run != std::end(lower_of) && run->first <= code && (code - run->first) % run->step == 0;
  return has_lower ? run->lower(code) : code;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> letter_runs() {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> kinds;
  for (const Run& run : runs) kinds.emplace_back(run.first, run.kind);
  return kinds;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> case_pairs() {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cases;
  for (const Cases& run : lower_of)
    for (std::uint32_t code = run.first; code <= run.last; code += run.step) cases.emplace_back(code, run.lower(code));
  return cases;
}

}  // namespace clearwood
