// Walking over separated text: where its cells and rows end, and the text of a cell.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace clearwood {

// One bit for each of the next 64 bytes that is a delimiter, a newline or a quote.
inline std::uint64_t marks_in_block(const char* at, std::size_t length, char delimiter) {
#if defined(__SSE2__)
  if (length >= 64) {
    const __m128i d = _mm_set1_epi8(delimiter), n = _mm_set1_epi8('\n'), q = _mm_set1_epi8('"');
    std::uint64_t bits = 0;
    for (int part = 0; part < 4; ++part) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * part));
      const __m128i hit =
          _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, d), _mm_cmpeq_epi8(bytes, n)), _mm_cmpeq_epi8(bytes, q));
      bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(hit))) << (16 * part);
    }
    return bits;
  }
#endif
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(length, 64); ++i)
    bits |= static_cast<std::uint64_t>(at[i] == delimiter || at[i] == '\n' || at[i] == '"') << i;
  return bits;
}

inline bool is_blank(char c, char delimiter) { return (c == ' ' || c == '\t' || c == '\r') && c != delimiter; }

inline bool all_blank(const char* from, const char* to, char delimiter) {
  while (from != to && is_blank(*from, delimiter)) ++from;
  return from == to;
}

enum class Ending { end_of_text, stopped, inside_quotes };

// Walks over [begin, end): on_cell(begin, end) for each cell as it stands in the text, on_row(begin of next row) after
// the last cell of a row; on_row returning false stops the walk. A quote opens only where nothing but blanks precedes
// it in the cell; elsewhere it is an ordinary character. Lines of blanks are stepped over.
template <class OnCell, class OnRow>
Ending walk(std::string_view text, std::size_t begin, std::size_t end, char delimiter, OnCell&& on_cell,
            OnRow&& on_row) {
  const char* const data = text.data();
  std::size_t cell = begin;
  std::size_t doubled = std::string_view::npos;  // the second of two quotes inside quotes: already read
  bool inside = false;
  bool first = true;  // the cell is the first of its row
  for (std::size_t block = begin; block < end; block += 64) {
    std::uint64_t marks = marks_in_block(data + block, end - block, delimiter);
    for (; marks != 0; marks &= marks - 1) {
      const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(marks));
      const char mark = data[at];
      if (mark == '"') [[unlikely]] {
        if (!inside) {
          inside = all_blank(data + cell, data + at, delimiter);
        } else if (at != doubled) {
          if (at + 1 < end && data[at + 1] == '"') doubled = at + 1;
          else inside = false;
        }
        continue;
      }
      if (inside) continue;
      if (mark == '\n') {
        if (!first || !all_blank(data + cell, data + at, delimiter)) {
          on_cell(cell, at);
          if (!on_row(at + 1)) return Ending::stopped;
        }
        first = true;
      } else {
        on_cell(cell, at);
        first = false;
      }
      cell = at + 1;
    }
  }
  if (inside) return Ending::inside_quotes;
  if (!first || !all_blank(data + cell, data + end, delimiter)) {  // a last row without a newline
    on_cell(cell, end);
    if (!on_row(end)) return Ending::stopped;
  }
  return Ending::end_of_text;
}

struct CellText {
  std::string_view text;
  bool quoted = false;
  bool copied = false;  // the text is in the scratch string, not in the file
};

// The text of a cell: without outer blanks, without its quotes, doubled quotes made single. Text after the closing
// quote is kept, as Python's csv module keeps it.
inline CellText cell_text(const char* from, const char* to, char delimiter, std::string& scratch) {
  while (from != to && is_blank(*from, delimiter)) ++from;
  while (from != to && is_blank(to[-1], delimiter)) --to;
  if (from == to || *from != '"') return {{from, static_cast<std::size_t>(to - from)}};
  ++from;
  const auto* close = static_cast<const char*>(std::memchr(from, '"', static_cast<std::size_t>(to - from)));
  if (close && close + 1 == to) return {{from, static_cast<std::size_t>(close - from)}, true};
  scratch.clear();
  bool inside = true;
  for (; from != to; ++from) {
    if (inside && *from == '"') {
      if (from + 1 != to && from[1] == '"') ++from;
      else {
        inside = false;
        continue;
      }
    }
    scratch.push_back(*from);
  }
  return {scratch, true, true};
}

inline std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace clearwood
