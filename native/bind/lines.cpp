#include "core/writing/lines.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

using Bytes = Array<std::uint8_t>;
using Spans = Array<std::int64_t, nb::shape<-1, 2>>;
using Picked = std::optional<Array<std::int64_t>>;

void demand(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// float64[row], or (int32[row], the values as str). The arrays are kept alive by whoever calls.
LineColumn line_column(nb::handle given, std::size_t rows, char separator) {
  LineColumn column;
  if (!nb::isinstance<nb::tuple>(given)) {
    const auto numbers = nb::cast<Numbers>(given);
    demand(numbers.size() == rows, "A column has another number of rows.");
    column.numbers = numbers.data();
    return column;
  }
  const auto coded = nb::cast<nb::tuple>(given);
  const auto codes = nb::cast<Codes>(coded[0]);
  demand(codes.size() == rows, "A column has another number of rows.");
  column.codes = codes.data();
  for (const nb::handle value : nb::cast<nb::tuple>(coded[1])) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (!text) throw nb::python_error();
    column.values.push_back(quoted_cell({text, static_cast<std::size_t>(size)}, separator));
  }
  const auto values = static_cast<std::int32_t>(column.values.size());
  for (std::size_t row = 0; row < rows; ++row) demand(column.codes[row] < values, "A code has no value.");
  return column;
}

std::vector<LineColumn> line_columns(const nb::list& given, std::size_t rows, char separator) {
  std::vector<LineColumn> columns;
  for (const nb::handle each : given) columns.push_back(line_column(each, rows, separator));
  return columns;
}

LineAnswers answers_of(const nb::list& given, std::size_t rows, const Picked& picked, char separator) {
  LineAnswers answers;
  answers.rows = picked ? picked->size() : rows;
  answers.picked = picked ? picked->data() : nullptr;
  answers.separator = separator;
  answers.columns = line_columns(given, answers.rows, separator);
  for (std::size_t i = 0; picked && i < answers.rows; ++i)
    demand(answers.picked[i] >= 0 && static_cast<std::size_t>(answers.picked[i]) < rows, "There is no such row.");
  return answers;
}

Given<std::uint8_t> give(Lines&& lines) {
  return give_array(std::move(lines.bytes), {lines.size});
}

Given<std::uint8_t> of_text(const Bytes& text, const Spans& spans, char delimiter, const nb::list& answers,
                            char separator, const Picked& picked) {
  const std::size_t rows = spans.shape(0);
  const LineAnswers beside = answers_of(answers, rows, picked, separator);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int64_t begin = spans.data()[2 * row], end = spans.data()[2 * row + 1];
    demand(begin >= 0 && begin <= end && static_cast<std::size_t>(end) <= text.size(), "A row is outside the text.");
  }
  const LineText source{{reinterpret_cast<const char*>(text.data()), text.size()}, spans.data(), delimiter};
  Lines lines;
  run_interruptible(text.size(), [&](const StopFlag& stop) {
    lines = lines_of_text(source, beside, thread_count(), stop);
  });
  return give(std::move(lines));
}

Given<std::uint8_t> of_columns(const nb::list& columns, std::size_t rows, const nb::list& answers, char separator,
                               const Picked& picked) {
  const std::vector<LineColumn> source = line_columns(columns, rows, separator);
  const LineAnswers beside = answers_of(answers, rows, picked, separator);
  Lines lines;
  run_interruptible(20 * rows * (source.size() + 1), [&](const StopFlag& stop) {
    lines = lines_of_columns(source, beside, thread_count(), stop);
  });
  return give(std::move(lines));
}

}  // namespace

void bind_lines(nb::module_& m) {
  m.def("lines_of_text", &of_text, nb::arg("text"), nb::arg("spans"), nb::arg("delimiter"), nb::arg("answers"),
        nb::arg("separator"), nb::arg("picked").none(),
        "The rows of a text, [row] from where to where, as lines with answers after them; a column is float64[row] or "
        "(int32[row], values).");
  m.def("lines_of_columns", &of_columns, nb::arg("columns"), nb::arg("rows"), nb::arg("answers"), nb::arg("separator"),
        nb::arg("picked").none(), "The same of rows that are columns.");
}
