// Histograms: codes and regions in, whole numbers by region and code out.
#include "core/counting/histograms.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/coded.hpp"
#include "bind/interruptible.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

nb::object region_sums(const nb::list& columns, const std::vector<std::uint32_t>& known, Codes region, std::size_t regions,
                       Array<std::int64_t> g, Array<std::int64_t> h, int threads) {
  const std::size_t rows = region.shape(0);
  CodedRows coded = coded_rows(columns, known, rows);
  coded.lay_out(~std::size_t{0});
  if (g.shape(0) != rows || h.shape(0) != rows) throw std::invalid_argument("sums and regions differ in length");
  if (std::any_of(region.data(), region.data() + rows,
                  [&](std::int32_t each) { return each >= 0 && static_cast<std::size_t>(each) >= regions; }))
    throw std::invalid_argument("a row lies in a region beyond the last");
  constexpr std::int64_t most = std::int64_t{1} << packed_bits;
  auto sums = std::make_unique<Sum[]>(regions * coded.bins);
  run_interruptible(4 * rows * known.size(), [&](const StopFlag& stop) {
    const int used = threads > 0 ? threads : thread_count();
    check_codes_of(coded.columns, rows, used);
    RowSums values;
    std::vector<Word> words;
    bool fits = true;
    for (std::size_t row = 0; row < rows; ++row)
      fits = fits && g.data()[row] >= -most && g.data()[row] <= most && h.data()[row] >= 0 && h.data()[row] <= most;
    if (fits) {
      words.resize(rows);
      for (std::size_t row = 0; row < rows; ++row) words[row] = packed(g.data()[row], h.data()[row]);
      values.words = words.data();
    } else {
      values.g = g.data();
      values.h = h.data();
    }
    add_region_sums(coded, values, region.data(), regions, sums.get(), used, stop);
  });
  auto* const place = reinterpret_cast<std::int64_t*>(sums.get());
  return nb::cast(give_array(place, std::move(sums), {regions, coded.bins, 2}));
}

nb::list region_counts(const nb::list& columns, const std::vector<std::uint32_t>& known, Codes region, std::size_t regions,
                       Codes target, std::size_t classes, const std::optional<Array<std::int64_t>>& units, int threads) {
  const std::size_t rows = region.shape(0);
  CodedRows coded = coded_rows(columns, known, rows);
  if (target.shape(0) != rows || (units && units->shape(0) != rows))
    throw std::invalid_argument("target and regions differ in length");
  for (std::size_t row = 0; row < rows; ++row)
    if (region.data()[row] >= 0 && (static_cast<std::size_t>(region.data()[row]) >= regions || target.data()[row] < 0 ||
                                    static_cast<std::size_t>(target.data()[row]) >= classes))
      throw std::invalid_argument("a row lies in a region or class beyond the last");
  std::vector<std::unique_ptr<std::int64_t[]>> counts;
  for (const CodedColumn& column : coded.columns)
    counts.push_back(std::make_unique<std::int64_t[]>(regions * column.bins() * classes));
  run_interruptible(2 * rows * known.size(), [&](const StopFlag& stop) {
    const int used = threads > 0 ? threads : thread_count();
    check_codes_of(coded.columns, rows, used);
    run_parallel(known.size(), used, [&](std::size_t c, int) {
      check(stop);
      add_class_counts(coded.columns[c], rows, region.data(), target.data(), classes, units ? units->data() : nullptr,
                       counts[c].get());
    });
  });
  nb::list answer;
  for (std::size_t c = 0; c < known.size(); ++c)
    answer.append(give_array(std::move(counts[c]), {regions, coded.columns[c].bins(), classes}));
  return answer;
}

}  // namespace

void bind_histograms(nb::module_& m) {
  m.def("region_sums", region_sums, nb::arg("columns"), nb::arg("known"), nb::arg("region"), nb::arg("regions"),
        nb::arg("g"), nb::arg("h"), nb::arg("threads") = 0,
        "[region, code of all columns one after another, 2]: sums of g and h; a row of a region below 0 is left out.");
  m.def("region_counts", region_counts, nb::arg("columns"), nb::arg("known"), nb::arg("region"), nb::arg("regions"),
        nb::arg("target"), nb::arg("classes"), nb::arg("units").none(), nb::arg("threads") = 0,
        "[column][region, code, class]: how many units; a row of a region below 0 is left out.");
}
