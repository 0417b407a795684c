#include "core/ensembles/shap.hpp"

#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "bind/walk.hpp"

namespace nb = nanobind;
using namespace clearwood;
using namespace clearwood::bound;

namespace {
auto shap(nb::list trees, nb::list covers, nb::list answers, Array<int32_t> adds_to, Array<double> scales,
          std::size_t scores, nb::list cells, Array<int32_t> values, std::size_t rows) {
  const std::size_t count = nb::len(trees);
  if (nb::len(covers) != count || nb::len(answers) != count || adds_to.shape(0) != count || scales.shape(0) != count)
    throw nb::value_error("One cover, answer, score and scale per tree.");
  const std::size_t attributes = nb::len(cells);
  const std::size_t size = rows * attributes * scores;
  std::unique_ptr<double[]> sums(new double[size]());
  std::unique_ptr<double[]> means(new double[scores]());
  for (std::size_t tree = 0; tree < count; ++tree) {
    const nb::object nodes = trees[tree];
    const Walk walk = walk_of(nodes, cells, values, rows);
    const auto cover = nb::cast<Array<double>>(covers[tree]);
    const auto answer = nb::cast<Matrix>(answers[tree]);
    const std::size_t nodes_there = static_cast<std::size_t>(walk.nodes.size);
    const std::size_t width = answer.shape(1);
    if (cover.shape(0) != nodes_there || answer.shape(0) != nodes_there)
      throw nb::value_error("One cover and one answer per node.");
    const int32_t first = adds_to.data()[tree];
    if (first < 0 || static_cast<std::size_t>(first) + width > scores)
      throw nb::value_error("A tree adds to a score that is not there.");
    std::vector<double> mean(width);
    run_interruptible(rows * nodes_there, [&](const StopFlag& stop) {
      add_shap(walk, cover.data(), answer.data(), static_cast<int32_t>(width), scales.data()[tree],
               static_cast<int64_t>(rows), static_cast<int32_t>(attributes), static_cast<int32_t>(scores), first,
               sums.get(), mean.data(), stop);
    });
    for (std::size_t j = 0; j < width; ++j) means[first + j] += mean[j];
  }
  return nb::make_tuple(give_array(std::move(means), {scores}), give_array(std::move(sums), {rows, attributes, scores}));
}
}  // namespace

void bind_shap(nb::module_& m) {
  m.def("shap", &shap, nb::arg("trees"), nb::arg("covers"), nb::arg("answers"), nb::arg("adds_to").noconvert(),
        nb::arg("scales").noconvert(), nb::arg("scores"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        "The mean answers [score], and what each column adds to each row's [row, attribute, score].");
}
