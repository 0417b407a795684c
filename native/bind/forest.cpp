// A forest: columns and settings in, the columns of its trees and its out-of-bag answers out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bind/bindings.hpp"
#include "bind/coded.hpp"
#include "bind/interruptible.hpp"
#include "core/ensembles/forest.hpp"
#include "core/ensembles/forest_rows.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

Measure forest_measure_of(const std::string& name) {
  if (name == "gini") return Measure::gini;
  if (name == "entropy") return Measure::entropy;
  if (name == "squared") return Measure::squared;
  throw std::invalid_argument("a forest has no measure '" + name + "'");
}

// [place] the rows in the order in which they are drawn from.
std::vector<std::uint32_t> places_of(const Array<std::uint32_t>& order, std::size_t rows) {
  std::vector<std::uint32_t> places(order.data(), order.data() + order.shape(0));
  if (places.size() != rows) throw std::invalid_argument("the order is not of these rows");
  for (const std::uint32_t row : places)
    if (row >= rows) throw std::invalid_argument("the order names a row that is not there");
  return places;
}

}  // namespace

void bind_forest(nb::module_& m) {
  m.def(
      "grow_forest",
      [](const nb::tuple& coded, std::int32_t classes, const nb::object& target, const nb::object& weights,
         const Array<std::uint32_t>& order, const std::vector<double>& factors, std::size_t first, std::size_t trees,
         const std::string& measure, std::size_t drawn_columns, double part, bool random_cuts, int max_depth,
         double min_rows, double min_leaf, double min_value, std::uint64_t seed, bool out_of_bag, bool by_votes,
         const std::vector<double>& priors, const std::vector<double>& costs, const nb::object& sums_before,
         const nb::object& size_before, const nb::object& watch, int threads) {
        CodedProblem given(coded, classes, target, weights);
        Problem& problem = given.problem;
        problem.factors = factors;
        const std::vector<std::uint32_t> places = places_of(order, problem.rows);
        const auto of_class = static_cast<std::size_t>(classes);
        if ((!factors.empty() && factors.size() != of_class) || (!priors.empty() && priors.size() != of_class) ||
            (!costs.empty() && costs.size() != of_class * of_class))
          throw std::invalid_argument("factors, priors and costs are one for each class");
        if (trees == 0 || problem.rows == 0) throw std::invalid_argument("a forest needs a tree and a row");
        const ForestSettings settings{first,    trees,    forest_measure_of(measure), drawn_columns, part,
                                      random_cuts, max_depth, min_rows,         min_leaf,      min_value, seed,
                                      out_of_bag, by_votes, priors,              costs};
        OutOfBag before;
        if (!sums_before.is_none()) {
          const auto sums = nb::cast<Numbers>(sums_before);
          const auto size = nb::cast<Codes>(size_before);
          const std::size_t per_row = classes > 0 ? of_class : 1;
          if (sums.shape(0) != problem.rows * per_row || size.shape(0) != problem.rows)
            throw std::invalid_argument("what was answered before is not about these rows");
          before.sums.assign(sums.data(), sums.data() + sums.shape(0));
          before.size.assign(size.data(), size.data() + size.shape(0));
        }
        GrownForest forest;
        Progress progress;
        run_watched(8 * problem.rows * (problem.coded.size() + 1) * trees, progress, watch, [&](const StopFlag& stop) {
          given.learn(stop, [&](const Problem& checked, const StopFlag& until) {
            forest = grow_forest(checked, places, settings, std::move(before), threads > 0 ? threads : thread_count(), progress, until);
          });
        });
        ForestNodes& nodes = forest.nodes;
        nb::dict d;
        d["parent"] = give_array(std::move(nodes.parent), {nodes.size});
        d["end"] = give_array(std::move(nodes.end), {nodes.size});
        d["counts"] = give_array(std::move(nodes.counts), {nodes.size, nodes.width});
        d["share"] = give_array(std::move(nodes.share), {nodes.size});
        d["otherwise"] = give_array(std::move(nodes.otherwise), {nodes.size});
        d["attribute"] = give_array(std::move(nodes.attribute), {nodes.size});
        d["low"] = give_array(std::move(nodes.low), {nodes.size});
        d["high"] = give_array(std::move(nodes.high), {nodes.size});
        d["or_missing"] = give_array(std::move(nodes.or_missing), {nodes.size});
        d["set_start"] = give_array(std::move(nodes.set_start), {nodes.size + 1});
        d["set_codes"] = give_array(std::move(nodes.set_codes), {nodes.codes});
        d["start"] = give_array(std::move(forest.start));
        d["sums"] = give_array(std::move(forest.out_of_bag.sums));
        d["size"] = give_array(std::move(forest.out_of_bag.size));
        d["wrong"] = give_array(std::move(forest.out_of_bag.wrong));
        d["all"] = give_array(std::move(forest.out_of_bag.all));
        return d;
      },
      nb::arg("coded"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(), nb::arg("order"), nb::arg("factors"), nb::kw_only(), nb::arg("first"), nb::arg("trees"),
      nb::arg("measure"), nb::arg("drawn_columns"), nb::arg("part"), nb::arg("random_cuts"), nb::arg("max_depth"),
      nb::arg("min_rows"), nb::arg("min_leaf"), nb::arg("min_value"), nb::arg("seed"), nb::arg("out_of_bag"), nb::arg("by_votes"),
      nb::arg("priors"), nb::arg("costs"), nb::arg("sums_before").none(), nb::arg("size_before").none(),
      nb::arg("watch") = nb::none(), nb::arg("threads") = 0,
      "The trees of a forest, one after another, and its out-of-bag answers. While it takes "
      "long, watch(trees so far, their out-of-bag error or NaN) is called; if it says True, no more trees are begun.");
  m.def(
      "forest_draws",
      [](const Array<std::uint32_t>& order, const nb::object& weights, double part, std::uint64_t seed,
         std::uint64_t tree) {
        const std::vector<std::uint32_t> rows = places_of(order, order.shape(0));
        if (rows.empty()) throw std::invalid_argument("a forest needs a row");
        Numbers given;
        if (!weights.is_none()) {
          given = nb::cast<Numbers>(weights);
          if (given.shape(0) != rows.size()) throw std::invalid_argument("weights and rows differ in length");
        }
        std::vector<std::uint32_t> times;
        {
          nb::gil_scoped_release release;
          RowDraws(rows, weights.is_none() ? nullptr : given.data(), part).count(seed, tree, times);
        }
        return give_array(std::move(times));
      },
      nb::arg("order"), nb::arg("weights").none(), nb::kw_only(), nb::arg("part"), nb::arg("seed"), nb::arg("tree"),
      "[row] how often a tree of a forest drew it; `order` [place] are the rows as it draws from them.");
}
