// Rows written as lines: what the reader makes of them again.
#include "core/writing/lines.hpp"

#include <cmath>
#include <random>

#include "core/reading/csv.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag go{false};

std::string text_of(const Lines& lines) { return {reinterpret_cast<const char*>(lines.bytes.get()), lines.size}; }

}  // namespace

TEST("a number that is written reads back as the same number") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200000; ++round) {
    const double scale = std::pow(10.0, static_cast<double>(random() % 40) - 20.0);
    double value = static_cast<double>(static_cast<std::int64_t>(random())) / 9e18 * scale;
    if (round % 3 == 0) value = std::round(value * 1000) / 1000;
    std::string text;
    append_number(text, value);
    CHECK(std::strtod(text.c_str(), nullptr) == value);
  }
}

TEST("lines on several threads are the lines on one, and read back cell for cell") {
  std::mt19937 random(9);
  constexpr std::size_t rows = 9000;
  LineColumn words, numbers;
  for (const char* value : {"plain", "a, b", "say \"so\"", "two\nlines"}) words.values.push_back(quoted_cell(value, ','));
  std::vector<std::int32_t> codes(rows);
  std::vector<double> floats(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    codes[row] = static_cast<std::int32_t>(random() % 5) - 1;
    floats[row] = static_cast<double>(random()) / 1000;
  }
  words.codes = codes.data();
  numbers.numbers = floats.data();
  LineAnswers answers{{numbers}, rows, nullptr, ','};
  const std::string one = text_of(lines_of_columns({words}, answers, 1, go));
  CHECK(one == text_of(lines_of_columns({words}, answers, 3, go)));
  std::vector<std::size_t> ends;
  const auto cells = csv_rows(one, {}, 0, rows + 1, ends);
  CHECK(cells.size() == rows);
  for (std::size_t row = 0; row < rows; ++row) {
    CHECK(cells[row].size() == 2);
    CHECK(std::strtod(cells[row][1].c_str(), nullptr) == floats[row]);
  }
  const CsvColumns read = csv_columns(one, {}, 0, 2, -1, true, 2, go);
  const LineText text{one, read.spans.get(), ','};
  const std::string again = text_of(lines_of_text(text, {{}, rows, nullptr, ','}, 2, go));
  CHECK(again == one);
  const std::string tabbed = text_of(lines_of_text(text, {{}, rows, nullptr, '\t'}, 2, go));
  CsvForm form;
  form.delimiter = '\t';
  CHECK(csv_rows(tabbed, form, 0, rows + 1, ends) == cells);
}
