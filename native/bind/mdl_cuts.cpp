#include "core/trees/mdl_cuts.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

nb::list cuts_of(const nb::list& columns, Codes target, std::optional<Numbers> weights, std::int32_t classes,
                 int threads) {
  const std::size_t rows = target.shape(0);
  std::vector<AnyArray> arrays;
  for (const nb::handle each : columns) arrays.push_back(nb::cast<AnyArray>(each));
  std::vector<Column> views;
  for (const AnyArray& array : arrays) {
    views.push_back(column_of(array, 0));
    if (!views.back().numeric()) throw std::invalid_argument("only numbers can be cut");
    if (array.shape(0) != rows) throw std::invalid_argument("columns and target differ in length");
  }
  if (std::any_of(target.data(), target.data() + rows, [&](std::int32_t code) { return code >= classes; }))
    throw std::invalid_argument("the target has a code beyond its classes");
  const ClassedRows table{rows, classes, target.data(), optional_data(weights, rows)};
  std::vector<std::vector<double>> cuts(views.size());
  run_interruptible(16 * rows * views.size(), [&](const StopFlag& stop) {
    run_parallel(views.size(), threads > 0 ? threads : thread_count(),
                 [&](std::size_t c, int) { cuts[c] = mdl_cuts(views[c], table, stop); });
  });
  nb::list answer;
  for (auto& each : cuts) answer.append(give_array(std::move(each)));
  return answer;
}

}  // namespace

void bind_mdl_cuts(nb::module_& m) {
  m.def("mdl_cuts", cuts_of, nb::arg("columns"), nb::arg("target"), nb::arg("weights").none(), nb::arg("classes"),
        nb::arg("threads") = 0,
        "[column] cuts by entropy and description length, ascending. columns: numbers [row]; target: codes [row].");
}
