#include "core/reading/csv.hpp"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

namespace clearwood {
namespace {

constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool same_letters(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] | 0x20) != lower[i]) return false;
  return true;
}

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

// The rare way: many digits or a large exponent. `text` has no sign and is known to be a number;
// `magnitude` is the decimal position of its first significant digit.
double read_slowly(std::string_view text, char decimal, std::int64_t magnitude) {
  std::string copy;
  if (decimal != '.') {
    copy = text;
    for (char& c : copy)
      if (c == decimal) c = '.';
    text = copy;
  }
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range)
    return magnitude > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return value;
}

}  // namespace

NumberText read_number(std::string_view text, char decimal) {
  const char* at = text.data();
  const char* const end = at + text.size();
  NumberText number;
  if (at == end) return number;
  const bool signed_ = *at == '-' || *at == '+';
  const bool negative = *at == '-';
  if (signed_ && ++at == end) return number;

  const char* const body = at;
  std::uint64_t mantissa = 0;
  const char* const whole = at;
  while (at != end && is_digit(*at)) mantissa = mantissa * 10 + static_cast<unsigned>(*at++ - '0');
  const std::int64_t whole_digits = at - whole;
  std::int64_t digits = whole_digits;
  std::int64_t exponent = 0;
  if (at == end && digits > 0 && digits <= 15) {  // by far the most frequent: a whole number
    number.valid = true;
    number.padded = *whole == '0' && digits > 1;
    number.plain = !number.padded && (!signed_ || (negative && *whole != '0'));
    const double value = static_cast<double>(mantissa);
    number.value = negative ? 0.0 - value : value;  // −0 is 0
    return number;
  }
  if (at != end && *at == decimal) {
    const char* const fraction = ++at;
    while (at != end && is_digit(*at)) mantissa = mantissa * 10 + static_cast<unsigned>(*at++ - '0');
    exponent = fraction - at;
    digits += at - fraction;
  }
  if (digits == 0) {
    const std::string_view rest(body, static_cast<std::size_t>(end - body));
    if (same_letters(rest, "inf") || same_letters(rest, "infinity")) {
      number.valid = true;
      number.value = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    }
    return number;
  }
  std::int64_t written = 0;
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    const bool down = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    if (at == end) return number;
    // Clamped: beyond this every number is zero or infinite, and the sum must not overflow.
    for (; at != end && is_digit(*at); ++at)
      if (written < 1000000) written = written * 10 + (*at - '0');
    if (!is_digit(end[-1])) return number;
    if (down) written = -written;
  }
  if (at != end) return number;

  number.valid = true;
  number.padded = *whole == '0' && whole_digits > 1;
  exponent += written;
  double value;
  // Exact when the digits fit a double's 53 bits and the power of ten is itself exact: one rounding only.
  if (digits <= 19 && mantissa <= (1ull << 53) && exponent >= -22 && exponent <= 22) {
    value = static_cast<double>(mantissa);
    value = exponent < 0 ? value / powers_of_ten[-exponent] : value * powers_of_ten[exponent];
  } else {
    std::int64_t magnitude = whole_digits + written;
    const char* lead = whole;
    while (lead != end && (*lead == '0' || *lead == decimal)) {
      if (*lead == '0') --magnitude;
      ++lead;
    }
    value = read_slowly({body, static_cast<std::size_t>(end - body)}, decimal, magnitude);
  }
  number.value = negative ? 0.0 - value : value;
  return number;
}

}  // namespace clearwood
