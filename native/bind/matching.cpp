#include "core/rules/matching.hpp"

#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {
template <class T>
const T* field(nb::handle from, const char* name, std::size_t size) {
  const auto array = nb::cast<Array<T>>(from.attr(name));
  if (array.shape(0) != size) throw nb::value_error("The columns of a rule list differ in length.");
  return array.data();
}

// The arrays stay alive in `compiled` and `cells`, which the caller holds.
struct Matching {
  Matching(nb::handle compiled, nb::list given, Array<std::int32_t> values, std::size_t rows)
      : conditions(conditions_of(compiled), cells_of(given, values, rows)), rules(rules_of(compiled)) {}

  static ConditionsView conditions_of(nb::handle c) {
    const std::size_t size = nb::len(nb::object(c.attr("attribute"))), codes = nb::len(nb::object(c.attr("set_codes")));
    return {size,
            field<std::int32_t>(c, "attribute", size),
            field<double>(c, "low", size),
            field<double>(c, "high", size),
            field<bool>(c, "or_missing", size),
            field<std::int64_t>(c, "set_start", size + 1),
            field<std::int32_t>(c, "set_codes", codes),
            codes};
  }
  static RulesView rules_of(nb::handle c) {
    const std::size_t size = nb::len(nb::object(c.attr("start"))) - 1, entries = nb::len(nb::object(c.attr("condition")));
    const RulesView rules{size, field<std::int64_t>(c, "start", size + 1), field<std::int32_t>(c, "condition", entries)};
    check_rules(rules, nb::len(nb::object(c.attr("attribute"))), entries);
    return rules;
  }
  static Cells cells_of(nb::list given, Array<std::int32_t> values, std::size_t rows) {
    Cells cells(nb::len(given));
    if (values.shape(0) != cells.size()) throw nb::value_error("One number of values per attribute.");
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (given[i].is_none()) continue;
      const auto array = nb::cast<AnyArray>(given[i]);
      if (array.shape(0) != rows) throw nb::value_error("Columns differ in length.");
      cells[i] = column_of(array, values.data()[i]);
      if (cells[i]->numeric() != (values.data()[i] < 0))
        throw nb::type_error("Codes belong to nominal and ordinal attributes.");
    }
    return cells;
  }
  Conditions conditions;
  RulesView rules;
};

auto first(nb::object compiled, nb::list cells, Array<std::int32_t> values, std::size_t rows) {
  const Matching matching(compiled, cells, values, rows);
  std::unique_ptr<std::int32_t[]> rule_of_row(new std::int32_t[rows]);
  run_interruptible(rows * matching.conditions.size(), [&](const StopFlag& stop) {
    first_rules(matching.conditions, matching.rules, rows, rule_of_row.get(), stop);
  });
  return give_array(std::move(rule_of_row), {rows});
}

auto votes(nb::object compiled, nb::list cells, Array<std::int32_t> values, std::size_t rows, Matrix votes) {
  const Matching matching(compiled, cells, values, rows);
  if (votes.shape(0) != matching.rules.size) throw nb::value_error("One line of votes per rule.");
  const std::size_t width = votes.shape(1);
  std::unique_ptr<double[]> sums(new double[rows * width]);
  std::unique_ptr<std::int32_t[]> held(new std::int32_t[rows]);
  run_interruptible(rows * matching.conditions.size(), [&](const StopFlag& stop) {
    add_votes(matching.conditions, matching.rules, rows, votes.data(), width, sums.get(), held.get(), stop);
  });
  return nb::make_tuple(give_array(std::move(sums), {rows, width}), give_array(std::move(held), {rows}));
}

auto bits(nb::object compiled, nb::list cells, Array<std::int32_t> values, std::size_t rows) {
  const Matching matching(compiled, cells, values, rows);
  const std::size_t size = matching.conditions.size(), words = words_for(rows);
  std::unique_ptr<Word[]> satisfied(new Word[size * words]);
  run_interruptible(rows * matching.conditions.size(), [&](const StopFlag& stop) {
    run_parallel(size, thread_count(), [&](std::size_t i, int) {
      check(stop);
      matching.conditions.answer(i, 0, rows, satisfied.get() + i * words);
    });
  });
  return give_array(std::move(satisfied), {size, words});
}

auto counts(nb::object compiled, nb::list cells, Array<std::int32_t> values, Codes target, std::optional<Numbers> weights,
            std::size_t classes) {
  const std::size_t rows = target.shape(0);
  if (weights && weights->shape(0) != rows) throw nb::value_error("One weight per row.");
  const Matching matching(compiled, cells, values, rows);
  const std::size_t size = matching.rules.size;
  std::unique_ptr<double[]> covered(new double[size * classes]), answered(new double[(size + 1) * classes]);
  run_interruptible(rows * matching.conditions.size(), [&](const StopFlag& stop) {
    count_rules(matching.conditions, matching.rules, rows, target.data(), weights ? weights->data() : nullptr, classes,
                covered.get(), answered.get(), stop);
  });
  return nb::make_tuple(give_array(std::move(covered), {size, classes}),
                        give_array(std::move(answered), {size + 1, classes}));
}

auto shared(Array<Word, nb::ndim<2>> sets, std::size_t rows, std::optional<Numbers> weights) {
  const std::size_t size = sets.shape(0);
  if (sets.shape(1) != words_for(rows)) throw nb::value_error("A set has one bit a row.");
  if (weights && weights->shape(0) != rows) throw nb::value_error("One weight per row.");
  std::unique_ptr<double[]> weights_shared(new double[size * size]);
  run_interruptible(size * size * rows / 8, [&](const StopFlag& stop) {
    count_shared(sets.data(), size, rows, weights ? weights->data() : nullptr, weights_shared.get(), stop);
  });
  return give_array(std::move(weights_shared), {size, size});
}
}  // namespace

void bind_matching(nb::module_& m) {
  m.def("first_rules", &first, nb::arg("compiled"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        "int32 [row]: the first rule that holds, or -1.");
  m.def("condition_bits", &bits, nb::arg("compiled"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        "uint64 [condition, word]: the rows that satisfy each condition.");
  m.def("count_shared", &shared, nb::arg("sets").noconvert(), nb::arg("rows"), nb::arg("weights").noconvert().none(),
        "float64 [set, set]: the weight of the rows in both of two sets [set, word] of bits.");
  m.def("rule_votes", &votes, nb::arg("compiled"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        nb::arg("votes").noconvert(),
        "float64 [row, width], int32 [row]: the votes of the rules that hold, summed, and how many hold.");
  m.def("count_rules", &counts, nb::arg("compiled"), nb::arg("cells"), nb::arg("values").noconvert(),
        nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(), nb::arg("classes"),
        "float64 [rule, class] covered and [rule + 1, class] answered first, the last line by no rule.");
}
