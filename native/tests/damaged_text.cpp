// The readers over a hundred thousand damaged texts, each in a buffer of exactly its length, whose end the address
// sanitizer guards. What is read is held to what a second reading gives, or is refused with a place inside the text.
#include <cmath>
#include <random>

#include "core/counting/words.hpp"
#include "core/reading/csv.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag go{false};

#ifdef __SANITIZE_THREAD__
constexpr int texts_tried = 5000;  // races are not looked for in one thread's loop
#else
constexpr int texts_tried = 100000;
#endif

const std::vector<std::string> whole = {
    "outlook,humidity,play\nsunny,85,no\nrain,70.5,yes\novercast,?,yes\n",
    "a;b;c\r\n1,5;\"x; \"\"y\"\"\";07\r\n-2;\"two\nlines\";+3e4\r\n",
    "\xEF\xBB\xBFn\tword\n 12 \tgr\xC3\xB6\xC3\x9F" "er\n\n900719925474099312345678901234567890\t'\n",
    "x|y\n1e308|inf\n-0.0|nan\n0x10|1_000\n.5|5.\n",
    "\"q\",\"\"\n\"\"\"\",\" a \"\n\"a\"b,\"c\" \n,\n",
    "@attribute a {x,'y z'}\n@data\nx,1\n'y z',?\n% the end\n",
};
const std::vector<std::string> hurtful = {
    "\"", "\"\"", "\n", "\r", "\r\n", ",", ";", "\t", "|", std::string(1, '\0'), "\xC3", "\xED\xA0\x80", "\xF4\x90\x80\x80",
    "\xE2\x80\x8D", "\xF0\x9F\x91\x8D", "e", "e+", "1e999999999999", "-", ".", "+.", "inf", "infinity", "NA", "\xC2\xA0",
    std::string(400, '9'), "0." + std::string(400, '0') + "1", std::string(70, 'a'), "\n\n\n", "\"\n\"",
};

std::string damaged(std::mt19937& random) {
  std::string text = whole[random() % whole.size()];
  for (auto faults = 1 + random() % 4; faults > 0; --faults) {
    const std::size_t at = random() % (text.size() + 1);
    const std::size_t length = 1 + random() % 12;
    switch (random() % 6) {
      case 0: text.insert(at, hurtful[random() % hurtful.size()]); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(random() % (text.size() + 1), length)); break;
      case 3: text.resize(at); break;
      case 4: text += text.substr(0, at); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random());
    }
  }
  return text;
}

CsvForm form_by(std::mt19937& random) {
  CsvForm form;
  form.delimiter = ",;\t| "[random() % 5];
  form.decimal = form.delimiter == ',' || random() % 2 ? '.' : ',';
  if (random() % 2) form.missing = {"", "?", "NA", std::string(70, 'a')};
  return form;
}

void check_number(const std::string& cell, char decimal) {
  const std::vector<char> exact(cell.begin(), cell.end());
  const NumberText number = read_number({exact.data(), exact.size()}, decimal);
  if (!number.valid) return;
  std::string plain = cell;
  for (char& c : plain)
    if (c == decimal) c = '.';
  CHECK(number.value == std::strtod(plain.c_str(), nullptr));
  CHECK(!number.plain || !number.padded);
}

void check_words(std::string_view text) {
  const TextReading reading{.lower = text.size() % 2 == 0, .shortest = 1, .longest = 2};
  Tokens tokens;
  tokens.read(text, reading);
  tokens.each(reading, [](std::string_view word, const char* end) { CHECK(!word.empty() && word.data() + word.size() <= end); });
}

std::string cell_at(const CsvColumn& column, std::size_t row) {
  const std::int32_t code = column.codes[row];
  CHECK(code >= -1 && code < static_cast<std::int32_t>(column.values.size()));
  return code < 0 ? "(missing)" : std::string(column.values[static_cast<std::size_t>(code)]);
}

}  // namespace

TEST("a hundred thousand damaged texts are read alike twice, or refused at a place inside them") {
  std::mt19937 random(42);
  int read_whole = 0, refused = 0;
  for (int round = 0; round < texts_tried; ++round) {
    const std::string text = damaged(random);
    const std::vector<char> exact(text.begin(), text.end());
    const std::string_view view(exact.data(), exact.size());
    const CsvForm form = form_by(random);
    std::vector<std::size_t> ends;
    const auto rows = csv_rows(view, form, 0, 100000, ends);
    CHECK(ends.size() == rows.size() && (ends.empty() || ends.back() <= view.size()));
    const std::size_t begin = rows.empty() || random() % 2 ? 0 : ends[0];  // as after a header
    const std::size_t before = begin == 0 ? 0 : 1;
    const std::size_t width = rows.empty() ? 1 : rows[0].size();
    const int threads = round % 50 == 0 ? 2 : 1;
    const CsvColumns read = csv_columns(view, form, begin, width, -1, false, threads, go);
    if (read.fault.kind != CsvFault::none) {
      CHECK(read.fault.offset <= view.size());
      ++refused;
    } else {
      CHECK(read.rows == rows.size() - before && read.columns.size() == width);
      const std::size_t only = random() % width;
      const CsvColumns again = csv_columns(view, form, begin, width, static_cast<int>(only), false, 1, go);
      CHECK(again.fault.kind == CsvFault::none && again.rows == read.rows);
      for (std::size_t row = 0; row < read.rows; ++row) {
        const std::string& cell = rows[row + before][only];
        const std::string strings = cell_at(again.columns[only], row);
        CHECK(strings == "(missing)" || strings == cell);
        if (read.columns[only].codes) CHECK(cell_at(read.columns[only], row) == strings);
        else CHECK(std::isnan(read.columns[only].numbers[row]) == (strings == "(missing)"));
      }
      ++read_whole;
    }
    for (const auto& row : rows)
      for (const auto& cell : row) check_number(cell, form.decimal);
    check_words(view);
  }
  CHECK(read_whole > texts_tried / 10 && refused > texts_tried / 10);
}
