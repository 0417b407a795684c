#include "core/reading/csv.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "bind/strings.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::string_view text_view(const Bytes& text) { return {reinterpret_cast<const char*>(text.data()), text.size()}; }

nb::tuple rows(const Bytes& text, char delimiter, std::size_t begin, std::size_t limit) {
  CsvForm form;
  form.delimiter = delimiter;
  std::vector<std::size_t> ends;
  nb::list lines;
  for (const auto& row : csv_rows(text_view(text), form, begin, limit, ends)) {
    nb::list cells;
    for (const auto& cell : row) cells.append(nb::bytes(cell.data(), cell.size()));
    lines.append(cells);
  }
  return nb::make_tuple(lines, ends);
}

nb::tuple columns(const Bytes& text, char delimiter, char decimal, const std::vector<std::string>& missing,
                  std::size_t begin, std::size_t width, int only, bool with_spans) {
  const CsvForm form{delimiter, decimal, missing};
  CsvColumns read;
  run_interruptible(4 * text_view(text).size(), [&](const StopFlag& stop) {
    read = csv_columns(text_view(text), form, begin, width, only, with_spans, thread_count(), stop);
  });
  static constexpr const char* faults[] = {"", "ragged", "unclosed", "too long"};
  nb::list result;
  for (CsvColumn& column : read.columns) {
    if (column.numbers)
      result.append(nb::make_tuple(give_array(std::move(column.numbers), {read.rows}), column.whole, column.plain,
                                   column.padded, column.infinite_at, column.distinct));
    else if (column.codes)
      result.append(nb::make_tuple(give_array(std::move(column.codes), {read.rows}), give_strings(column.values)));
    else
      result.append(nb::none());
  }
  nb::object spans = nb::none();
  if (read.spans) spans = nb::cast(give_array(std::move(read.spans), {read.rows, 2}));
  return nb::make_tuple(faults[read.fault.kind], read.fault.offset, read.fault.cells, result, spans);
}

}  // namespace

void bind_csv(nb::module_& m) {
  m.def("csv_rows", &rows, nb::arg("text"), nb::arg("delimiter"), nb::arg("begin"), nb::arg("limit"),
        "The cells (bytes) of the first rows, and the offset after each row.");
  m.def("csv_columns", &columns, nb::arg("text"), nb::arg("delimiter"), nb::arg("decimal"), nb::arg("missing"),
        nb::arg("begin"), nb::arg("width"), nb::arg("only") = -1, nb::arg("with_spans") = false,
        "(fault, its offset, its cells, columns, spans or None): a column is (float64[row], whole, plain, padded, infinite_at, "
        "distinct) or (int32[row], values), or None if not requested.");
}
