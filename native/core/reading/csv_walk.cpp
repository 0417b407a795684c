#include "core/reading/csv_walk.hpp"

#include <cstring>

namespace clearwood {

CellText cell_text(const char* from, const char* to, char delimiter, std::string& scratch) {
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

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace clearwood
