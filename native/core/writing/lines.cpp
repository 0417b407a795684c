#include "core/writing/lines.hpp"

#include <algorithm>
#include <cstring>

#include "core/reading/csv_walk.hpp"
#include "core/writing/number_line.hpp"

namespace clearwood {
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
  run_parallel(blocks.size(), threads, [&](std::size_t block, int) {
    check(stop);
    std::string& lines = blocks[block];
    const std::size_t first = block * block_rows, last = std::min(answers.rows, first + block_rows);
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
