// Rules learned by covering: columns, classes and settings in, conditions and counts out.
#include <nanobind/stl/string.h>

#include "bind/bindings.hpp"
#include "bind/coded.hpp"
#include "bind/interruptible.hpp"
#include "core/rules/covering.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

RuleMeasure rule_measure_of(const std::string& name) {
  if (name == "laplace") return RuleMeasure::laplace;
  if (name == "entropy") return RuleMeasure::entropy;
  if (name == "wracc") return RuleMeasure::wracc;
  throw std::invalid_argument("no native rule measure '" + name + "'");
}

// The rules of learn(problem, stop) as arrays.
template <class Learn>
nb::dict learn_rules(const nb::tuple& coded, std::int32_t classes, const nb::object& target, const nb::object& weights, Learn learn) {
  CodedProblem given(coded, classes, target, weights);
  LearnedRules learned;
  run_interruptible(100 * given.problem.rows * given.problem.coded.size(), [&](const StopFlag& stop) {
    given.learn(stop, [&](const Problem& problem, const StopFlag& until) { learned = learn(problem, until); });
  });
  std::vector<std::int32_t> column, code, negated;
  std::vector<double> low, high;
  for (const RuleTest& test : learned.tests) {
    column.push_back(test.column);
    code.push_back(test.code);
    negated.push_back(test.negated);
    low.push_back(test.low);
    high.push_back(test.high);
  }
  nb::dict d;
  d["start"] = give_array(std::move(learned.start));
  d["column"] = give_array(std::move(column));
  d["code"] = give_array(std::move(code));
  d["negated"] = give_array(std::move(negated));
  d["low"] = give_array(std::move(low));
  d["high"] = give_array(std::move(high));
  d["answer"] = give_array(std::move(learned.answer));
  d["counts"] = give_array(std::move(learned.counts), static_cast<std::size_t>(classes));
  d["otherwise"] = give_array(std::move(learned.otherwise));
  return d;
}

}  // namespace

void bind_covering(nb::module_& m) {
  m.def(
      "learn_cn2",
      [](const nb::tuple& coded, std::int32_t classes, const nb::object& target, const nb::object& weights, bool ordered,
         const std::string& measure, int beam, int max_conditions, bool negations, double min_rows, double critical,
         int threads) {
        const Cn2Settings settings{ordered, rule_measure_of(measure), beam, max_conditions, negations, min_rows, critical};
        return learn_rules(coded, classes, target, weights, [&](const Problem& problem, const StopFlag& stop) {
          return learn_cn2(problem, settings, threads > 0 ? threads : thread_count(), stop);
        });
      },
      nb::arg("coded"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(), nb::kw_only(), nb::arg("ordered"),
      nb::arg("measure"), nb::arg("beam"), nb::arg("max_conditions"), nb::arg("negations"), nb::arg("min_rows"),
      nb::arg("critical"), nb::arg("threads") = 0);
  m.def(
      "learn_prism",
      [](const nb::tuple& coded, std::int32_t classes, const nb::object& target, const nb::object& weights, int threads) {
        return learn_rules(coded, classes, target, weights, [&](const Problem& problem, const StopFlag& stop) {
          return learn_prism(problem, threads > 0 ? threads : thread_count(), stop);
        });
      },
      nb::arg("coded"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(), nb::kw_only(),
      nb::arg("threads") = 0);
}
