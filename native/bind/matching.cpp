#include "core/rules/matching.hpp"

#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>

#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "bind/walk.hpp"

namespace nb = nanobind;
using namespace clearwood;
using namespace clearwood::bound;

namespace {
// The arrays stay alive in `compiled` and `cells`, which the caller holds.
struct Matching {
  Matching(nb::handle compiled, nb::list given, Array<std::int32_t> values, std::size_t rows)
      : conditions(conditions_of(compiled), columns_of(given, values, rows)), rules(rules_of(compiled)) {}

  static ConditionsView conditions_of(nb::handle c) {
    const std::size_t size = length(c, "attribute"), codes = length(c, "set_codes");
    return {size,
            column<std::int32_t>(c, "attribute", size),
            column<double>(c, "low", size),
            column<double>(c, "high", size),
            column<bool>(c, "or_missing", size),
            column<std::int64_t>(c, "set_start", size + 1),
            column<std::int32_t>(c, "set_codes", codes),
            codes};
  }
  static RulesView rules_of(nb::handle c) {
    const std::size_t size = length(c, "start") - 1, entries = length(c, "condition");
    const RulesView rules{size, column<std::int64_t>(c, "start", size + 1), column<std::int32_t>(c, "condition", entries)};
    check_rules(rules, length(c, "attribute"), entries);
    return rules;
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
  const Matching matching(compiled, cells, values, rows);
  const std::size_t size = matching.rules.size;
  std::unique_ptr<double[]> covered(new double[size * classes]), answered(new double[(size + 1) * classes]);
  run_interruptible(rows * matching.conditions.size(), [&](const StopFlag& stop) {
    count_rules(matching.conditions, matching.rules,
                {rows, static_cast<std::int32_t>(classes), target.data(), optional_data(weights, rows)}, covered.get(),
                answered.get(), stop);
  });
  return nb::make_tuple(give_array(std::move(covered), {size, classes}),
                        give_array(std::move(answered), {size + 1, classes}));
}

auto shared(Array<Word, nb::ndim<2>> sets, std::size_t rows, std::optional<Numbers> weights) {
  const std::size_t size = sets.shape(0);
  if (sets.shape(1) != words_for(rows)) throw nb::value_error("A set has one bit a row.");
  std::unique_ptr<double[]> weights_shared(new double[size * size]);
  run_interruptible(size * size * rows / 8, [&](const StopFlag& stop) {
    count_shared(sets.data(), size, rows, optional_data(weights, rows), weights_shared.get(), stop);
  });
  return give_array(std::move(weights_shared), {size, size});
}

Given<double> count_members(Array<Word, nb::ndim<2>> satisfied, Codes starts, Codes members, Codes target,
                            std::optional<Numbers> weights, std::int32_t classes) {
  const std::size_t rows = target.shape(0);
  if (satisfied.shape(1) != words_for(rows)) throw nb::value_error("A condition's bits must be one for each row.");
  if (classes < 1) throw nb::value_error("There must be a class.");
  const ConditionRows bits{satisfied.data(), satisfied.shape(0)};
  const std::vector<std::int64_t> wide(starts.data(), starts.data() + starts.shape(0));
  const RuleMembers rules{wide, {members.data(), members.shape(0)}};
  const ClassedRows truth{rows, classes, target.data(), optional_data(weights, rows)};
  const std::size_t width = static_cast<std::size_t>(classes);
  auto counts = std::make_unique<double[]>(members.shape(0) * 2 * width);
  run_interruptible(
      members.shape(0) * rows,
      [&](const StopFlag& stop) { count_by_condition(bits, rules, truth, counts.get(), thread_count(), stop); });
  return give_array(std::move(counts), {members.shape(0), 2, width});
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
  m.def("count_by_condition", &count_members, nb::arg("satisfied").noconvert(), nb::arg("starts").noconvert(),
        nb::arg("members").noconvert(), nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(),
        nb::arg("classes"),
        "[member, holds or not, class] rows that satisfy the rule's other conditions, by each of its conditions.");
}
