// RIPPER: columns and settings in; rules, the rule that takes each row, and every step out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/growing.hpp"
#include "core/rules/ripper.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

nb::list tests_of(const std::vector<RipperTest>& tests) {
  nb::list made;
  for (const RipperTest& test : tests)
    made.append(nb::make_tuple(test.column, static_cast<int>(test.kind), test.value));
  return made;
}

nb::tuple draft_of(const RipperDraft& draft) {
  nb::list gains;
  for (const double gain : draft.gains) gains.append(gain);
  return nb::make_tuple(static_cast<int>(draft.kind), draft.start, tests_of(draft.grown), gains, draft.kept,
                        draft.value_grown, draft.value, draft.length);
}

nb::list steps_of(const std::vector<RipperStep>& steps) {
  nb::list made;
  for (const RipperStep& step : steps) {
    nb::list drafts;
    for (const RipperDraft& draft : step.drafts) drafts.append(draft_of(draft));
    made.append(nb::make_tuple(static_cast<int>(step.action), step.code, step.round, step.position, step.before,
                               step.after, drafts));
  }
  return made;
}

}  // namespace

void bind_ripper(nb::module_& m) {
  m.def(
      "ripper",
      [](const nb::list& columns, const std::vector<std::int32_t>& values, std::int32_t classes, const Codes& target,
         const nb::object& weights, int folds, double min_rows, int optimizations, bool prune, bool check_error,
         std::uint64_t seed, bool steps, int threads) {
        Problem problem;
        std::vector<AnyArray> arrays;
        for (const nb::handle each : columns) arrays.push_back(nb::cast<AnyArray>(each));
        if (arrays.size() != values.size()) throw std::invalid_argument("a number of values is needed for every column");
        for (std::size_t c = 0; c < arrays.size(); ++c) {
          problem.columns.push_back(column_of(arrays[c], values[c]));
          if (arrays[c].shape(0) != target.shape(0)) throw std::invalid_argument("columns and target differ in length");
        }
        Numbers weight_array;
        if (!weights.is_none()) {
          weight_array = nb::cast<Numbers>(weights);
          if (weight_array.shape(0) != target.shape(0)) throw std::invalid_argument("weights and target differ in length");
          problem.weight_of = weight_array.data();
        }
        if (folds < 2) throw std::invalid_argument("folds must be at least 2");
        problem.rows = target.shape(0);
        problem.classes = classes;
        problem.class_of = target.data();
        const RipperSettings settings{folds, min_rows, optimizations, prune, check_error, seed};
        RipperRules learned;
        run_interruptible(100 * problem.rows * problem.columns.size(), [&](const StopFlag& stop) {
          for (std::size_t c = 0; c < problem.columns.size(); ++c)
            if (!problem.columns[c].numeric()) check_codes(problem.columns[c], problem.rows, c);
          for (std::size_t row = 0; row < problem.rows; ++row)
            if (problem.class_of[row] < 0 || problem.class_of[row] >= classes)
              throw std::invalid_argument("row " + std::to_string(row) + " has no class");
          learned = ripper(problem, settings, threads > 0 ? threads : thread_count(), stop);
        });
        nb::list rules;
        for (const auto& rule : learned.rules) rules.append(nb::make_tuple(rule.code, tests_of(rule.tests)));
        return nb::make_tuple(rules, learned.otherwise, give_array(std::move(learned.taken)),
                              steps ? steps_of(learned.steps) : nb::list());
      },
      nb::arg("columns"), nb::arg("values"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(),
      nb::kw_only(), nb::arg("folds"), nb::arg("min_rows"), nb::arg("optimizations"), nb::arg("prune"),
      nb::arg("check_error"), nb::arg("seed"), nb::arg("steps") = false, nb::arg("threads") = 0,
      "Rules [(class, [(column, kind, value)])], the class otherwise, [row] the rule that takes it, the steps; columns "
      "as for grow_cart.");
}
