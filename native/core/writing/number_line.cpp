#include "core/writing/number_line.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace clearwood {
namespace {

constexpr double exact = 1e15;  // whole numbers and decimals of fifteen digits are distinct
constexpr int few = 6;          // decimals that are tried before all digits are worked out
constexpr std::uint64_t million = 1'000'000;

void append_whole(std::string& line, std::uint64_t value) {
  char room[24];
  line.append(room, static_cast<std::size_t>(std::to_chars(room, room + sizeof room, value).ptr - room));
}

void append_all_digits(std::string& line, double value) {
  char room[40];
  const double size = std::abs(value);
  const auto form = size >= 1e-4 && size < 1e16 ? std::chars_format::fixed : std::chars_format::scientific;
  const char* const end = std::to_chars(room, room + sizeof room, value, form).ptr;
  line.append(room, static_cast<std::size_t>(end - room));
  if (form == std::chars_format::fixed && !std::memchr(room, '.', static_cast<std::size_t>(end - room))) line += ".0";
}

}  // namespace

void append_number(std::string& line, double value) {
  if (std::isnan(value)) return;
  if (std::isinf(value)) {
    line += value < 0 ? "-inf" : "inf";
    return;
  }
  const double size = std::abs(value);
  if (size < exact && size == std::trunc(size)) {
    if (value < 0) line += '-';
    append_whole(line, static_cast<std::uint64_t>(size));
    return;
  }
  // Two decimals of at most fifteen digits never read as one number: if this one reads back, none is shorter.
  const double scaled = std::nearbyint(size * static_cast<double>(million));
  if (size >= 1e-4 && scaled < exact && scaled / static_cast<double>(million) == size) {
    const auto whole = static_cast<std::uint64_t>(scaled);
    if (value < 0) line += '-';
    append_whole(line, whole / million);
    char decimals[1 + few] = {'.'};
    std::uint64_t rest = whole % million;
    for (int i = few; i > 0; --i, rest /= 10) decimals[i] = static_cast<char>('0' + rest % 10);
    std::size_t length = 1 + few;
    while (decimals[length - 1] == '0') --length;
    line.append(decimals, length);
    return;
  }
  append_all_digits(line, value);
}

}  // namespace clearwood
