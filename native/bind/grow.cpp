// Growing trees: columns and settings in, the columns of a tree out.
#include <string>

#include "bind/bindings.hpp"
#include "bind/growing.hpp"
#include "core/cart.hpp"

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
         bool missing_by_direction, int surrogates, int threads) {
        CartSettings settings{measure_of(measure), max_depth, min_rows, min_leaf, min_decrease, missing_by_direction,
                              surrogates};
        return grow_with(columns, values, classes, target, weights, factors, settings.measure == Measure::absolute,
                         threads, [&] { return Cart(settings); });
      },
      nb::arg("columns"), nb::arg("values"), nb::arg("classes"), nb::arg("target"), nb::arg("weights").none(),
      nb::arg("factors"), nb::kw_only(), nb::arg("measure"), nb::arg("max_depth"), nb::arg("min_rows"),
      nb::arg("min_leaf"), nb::arg("min_decrease"), nb::arg("missing_by_direction"), nb::arg("surrogates"),
      nb::arg("threads") = 0,
      "A CART tree. columns: [float32 | float64 | int32 codes] each [row]; values: [column] number of codes; "
      "classes 0 means a numeric target.");
}
