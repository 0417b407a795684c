// The native reader against a splitter that goes character by character, on random text, on several threads.
#include "core/reading/csv.hpp"

#include <cmath>
#include <random>

#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag go{false};

// The definition: RFC 4180 with blanks around unquoted cells dropped and quotes inside them ordinary.
std::vector<std::vector<std::string>> split_slowly(const std::string& text, char delimiter) {
  auto blank = [&](char c) { return (c == ' ' || c == '\t' || c == '\r') && c != delimiter; };
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t from = at;
    while (at < text.size() && blank(text[at])) ++at;
    const bool quoted = at < text.size() && text[at] == '"';
    std::string cell;
    if (quoted) {
      for (++at; at < text.size(); ++at) {
        if (text[at] != '"') cell += text[at];
        else if (at + 1 < text.size() && text[at + 1] == '"') cell += text[at++];
        else break;
      }
      ++at;
      from = at;
    }
    while (at < text.size() && text[at] != delimiter && text[at] != '\n') ++at;
    std::string rest = text.substr(from, at - from);
    while (!rest.empty() && blank(rest.back())) rest.pop_back();
    if (!quoted)
      while (!rest.empty() && blank(rest.front())) rest.erase(0, 1);
    row.push_back(cell + rest);
    const bool ends = at >= text.size() || text[at] == '\n';
    if (!ends && at + 1 == text.size()) {  // a delimiter is the last character: an empty cell follows
      row.emplace_back();
    }
    if (ends || at + 1 == text.size()) {
      if (row.size() > 1 || quoted || !row[0].empty()) rows.push_back(row);
      row.clear();
    }
    ++at;
  }
  return rows;
}

std::string random_cell(std::mt19937& random) {
  static const std::vector<std::string> pieces = {"a", "bb", "long piece of text", "1", "07", "2.5", " ", "é", "'", "x\"y", "-"};
  std::string cell;
  for (auto n = random() % 4; n > 0; --n) cell += pieces[random() % pieces.size()];
  if (random() % 4 == 0) {
    std::string quoted = "\"";
    for (const char c : cell + (random() % 2 ? "\n" : ",")) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
  }
  return !cell.empty() && cell[0] == '"' ? "a" : cell;
}

std::vector<std::string> texts(const CsvColumn& column, std::size_t rows) {
  std::vector<std::string> result;
  for (std::size_t row = 0; row < rows; ++row)
    result.emplace_back(column.codes[row] < 0 ? "(missing)" : column.values[static_cast<std::size_t>(column.codes[row])]);
  return result;
}

}  // namespace

TEST("random tables of several chunks are read cell for cell on one, two and four threads") {
  std::mt19937 random(7);
  for (int round = 0; round < 6; ++round) {
    const char* const ending = round % 2 ? "\r\n" : "\n";
    std::string text;
    while (text.size() < 700000) {
      text += random_cell(random) + "," + random_cell(random) + "," + random_cell(random) + ending;
      if (random() % 50 == 0) text += ending;
    }
    const auto expected = split_slowly(text, ',');
    const CsvForm form;
    std::vector<std::size_t> ends;
    CHECK(csv_rows(text, form, 0, expected.size() + 1, ends) == expected);
    for (const int threads : {1, 2, 4}) {
      const CsvColumns read = csv_columns(text, form, 0, 3, -1, true, threads, go);
      CHECK(read.fault.kind == CsvFault::none);
      CHECK(read.rows == expected.size());
      for (std::size_t j = 0; j < 3; ++j) {
        const auto cells = texts(read.columns[j], read.rows);
        for (std::size_t row = 0; row < read.rows; ++row) CHECK(cells[row] == expected[row][j]);
      }
      for (std::size_t row = 0; row < read.rows; ++row) {
        const auto begin = static_cast<std::size_t>(read.spans[2 * row]);
        const auto end = static_cast<std::size_t>(read.spans[2 * row + 1]);
        const auto again = split_slowly(text.substr(begin, end - begin), ',');
        CHECK(again.size() == 1 && again[0] == expected[row]);
      }
    }
  }
}

TEST("random bytes are read or refused, and never read beyond") {
  std::mt19937 random(11);
  const std::string alphabet = ",,\"\n\r a1.\x80-e";
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (auto n = random() % 200; n > 0; --n) text += alphabet[random() % alphabet.size()];
    const std::vector<char> exact(text.begin(), text.end());  // its end is the sanitizer's fence
    const std::string_view view(exact.data(), exact.size());
    CsvForm form;
    form.missing = {"", "a", "1"};
    std::vector<std::size_t> ends;
    const auto rows = csv_rows(view, form, 0, 100, ends);
    const std::size_t width = rows.empty() ? 1 : rows[0].size();
    const CsvColumns read = csv_columns(view, form, 0, width, -1, false, 2, go);
    if (read.fault.kind == CsvFault::none) CHECK(read.rows == rows.size());
    else CHECK(read.fault.offset <= text.size());
  }
}

TEST("a column of numbers that ends in a word is strings from its first row") {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i % 90) + "," + (i % 3 ? "b" : "a") + "\n";
  text += "many,a\n";
  for (const int threads : {1, 3}) {
    const CsvColumns read = csv_columns(text, {}, 0, 2, -1, false, threads, go);
    CHECK(read.columns[0].codes && read.columns[0].values.size() == 91);
    CHECK(read.columns[0].values[0] == "0" && read.columns[0].values[90] == "many");
    CHECK(read.columns[0].codes[100] == 10 && read.columns[0].codes[100000] == 90);
  }
}

TEST("reading stops on request") {
  const StopFlag stop{true};
  bool stopped = false;
  try {
    csv_columns("a,b\n", {}, 0, 2, -1, false, 2, stop);
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped);
}

TEST("numbers are rounded as the C library rounds them") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200000; ++round) {
    char text[64];
    const int digits = static_cast<int>(random() % 20);
    const double scale = std::pow(10.0, static_cast<double>(random() % 600) - 300.0);
    std::snprintf(text, sizeof text, round % 2 ? "%.*e" : "%.*g", digits, static_cast<double>(random()) * scale / 1e19);
    const NumberText number = read_number(text, '.');
    CHECK(number.valid && number.value == std::strtod(text, nullptr));
  }
}
