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
constexpr std::size_t widest = 1 + 16 + 1 + few;  // sign, digits, point, decimals

struct Pairs {
  char digits[200];
  constexpr Pairs() : digits() {
    for (int i = 0; i < 100; ++i) {
      digits[2 * i] = static_cast<char>('0' + i / 10);
      digits[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
  }
};
constexpr Pairs pairs;  // "00" to "99"

// Six digits at `room`; where the last that is not zero ends.
char* put_decimals(char* room, std::uint32_t rest) {
  std::memcpy(room, pairs.digits + 2 * (rest / 10000), 2);
  std::memcpy(room + 2, pairs.digits + 2 * (rest / 100 % 100), 2);
  std::memcpy(room + 4, pairs.digits + 2 * (rest % 100), 2);
  char* end = rest % 1000 == 0 ? room + few / 2 : room + few;
  while (end[-1] == '0') --end;
  return end;
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
  // Rounding by way of integers: the library's own is a call for every number.
  const std::uint64_t floor = size < exact ? static_cast<std::uint64_t>(size) : 0;
  const bool is_whole = size < exact && static_cast<double>(floor) == size;
  // Two decimals of at most fifteen digits never read as one number: if this one reads back, none is shorter.
  const bool is_short = !is_whole && size >= 1e-4 && size < exact / static_cast<double>(million);
  const std::uint64_t scaled = is_short ? static_cast<std::uint64_t>(size * static_cast<double>(million) + 0.5) : 0;
  if (!is_whole && (!is_short || static_cast<double>(scaled) / static_cast<double>(million) != size)) {
    append_all_digits(line, value);
    return;
  }
  char room[widest];
  *room = '-';  // kept or written over: a branch on the sign is guessed wrong every other time
  char* end = room + (value < 0);
  end = std::to_chars(end, room + sizeof room, is_whole ? floor : scaled / million).ptr;
  if (!is_whole) {
    *end++ = '.';
    end = put_decimals(end, static_cast<std::uint32_t>(scaled % million));
  }
  line.append(room, static_cast<std::size_t>(end - room));
}

}  // namespace clearwood
