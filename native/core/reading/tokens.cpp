#include "core/reading/tokens.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

namespace clearwood {

namespace {

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

struct Character {
  char32_t code = 0;
  Letter kind = Letter::other;
  std::size_t end = 0;  // where the next one begins
};

constexpr char32_t zero_width_joiner = 0x200D;

// The character at `at`; past the end, or where the bytes are not UTF-8, one of kind other.
Character character(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {0, Letter::other, at};
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(at);
  if (lead < 0x80) return {lead, kind_of(lead), at + 1};
  const std::size_t more = lead >= 0xF0 && lead < 0xF8 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  if (more == 0 || lead >= 0xF8 || at + more >= text.size()) return {0, Letter::other, at + 1};
  char32_t code = lead & (0x3F >> more);
  for (std::size_t i = 1; i <= more; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {0, Letter::other, at + 1};
    code = code << 6 | (byte(at + i) & 0x3F);
  }
  constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {0, Letter::other, at + 1};
  return {code, kind_of(code), at + more + 1};
}

void append(std::string& text, char32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::uint8_t leads[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(leads[more] | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
}

// [byte] 0, or the lower case of an ASCII letter or digit: most bytes of most texts need no more than this.
constexpr std::array<char, 256> plain_letters = [] {
  std::array<char, 256> letters{};
  for (char c = '0'; c <= '9'; ++c) letters[static_cast<std::size_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) {
    letters[static_cast<std::size_t>(c)] = c;
    letters[static_cast<std::size_t>(c - 'a' + 'A')] = c;
  }
  return letters;
}();

// Appends the ASCII letters and digits from `at` on; where they end.
std::size_t plain_run(std::string_view utf8, std::size_t at, bool lower, std::string& text) {
  const std::size_t first = at;
  const auto plain = [&](std::size_t i) { return plain_letters[static_cast<std::uint8_t>(utf8[i])]; };
  while (at < utf8.size() && plain(at)) ++at;
  const std::size_t old = text.size();
  text.append(utf8, first, at - first);
  if (lower)
    for (std::size_t i = first; i < at; ++i) text[old + i - first] = plain(i);
  return at;
}

bool goes_on(Letter kind) { return kind == Letter::letter || kind == Letter::mark; }

// Appends what follows the letters before `at` in the same word; where it ends.
std::size_t word_rest(std::string_view utf8, std::size_t at, bool lower, std::string& text) {
  for (;;) {
    at = plain_run(utf8, at, lower, text);
    const Character now = character(utf8, at);
    if (goes_on(now.kind)) {
      append(text, lower ? lower_case(now.code) : now.code);
    } else {
      if (now.kind != Letter::apostrophe && now.kind != Letter::joiner && now.kind != Letter::invisible) return at;
      if (!goes_on(character(utf8, now.end).kind)) return at;
      if (now.kind != Letter::invisible) append(text, now.kind == Letter::apostrophe ? U'\'' : now.code);
    }
    at = now.end;
  }
}

}  // namespace

void Tokens::read(std::string_view utf8, const TextReading& reading) {
  text_.clear();
  spans_.clear();
  std::size_t at = 0;
  while (at < utf8.size()) {
    const std::size_t first = text_.size();
    const std::uint8_t lead = static_cast<std::uint8_t>(utf8[at]);
    if (lead < 0x80 && !plain_letters[lead]) {
      ++at;
      continue;
    }
    if (plain_letters[lead]) {
      at = plain_run(utf8, at, reading.lower, text_);
      const bool ends = at == utf8.size() || (static_cast<std::uint8_t>(utf8[at]) < 0x80 && utf8[at] != '\'');
      if (!ends) at = word_rest(utf8, at, reading.lower, text_);
      add(first, reading);
      continue;
    }
    Character now = character(utf8, at);
    switch (now.kind) {
      case Letter::letter:
        append(text_, reading.lower ? lower_case(now.code) : now.code);
        at = word_rest(utf8, now.end, reading.lower, text_);
        break;
      case Letter::ideograph:
        do {
          append(text_, now.code);
          at = now.end;
          now = character(utf8, at);
        } while (now.kind == Letter::mark);
        break;
      case Letter::pictograph:
      case Letter::tone:
        for (;;) {
          append(text_, now.code);
          at = now.end;
          now = character(utf8, at);
          if (now.kind == Letter::mark || now.kind == Letter::tone || now.kind == Letter::tag) continue;
          if (now.code != zero_width_joiner) break;
          const Character next = character(utf8, now.end);
          if (next.kind != Letter::pictograph) break;
          append(text_, now.code);
          now = next;
        }
        break;
      case Letter::flag: {
        append(text_, now.code);
        at = now.end;
        now = character(utf8, at);
        if (now.kind == Letter::flag) {
          append(text_, now.code);
          at = now.end;
        }
        break;
      }
      default:
        at = now.end;
        continue;
    }
    add(first, reading);
  }
}

void Tokens::add(std::size_t first, const TextReading& reading) {
  const std::size_t length = text_.size() - first;
  if (length > UINT32_MAX) throw std::length_error("a word is longer than 4 GB");
  text_ += ' ';
  if (reading.stop && reading.stop->holds({text_.data() + first, length}, text_.data() + text_.size()))
    text_.resize(first);
  else
    spans_.emplace_back(first, first + length);
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
