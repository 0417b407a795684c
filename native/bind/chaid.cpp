// Growing CHAID trees: columns of codes and settings in, the columns of a tree out.
#include "core/trees/learners.hpp"

#include "bind/bindings.hpp"
#include "bind/growing.hpp"
#include "bind/refusals.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

ChaidTest test_of(const std::string& name) {
  if (name == "pearson") return ChaidTest::pearson;
  if (name == "likelihood_ratio") return ChaidTest::likelihood_ratio;
  if (name == "row_effects") return ChaidTest::row_effects;
  if (name == "anova") return ChaidTest::anova;
  throw std::invalid_argument("no native test '" + name + "'");
}

}  // namespace

void bind_chaid(nb::module_& m) {
  m.attr("CHAID_MOST_VALUES") = most_groups;
  add_refusal(m, "TooManyValuesError", "clearwood._native.TooManyValuesError",
              "A `column`, by its place among those given, has more values than CHAID can compare in pairs.");
  m.def(
      "grow_chaid",
      [](const nb::list& columns, const std::vector<std::int32_t>& values, const std::vector<bool>& ordered,
         std::int32_t classes, const nb::object& target, const nb::object& weights, const std::string& test,
         double alpha_merge, double alpha_split, double alpha_resplit, bool exhaustive, bool bonferroni, int max_depth,
         double min_rows, double min_leaf, int threads) {
        if (ordered.size() != values.size()) throw std::invalid_argument("is every column ordered, or not?");
        const ChaidSettings settings{test_of(test),
                                     {alpha_merge, alpha_resplit, exhaustive},
                                     alpha_split,
                                     bonferroni,
                                     max_depth,
                                     min_rows,
                                     min_leaf,
                                     std::vector<char>(ordered.begin(), ordered.end())};
        if ((settings.test == ChaidTest::anova) != (classes == 0)) throw std::invalid_argument("the test is not the target's");
        try {
          return grow_with(columns, values, classes, target, weights, {}, false, threads,
                           [&] { return chaid_learner(settings); });
        } catch (const TooManyValues& error) {
          refuse("TooManyValuesError", {{"column", error.attribute}});
        }
      },
      nb::arg("columns"), nb::arg("values"), nb::arg("ordered"), nb::arg("classes"), nb::arg("target"),
      nb::arg("weights").none(), nb::kw_only(), nb::arg("test"), nb::arg("alpha_merge"), nb::arg("alpha_split"),
      nb::arg("alpha_resplit"), nb::arg("exhaustive"), nb::arg("bonferroni"), nb::arg("max_depth"), nb::arg("min_rows"),
      nb::arg("min_leaf"), nb::arg("threads") = 0,
      "A CHAID tree. columns: int32 codes [row] each; values: [column] number of codes; classes 0 means a numeric "
      "target. TooManyValuesError names the column that has more values than can be compared in pairs.");
}
