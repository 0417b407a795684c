// Rules learned by covering: columns, classes and settings in, conditions and counts out.
#include <limits>

#include "bind/bindings.hpp"
#include "bind/growing.hpp"
#include "core/rules/cn2.hpp"
#include "core/rules/prism.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

RuleMeasure rule_measure_of(const std::string& name) {
  if (name == "laplace") return RuleMeasure::laplace;
  if (name == "entropy") return RuleMeasure::entropy;
  if (name == "wracc") return RuleMeasure::wracc;
  throw std::invalid_argument("no native rule measure '" + name + "'");
}

// The columns as a Problem, checked, while the arrays are alive; then learn(problem, stop).
template <class Learn>
nb::dict learn_rules(const nb::list& columns, const std::vector<std::int32_t>& values, std::int32_t classes,
                     const Codes& target, const nb::object& weights, Learn learn) {
  Problem problem;
  std::vector<AnyArray> arrays;
  for (const nb::handle each : columns) arrays.push_back(nb::cast<AnyArray>(each));
  if (arrays.size() != values.size()) throw std::invalid_argument("a number of values is needed for every column");
  problem.rows = target.shape(0);
  problem.classes = classes;
  problem.class_of = target.data();
  Numbers weight_array;
  if (!weights.is_none()) {
    weight_array = nb::cast<Numbers>(weights);
    problem.weight_of = weight_array.data();
    if (weight_array.shape(0) != problem.rows) throw std::invalid_argument("weights and target differ in length");
  }
  for (std::size_t c = 0; c < arrays.size(); ++c) {
    if (arrays[c].shape(0) != problem.rows) throw std::invalid_argument("columns and target differ in length");
    problem.columns.push_back(column_of(arrays[c], values[c]));
  }
  if (problem.rows > std::numeric_limits<Row>::max()) throw std::invalid_argument("more rows than rules can count");
  LearnedRules learned;
  run_interruptible(100 * problem.rows * problem.columns.size(), [&](const StopFlag& stop) {
    for (std::size_t c = 0; c < problem.columns.size(); ++c)
      if (!problem.columns[c].numeric()) check_codes(problem.columns[c], problem.rows, c);
    for (std::size_t row = 0; row < problem.rows; ++row)
      if (problem.class_of[row] < 0 || problem.class_of[row] >= classes)
        throw std::invalid_argument("row " + std::to_string(row) + " has no class");
    learned = learn(problem, stop);
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
      [](const nb::list& columns, const std::vector<std::int32_t>& values, const std::vector<bool>& stepped,
         std::int32_t classes, const Codes& target, const nb::object& weights, bool ordered, const std::string& measure,
         int beam, int max_conditions, bool negations, double min_rows, double critical, int threads) {
        if (stepped.size() != values.size()) throw std::invalid_argument("stepped or not is needed for every column");
        const Cn2Settings settings{ordered, rule_measure_of(measure), {beam, max_conditions, negations}, min_rows, critical};
        return learn_rules(columns, values, classes, target, weights, [&](const Problem& problem, const StopFlag& stop) {
          return learn_cn2(problem, stepped, settings, threads > 0 ? threads : thread_count(), stop);
        });
      },
      nb::arg("columns"), nb::arg("values"), nb::arg("stepped"), nb::arg("classes"), nb::arg("target"),
      nb::arg("weights").none(), nb::kw_only(), nb::arg("ordered"), nb::arg("measure"), nb::arg("beam"),
      nb::arg("max_conditions"), nb::arg("negations"), nb::arg("min_rows"), nb::arg("critical"), nb::arg("threads") = 0);
  m.def(
      "learn_prism",
      [](const nb::list& columns, const std::vector<std::int32_t>& values, std::int32_t classes, const Codes& target,
         const nb::object& weights, int threads) {
        return learn_rules(columns, values, classes, target, weights, [&](const Problem& problem, const StopFlag& stop) {
          return learn_prism(problem, threads > 0 ? threads : thread_count(), stop);
        });
      },
      nb::arg("columns"), nb::arg("values"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(),
      nb::kw_only(), nb::arg("threads") = 0);
}
