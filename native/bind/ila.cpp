#include "core/rules/ila.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "bind/refusals.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

// Cells side by side, row by row; what is missing is −1, and a code beyond its values is refused.
void read_cells(IlaTask& task, const std::vector<AnyArray>& arrays) {
  task.cells.resize(task.rows * task.columns);
  for (std::size_t c = 0; c < task.columns; ++c) {
    const Column column = column_of(arrays[c], task.values[c]);
    if (column.numeric() || arrays[c].shape(0) != task.rows) throw std::invalid_argument("a column needs codes [row]");
    for (std::size_t row = 0; row < task.rows; ++row) {
      const std::int32_t code = column.code(row);
      if (code >= column.values) throw std::invalid_argument("column " + std::to_string(c) + " has a code beyond its values");
      task.cells[row * task.columns + c] = std::max(code, -1);
    }
  }
}

nb::dict ila_rules(const nb::list& columns, const std::vector<std::int32_t>& values, Codes target,
                   std::optional<Array<std::int64_t>> units, const std::vector<std::int32_t>& order,
                   const std::vector<std::vector<std::int32_t>>& relevant, std::optional<Array<std::int64_t>> marked,
                   std::int64_t penalty_over, std::int64_t penalty_under, bool fast, bool cautious,
                   std::size_t max_conditions, std::size_t most_combinations, std::size_t most_work,
                   std::size_t most_candidates, int threads) {
  IlaTask task;
  task.rows = target.shape(0);
  if (task.rows > 0xFFFFFFFFu) throw std::invalid_argument("more rows than can be numbered");
  task.columns = values.size();
  task.values = values;
  task.class_of = target.data();
  task.order = order;
  task.relevant = relevant;
  task.penalty_over = penalty_over;
  task.penalty_under = penalty_under;
  task.fast = fast;
  task.cautious = cautious;
  task.most_conditions = max_conditions;
  task.most_combinations = most_combinations;
  task.most_work = most_work;
  if (most_candidates) task.most_candidates = most_candidates;
  std::vector<AnyArray> arrays;
  for (const nb::handle each : columns) arrays.push_back(nb::cast<AnyArray>(each));
  if (arrays.size() != values.size()) throw std::invalid_argument("a number of values is needed for every column");
  if (relevant.size() != order.size()) throw std::invalid_argument("relevant columns are needed for every class");
  for (const auto& each : relevant)
    for (const std::int32_t column : each)
      if (column < 0 || static_cast<std::size_t>(column) >= task.columns) throw std::invalid_argument("no such column");
  if (units && units->shape(0) != task.rows) throw std::invalid_argument("units and target differ in length");
  task.units_of = units ? units->data() : nullptr;
  std::vector<char> covered(task.rows, 0);
  for (std::size_t i = 0; marked && i < marked->shape(0); ++i) {
    const std::int64_t row = marked->data()[i];
    if (row < 0 || static_cast<std::size_t>(row) >= task.rows) throw std::invalid_argument("no such row is marked");
    covered[static_cast<std::size_t>(row)] = 1;
  }
  IlaRules rules;
  try {
    run_interruptible(100 * task.rows * static_cast<std::size_t>(task.columns), [&](const StopFlag& stop) {
      read_cells(task, arrays);
      rules = learn_ila(task, covered, threads > 0 ? threads : thread_count(), stop);
    });
  } catch (const TooManyCombinations& error) {
    refuse("TooManyCombinationsError", {{"cls", error.cls},
                                   {"size", static_cast<std::int64_t>(error.size)},
                                   {"left", static_cast<std::int64_t>(error.left)}});
  }
  nb::dict descriptions;
  descriptions["cls"] = give_array(std::move(rules.cls));
  descriptions["covers"] = give_array(std::move(rules.covers));
  descriptions["wrong"] = give_array(std::move(rules.wrong));
  descriptions["start"] = give_array(std::move(rules.start));
  descriptions["column"] = give_array(std::move(rules.column));
  descriptions["code"] = give_array(std::move(rules.code));
  descriptions["left"] = give_array(std::move(rules.left));
  return descriptions;
}

}  // namespace

void bind_ila(nb::module_& m) {
  add_refusal(m, "TooManyCombinationsError", "clearwood._native.TooManyCombinationsError",
              "Descriptions of class `cls` with `size` conditions are too many to try for the rows `left`.");
  m.def("ila", &ila_rules, nb::arg("columns"), nb::arg("values"), nb::arg("target"), nb::arg("units").none(), nb::kw_only(),
        nb::arg("order"), nb::arg("relevant"), nb::arg("marked").none(), nb::arg("penalty_over"),
        nb::arg("penalty_under"), nb::arg("fast"), nb::arg("cautious"), nb::arg("max_conditions"),
        nb::arg("most_combinations"), nb::arg("most_work"), nb::arg("most_candidates") = 0, nb::arg("threads") = 0,
        "ILA's rules in the order learned, and the rows none describes. columns: codes [row] each; relevant: [place in "
        "order] columns. TooManyCombinationsError names the class and the size that has too many.");
}
