#include "core/writing/lines.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

#include "core/reading/csv_walk.hpp"

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

namespace {

constexpr std::size_t block_rows = 2048;

void append_quoted(std::string& line, std::string_view text, char separator) {
  const char marks[] = {separator, '"', '\n', '\r'};
  if (text.find_first_of(std::string_view(marks, sizeof marks)) == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

void append_cell(std::string& line, const LineColumn& column, std::size_t row) {
  if (column.numbers) {
    append_number(line, column.numbers[row]);
  } else if (column.codes[row] >= 0) {
    line += column.values[static_cast<std::size_t>(column.codes[row])];
  }
}

// append(line, row) writes a row's own cells; the answers and the line end are written here.
template <class Append>
Lines lines_of(const LineAnswers& answers, int threads, const StopFlag& stop, Append&& append) {
  std::vector<std::string> blocks((answers.rows + block_rows - 1) / block_rows);
  over_rows(answers.rows, block_rows, threads, stop, [&](std::size_t first, std::size_t last, int) {
    std::string& lines = blocks[first / block_rows];
    for (std::size_t i = first; i < last; ++i) {
      append(lines, answers.picked ? static_cast<std::size_t>(answers.picked[i]) : i);
      for (const LineColumn& column : answers.columns) {
        lines += answers.separator;
        append_cell(lines, column, i);
      }
      lines += '\n';
    }
  });
  Lines joined;
  for (const std::string& block : blocks) joined.size += block.size();
  joined.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(joined.size);
  std::uint8_t* to = joined.bytes.get();
  for (std::string& block : blocks) {
    std::memcpy(to, block.data(), block.size());
    to += block.size();
    std::string().swap(block);
  }
  return joined;
}

}  // namespace

std::string quoted_cell(std::string_view text, char separator) {
  std::string cell;
  append_quoted(cell, text, separator);
  return cell;
}

Lines lines_of_text(const LineText& text, const LineAnswers& answers, int threads, const StopFlag& stop) {
  const bool as_written = text.delimiter == answers.separator;
  return lines_of(answers, threads, stop, [&](std::string& line, std::size_t row) {
    const auto begin = static_cast<std::size_t>(text.spans[2 * row]);
    const auto end = static_cast<std::size_t>(text.spans[2 * row + 1]);
    if (as_written) {
      line += text.text.substr(begin, end - begin);
      return;
    }
    std::string scratch;
    bool first = true;
    walk(
        text.text, begin, end, text.delimiter,
        [&](std::size_t from, std::size_t to) {
          if (!first) line += answers.separator;
          first = false;
          const char* const data = text.text.data();
          append_quoted(line, cell_text(data + from, data + to, text.delimiter, scratch).text, answers.separator);
        },
        [](std::size_t) { return true; });
  });
}

Lines lines_of_columns(const std::vector<LineColumn>& columns, const LineAnswers& answers, int threads,
                       const StopFlag& stop) {
  return lines_of(answers, threads, stop, [&](std::string& line, std::size_t row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (column) line += answers.separator;
      append_cell(line, columns[column], row);
    }
  });
}

}  // namespace clearwood
