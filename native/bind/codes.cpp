// Codes: columns in; cuts, then whole numbers of 1, 2 or 4 bytes, out.
#include "core/counting/codes.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "core/numeric/large_pages.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

std::vector<Column> coded_columns_of(const nb::list& given, const std::vector<std::int32_t>& values, std::size_t rows) {
  std::vector<Column> columns;
  for (const nb::handle each : given) {
    const auto array = nb::cast<AnyArray>(each);
    if (array.shape(0) != rows) throw std::invalid_argument("columns differ in length");
    const std::int32_t known = values.empty() ? 0 : values.at(columns.size());
    columns.push_back(column_of(array, known));
    if (columns.back().numeric() && known > 0) throw std::invalid_argument("numbers have no values");
  }
  return columns;
}

// [column] what is asked of its numbers.
template <class Asks>
nb::list of_numbers(const nb::list& given, std::size_t rows, const std::optional<Numbers>& weights, int threads, Asks asks) {
  const auto columns = coded_columns_of(given, {}, rows);
  for (const Column& column : columns)
    if (!column.numeric()) throw std::invalid_argument("only numbers are cut");
  const double* const weight_of = optional_data(weights, rows);
  std::vector<std::vector<double>> found(columns.size());
  run_interruptible(8 * rows * columns.size(), [&](const StopFlag& stop) {
    run_parallel(columns.size(), threads > 0 ? threads : thread_count(), [&](std::size_t c, int) {
      check(stop);
      found[c] = asks(columns[c], weight_of);
    });
  });
  nb::list answer;
  for (auto& each : found) answer.append(give_array(std::move(each)));
  return answer;
}

nb::list column_cuts(const nb::list& given, std::size_t rows, std::optional<Numbers> weights, std::size_t most,
                     int threads) {
  return of_numbers(given, rows, weights, threads, [&](const Column& column, const double* weight_of) {
    return cuts_of(column, rows, weight_of, most);
  });
}

nb::list column_ladders(const nb::list& given, std::size_t rows, std::optional<Numbers> weights, int threads) {
  return of_numbers(given, rows, weights, threads, [&](const Column& column, const double* weight_of) {
    return ladder_of(column, rows, weight_of);
  });
}

template <class Code>
nb::object give_codes(LargeArray<std::byte>& memory, std::size_t rows) {
  auto* const place = reinterpret_cast<Code*>(memory.data());
  return nb::cast(give_array(place, std::move(memory), {rows}));
}

nb::list column_codes(const nb::list& given, const std::vector<std::int32_t>& values, const nb::list& cuts,
                      std::size_t rows, int threads) {
  const auto columns = coded_columns_of(given, values, rows);
  if (values.size() != columns.size() || cuts.size() != columns.size())
    throw std::invalid_argument("values and cuts are needed for every column");
  std::vector<Coding> codings;
  std::vector<LargeArray<std::byte>> memory;
  std::vector<void*> out;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto array = nb::cast<Numbers>(cuts[c]);
    Coding coding;
    coding.cuts.assign(array.data(), array.data() + array.shape(0));
    coding.known = columns[c].numeric() ? static_cast<std::uint32_t>(coding.cuts.size()) + 1
                                        : static_cast<std::uint32_t>(columns[c].values);
    codings.push_back(std::move(coding));
    memory.emplace_back(rows * codings.back().bytes());
    out.push_back(memory.back().data());
  }
  run_interruptible(4 * rows * columns.size(), [&](const StopFlag& stop) {
    write_all_codes(columns, codings, rows, out, threads > 0 ? threads : thread_count(), stop);
  });
  nb::list answer;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::size_t bytes = codings[c].bytes();
    answer.append(bytes == 1   ? give_codes<std::uint8_t>(memory[c], rows)
                  : bytes == 2 ? give_codes<std::uint16_t>(memory[c], rows)
                               : give_codes<std::uint32_t>(memory[c], rows));
  }
  return answer;
}

}  // namespace

void bind_codes(nb::module_& m) {
  m.def("column_cuts", column_cuts, nb::arg("columns"), nb::arg("rows"), nb::arg("weights").none(), nb::arg("most"),
        nb::arg("threads") = 0,
        "[column] cuts of numbers, ascending: all midpoints, or at most so many between which rows weigh alike.");
  m.def("column_ladders", column_ladders, nb::arg("columns"), nb::arg("rows"), nb::arg("weights").none(),
        nb::arg("threads") = 0, "[column] the different numbers of the rows with weight, ascending.");
  m.def("column_codes", column_codes, nb::arg("columns"), nb::arg("values"), nb::arg("cuts"), nb::arg("rows"),
        nb::arg("threads") = 0,
        "[column] codes [row] of 1, 2 or 4 bytes: a value's place or how many cuts lie below; the last is missing.");
}
