// Growing trees: columns and settings in, the columns of a tree out.
#include <string>

#include "bind/bindings.hpp"
#include "bind/growing.hpp"
#include "core/trees/learners.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

Measure measure_of(const std::string& name) {
  if (name == "gini") return Measure::gini;
  if (name == "entropy") return Measure::entropy;
  if (name == "error") return Measure::error;
  if (name == "squared") return Measure::squared;
  if (name == "absolute") return Measure::absolute;
  throw std::invalid_argument("no native measure '" + name + "'");
}

}  // namespace

void bind_grow(nb::module_& m) {
  m.def(
      "grow_cart",
      [](const nb::list& columns, const std::vector<std::int32_t>& values, std::int32_t classes,
         const nb::object& target, const nb::object& weights, const std::vector<double>& factors,
         const std::string& measure, int max_depth, double min_rows, double min_leaf, double min_decrease,
         bool missing_by_direction, int surrogates, double min_value, const std::vector<int>& signs, double margin,
         double units, int threads) {
        CartSettings settings{measure_of(measure), max_depth, min_rows, min_leaf, min_decrease, missing_by_direction,
                              surrogates, min_value};
        return grow_with(columns, values, classes, target, weights, factors, settings.measure == Measure::absolute,
                         threads, [&] { return cart_learner(settings); }, signs, margin, units);
      },
      nb::arg("columns"), nb::arg("values"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(),
      nb::arg("factors"), nb::kw_only(), nb::arg("measure"), nb::arg("max_depth"), nb::arg("min_rows"),
      nb::arg("min_leaf"), nb::arg("min_decrease"), nb::arg("missing_by_direction"), nb::arg("surrogates"),
      nb::arg("min_value"), nb::arg("signs") = std::vector<int>(), nb::arg("margin") = 0.0, nb::arg("units") = 0.0, nb::arg("threads") = 0,
      "A CART tree. columns: [float32 | float64 | int32 codes] each [row]; values: [column] number of codes; "
      "classes 0 means a numeric target. signs: [column] 1 where the part of the last class, or the mean, may only "
      "rise with the column, -1 fall, 0 free; empty: all are free; margin: by how much limits are kept. "
      "units: of weight in a row, a power of two, into which weights and parts of rows are rounded; 0: none are.");
  m.def(
      "grow_c45",
      [](const nb::list& columns, const std::vector<std::int32_t>& values, std::int32_t classes,
         const nb::object& target, const nb::object& weights, const std::vector<double>& factors, double min_rows,
         int max_depth, bool group_values, bool threshold_from_data, double min_gap, const std::vector<int>& signs,
         double margin, double units, int threads) {
        const C45Settings settings{min_rows, max_depth, group_values, threshold_from_data, min_gap};
        return grow_with(columns, values, classes, target, weights, factors, false, threads,
                         [&] { return c45_learner(settings); }, signs, margin, units);
      },
      nb::arg("columns"), nb::arg("values"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(),
      nb::arg("factors"), nb::kw_only(), nb::arg("min_rows"), nb::arg("max_depth"), nb::arg("group_values"),
      nb::arg("threshold_from_data"), nb::arg("min_gap"), nb::arg("signs") = std::vector<int>(), nb::arg("margin") = 0.0,
      nb::arg("units") = 0.0, nb::arg("threads") = 0,
      "A C4.5 tree, as grown; columns as for grow_cart.");
  m.def(
      "grow_id3",
      [](const nb::list& columns, const std::vector<std::int32_t>& values, std::int32_t classes,
         const nb::object& target, const nb::object& weights, const std::vector<double>& factors,
         const std::string& measure, int max_depth, double min_rows, double min_leaf, double min_gain, double units, int threads) {
        const Id3Settings settings{measure_of(measure), max_depth, min_rows, min_leaf, min_gain};
        return grow_with(columns, values, classes, target, weights, factors, false, threads,
                         [&] { return id3_learner(settings); }, {}, 0.0, units);
      },
      nb::arg("columns"), nb::arg("values"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(),
      nb::arg("factors"), nb::kw_only(), nb::arg("measure"), nb::arg("max_depth"), nb::arg("min_rows"),
      nb::arg("min_leaf"), nb::arg("min_gain"), nb::arg("units") = 0.0, nb::arg("threads") = 0,
      "An ID3 tree; columns as for grow_cart.");
}
