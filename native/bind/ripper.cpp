// RIPPER: columns and settings in; rules, the rule that takes each row, and every step out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/coded.hpp"
#include "bind/interruptible.hpp"
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
      [](const nb::tuple& coded, std::int32_t classes, const nb::object& target, const nb::object& weights, int folds,
         double min_rows, int optimizations, bool prune, bool check_error, std::uint64_t seed, bool steps, int threads) {
        CodedProblem given(coded, classes, target, weights);
        if (folds < 2) throw std::invalid_argument("folds must be at least 2");
        const RipperSettings settings{folds, min_rows, optimizations, prune, check_error, seed};
        RipperRules learned;
        run_interruptible(100 * given.problem.rows * given.problem.coded.size(), [&](const StopFlag& stop) {
          given.learn(stop, [&](const Problem& problem, const StopFlag& until) {
            learned = ripper(problem, settings, threads > 0 ? threads : thread_count(), until);
          });
        });
        nb::list rules;
        for (const auto& rule : learned.rules) rules.append(nb::make_tuple(rule.code, tests_of(rule.tests)));
        return nb::make_tuple(rules, learned.otherwise, give_array(std::move(learned.taken)),
                              steps ? steps_of(learned.steps) : nb::list());
      },
      nb::arg("coded"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(),
      nb::kw_only(), nb::arg("folds"), nb::arg("min_rows"), nb::arg("optimizations"), nb::arg("prune"),
      nb::arg("check_error"), nb::arg("seed"), nb::arg("steps") = false, nb::arg("threads") = 0,
      "Rules [(class, [(column, kind, value)])], the class otherwise, [row] the rule that takes it, the steps.");
}
