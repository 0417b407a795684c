#include "core/bayes/bayes.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/halves.hpp"
#include "bind/interruptible.hpp"
#include "core/counting/moments.hpp"
#include "core/counting/tally.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {
using Weights = std::optional<Numbers>;

std::vector<Column> columns_of(const std::vector<AnyArray>& arrays, const std::vector<std::int32_t>& values,
                               std::size_t rows, bool numbers) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].shape(0) != rows) throw nb::value_error("Columns differ in length.");
    columns.push_back(column_of(arrays[i], values.empty() ? 0 : values.at(i)));
    if (columns.back().numeric() != numbers) throw nb::value_error("A column is of the wrong kind.");
  }
  return columns;
}

WeightUnits units_of(const Weights& weights, std::size_t rows) {
  return weight_units(optional_data(weights, rows), rows);
}

auto tally_columns(std::vector<AnyArray> arrays, std::vector<std::int32_t> values, Codes target, std::int32_t classes,
                   Weights weights) {
  const std::size_t rows = target.shape(0);
  for (const auto each : values)
    if (each < 0) throw nb::value_error("A column cannot have fewer than no values.");
  if (values.size() != arrays.size()) throw nb::value_error("One number of values per column.");
  const auto columns = columns_of(arrays, values, rows, false);
  const WeightUnits units = units_of(weights, rows);
  const RowsByClass classed{target.data(), rows, classes, &units};
  std::vector<Whole> cells;
  run_interruptible(rows * columns.size(),
                    [&](const StopFlag& stop) { cells = tally(columns, classed, thread_count(), stop); });
  return std::make_pair(halves_of(cells), units.exponent);
}

auto moments_of(std::vector<AnyArray> arrays, Codes target, std::int32_t classes, Weights weights) {
  const std::size_t rows = target.shape(0);
  const auto columns = columns_of(arrays, {}, rows, true);
  const WeightUnits units = units_of(weights, rows);
  const RowsByClass classed{target.data(), rows, classes, &units};
  Moments sums;
  run_interruptible(4 * rows * columns.size(),
                    [&](const StopFlag& stop) { sums = moments(columns, classed, thread_count(), stop); });
  return std::make_tuple(halves_of(sums.missing), give_array(std::move(sums.sums), sum_limbs),
                         give_array(std::move(sums.squares), squares_limbs), give_array(std::move(sums.far)),
                         units.exponent);
}

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Evidence evidence_of(nb::list terms, Numbers log_priors, std::size_t rows, bool apart) {
  Evidence evidence;
  evidence.apart = apart;
  evidence.rows = rows;
  const std::size_t classes = log_priors.shape(0);
  if (classes == 0) throw nb::value_error("There must be a class.");
  evidence.log_priors.assign(log_priors.data(), log_priors.data() + classes);
  for (const nb::handle each : terms) {
    const auto given = nb::cast<nb::tuple>(each);
    const auto kind = nb::cast<std::string>(given[0]);
    Term term;
    if (kind == "ready") {
      const auto matrix = nb::cast<Table>(given[1]);
      if (matrix.shape(0) != rows || matrix.shape(1) != classes) throw nb::value_error("One number per row and class.");
      term.kind = Term::Kind::ready;
      term.column.data = reinterpret_cast<const std::byte*>(matrix.data());
    } else {
      const auto array = nb::cast<AnyArray>(given[1]);
      const auto table = nb::cast<Table>(given[2]);
      if (array.shape(0) != rows || table.shape(1) != classes) throw nb::value_error("A column or table has another size.");
      term.kind = kind == "codes"      ? Term::Kind::codes
                  : kind == "bell"     ? Term::Kind::bell
                  : kind == "times"    ? Term::Kind::times
                  : kind == "presence" ? Term::Kind::presence
                                       : throw nb::value_error("No such kind of term.");
      const std::size_t height = table.shape(0);
      const std::size_t expected_height = term.kind == Term::Kind::bell ? 3 : term.kind == Term::Kind::times ? 1 : 2;
      if (term.kind == Term::Kind::codes ? height < 2 || height > (std::size_t{1} << 31) : height != expected_height)
        throw nb::value_error("A table has another height.");
      term.column = column_of(array, term.kind == Term::Kind::codes ? static_cast<std::int32_t>(height - 2) : 0);
      if (term.column.numeric() == (term.kind == Term::Kind::codes)) throw nb::value_error("A column is of the wrong kind.");
      term.table = table.data();
    }
    evidence.terms.push_back(term);
  }
  return evidence;
}

std::size_t steps_of(const Evidence& evidence) { return 2 * evidence.rows * evidence.terms.size() * evidence.log_priors.size(); }

auto joint(nb::list terms, Numbers log_priors, std::size_t rows) {
  const Evidence evidence = evidence_of(terms, log_priors, rows, false);
  const std::size_t classes = evidence.log_priors.size();
  std::unique_ptr<double[]> out(new double[rows * classes]);
  run_interruptible(steps_of(evidence),
                    [&](const StopFlag& stop) { log_joint(evidence, out.get(), thread_count(), stop); });
  return give_array(std::move(out), {rows, classes});
}

auto shares(nb::list terms, Numbers log_priors, std::size_t rows) {
  const Evidence evidence = evidence_of(terms, log_priors, rows, true);
  const std::size_t classes = evidence.log_priors.size();
  std::unique_ptr<double[]> out(new double[rows * classes]);
  std::vector<std::int64_t> impossible;
  run_interruptible(steps_of(evidence),
                    [&](const StopFlag& stop) { impossible = posterior(evidence, out.get(), thread_count(), stop); });
  return std::make_pair(give_array(std::move(out), {rows, classes}), give_array(std::move(impossible)));
}

auto codes(nb::list terms, Numbers log_priors, std::size_t rows) {
  const Evidence evidence = evidence_of(terms, log_priors, rows, true);
  std::unique_ptr<std::int32_t[]> out(new std::int32_t[rows]);
  std::vector<std::int64_t> impossible;
  run_interruptible(steps_of(evidence),
                    [&](const StopFlag& stop) { impossible = likeliest(evidence, out.get(), thread_count(), stop); });
  return std::make_pair(give_array(std::move(out), {rows}), give_array(std::move(impossible)));
}
}  // namespace

void bind_bayes(nb::module_& m) {
  m.def("tally", &tally_columns, nb::arg("columns"), nb::arg("values"), nb::arg("target").noconvert(), nb::arg("classes"),
        nb::arg("weights").noconvert().none(),
        "uint64 [cell, 2] whole units of each cell, class by class of each column, and the unit's power of two.");
  m.def("moments", &moments_of, nb::arg("columns"), nb::arg("target").noconvert(), nb::arg("classes"),
        nb::arg("weights").noconvert().none(),
        "By column and class: units missing [·, 2], sums and squares as limbs; [column] first row too large; the unit's power.");
  m.def("bayes_joint", &joint, nb::arg("terms"), nb::arg("log_priors").noconvert(), nb::arg("rows"),
        "float64 [row, class]: the log prior and all terms.");
  m.def("bayes_shares", &shares, nb::arg("terms"), nb::arg("log_priors").noconvert(), nb::arg("rows"),
        "float64 [row, class] shares, and the rows that every class gives 0; tables less what all classes share.");
  m.def("bayes_codes", &codes, nb::arg("terms"), nb::arg("log_priors").noconvert(), nb::arg("rows"),
        "int32 [row] the likeliest class, and the rows that every class gives 0; tables as for the shares.");
  m.attr("MOMENTS_EXPONENTS") = nb::make_tuple(sum_exponent, squares_exponent);
}
