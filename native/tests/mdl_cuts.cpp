// Entropy cuts: where the classes part, and nowhere else.
#include "core/trees/mdl_cuts.hpp"

#include <cmath>

#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag never{false};

Column view(const std::vector<double>& cells) {
  return {Column::Type::float64, reinterpret_cast<const std::byte*>(cells.data()), sizeof(double), 0};
}

TEST("two classes that part get one cut halfway") {
  const std::vector<double> cells{9, 1, NAN, 2, 8, 3, 7};
  const std::vector<std::int32_t> classes{1, 0, 1, 0, 1, 0, 1};
  const auto cuts = mdl_cuts(view(cells), {cells.size(), 2, classes.data(), nullptr}, never);
  CHECK(cuts == std::vector<double>{5.0});
}

TEST("rows without class or weight are absent, and no rows give no cut") {
  const std::vector<double> cells{1, 2, 3, 4};
  const std::vector<std::int32_t> classes{0, -1, 1, 1};
  const std::vector<double> weights{1, 1, 0, 0};
  CHECK(mdl_cuts(view(cells), {4, 2, classes.data(), weights.data()}, never).empty());
  CHECK(mdl_cuts(view(cells), {0, 2, classes.data(), weights.data()}, never).empty());
}

}  // namespace
