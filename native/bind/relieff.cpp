#include "core/selecting/relieff.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

Given<double> relief_of(const std::vector<Codes>& columns, const std::vector<bool>& ordered, std::int32_t unit, Codes target,
                        std::int32_t classes, std::optional<Numbers> weights, std::size_t references, double neighbours,
                        int threads) {
  ReliefTask task;
  task.rows = target.shape(0);
  task.unit = unit;
  task.target = target.data();
  task.classes = classes;
  task.weight_of = optional_data(weights, task.rows);
  task.references = std::min(references, task.rows);
  task.neighbours = neighbours;
  if (unit < 1 || columns.size() != ordered.size() || static_cast<double>(unit) * (columns.size() + 1) > 2147483647.0)
    throw std::invalid_argument("the unit must leave room for the differences of all columns");
  auto within = [&](const Codes& cells, std::int32_t least, std::int32_t most) {
    return cells.shape(0) == task.rows &&
           std::all_of(cells.data(), cells.data() + task.rows, [&](std::int32_t c) { return c >= least && c <= most; });
  };
  if (!within(target, 0, classes ? classes - 1 : unit)) throw std::invalid_argument("the target has a code out of bounds");
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!within(columns[c], -1, ordered[c] ? unit : std::numeric_limits<std::int32_t>::max()))
      throw std::invalid_argument("a column differs in length, or has a cell out of bounds");
    task.columns.push_back({columns[c].data(), ordered[c]});
  }
  std::vector<double> scores;
  run_interruptible(task.references * task.rows * columns.size(), [&](const StopFlag& stop) {
    scores = relieff(task, threads > 0 ? threads : thread_count(), stop);
  });
  return give_array(std::move(scores));
}

}  // namespace

void bind_relieff(nb::module_& m) {
  m.def("relieff", relief_of, nb::arg("columns"), nb::arg("ordered"), nb::arg("unit"), nb::arg("target"), nb::arg("classes"),
        nb::arg("weights").none(), nb::arg("references"), nb::arg("neighbours"), nb::arg("threads") = 0,
        "[column] ReliefF's scores; of no classes, RReliefF's. columns: codes, or where ordered numbers from 0 to unit [row], "
        "-1 missing; the first rows are the references.");
}
