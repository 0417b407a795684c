#include "core/trees/walk.hpp"

#include <nanobind/stl/optional.h>

#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "bind/walk.hpp"

namespace nb = nanobind;
using namespace clearwood;
using namespace clearwood::bound;

namespace {
// A second thread that listens for Ctrl-C is worth starting only where the user could want to stop: whole rows go down a
// tree a hundred million a second, and for a few milliseconds the listener would cost more than it gives.
template <class Work>
void run(const Walk& walk, std::size_t rows, Work&& work) {
  const std::size_t nodes = static_cast<std::size_t>(walk.nodes.size);  // a divided row may visit them all
  if (rows > 20'000'000 || (walk.divides && rows * nodes > 1'000'000)) return run_interruptible(work);
  const StopFlag never{false};
  nb::gil_scoped_release release;
  work(never);
}

auto leaves(nb::object nodes, nb::list cells, Array<int32_t> values, std::size_t rows) {
  const Walk walk = walk_of(nodes, cells, values, rows);
  std::unique_ptr<int32_t[]> out(new int32_t[rows]);
  run(walk, rows, [&](const StopFlag& stop) { leaves_of(walk, static_cast<int64_t>(rows), out.get(), stop); });
  return give_array(std::move(out), {rows});
}

auto averages(nb::object nodes, nb::list cells, Array<int32_t> values, std::size_t rows, Matrix answers) {
  const Walk walk = walk_of(nodes, cells, values, rows);
  if (answers.shape(0) != static_cast<std::size_t>(walk.nodes.size)) throw nb::value_error("One answer per node.");
  const std::size_t width = answers.shape(1);
  std::unique_ptr<double[]> out(new double[rows * width]);
  run(walk, rows, [&](const StopFlag& stop) {
    average_of(walk, static_cast<int64_t>(rows), answers.data(), static_cast<int32_t>(width), out.get(), stop);
  });
  return give_array(std::move(out), {rows, width});
}

auto class_codes(nb::object nodes, nb::list cells, Array<int32_t> values, std::size_t rows, Array<int32_t> node_codes,
                 Matrix shares, std::optional<Matrix> costs) {
  const Walk walk = walk_of(nodes, cells, values, rows);
  const std::size_t size = static_cast<std::size_t>(walk.nodes.size);
  const std::size_t classes = shares.shape(1);
  if (node_codes.shape(0) != size || shares.shape(0) != size) throw nb::value_error("One answer per node.");
  if (costs && (costs->shape(0) != classes || costs->shape(1) != classes))
    throw nb::value_error("One cost per pair of classes.");
  std::unique_ptr<int32_t[]> out(new int32_t[rows]);
  run(walk, rows, [&](const StopFlag& stop) {
    codes_of(walk, static_cast<int64_t>(rows), node_codes.data(), shares.data(), costs ? costs->data() : nullptr,
             static_cast<int32_t>(classes), out.get(), stop);
  });
  return give_array(std::move(out), {rows});
}

auto through_classes(nb::object nodes, nb::list cells, Array<int32_t> values, Array<int32_t> target,
                     std::optional<Array<double>> weights, std::size_t classes) {
  const std::size_t rows = target.shape(0);
  const Walk walk = walk_of(nodes, cells, values, rows);
  const double* w = optional_data(weights, rows);
  const std::size_t size = static_cast<std::size_t>(walk.nodes.size);
  std::unique_ptr<double[]> out(new double[size * classes]);
  run(walk, rows, [&](const StopFlag& stop) {
    count_classes(walk, static_cast<int64_t>(rows), target.data(), w, static_cast<int32_t>(classes), out.get(), stop);
  });
  return give_array(std::move(out), {size, classes});
}

auto through_numbers(nb::object nodes, nb::list cells, Array<int32_t> values, Array<double> target,
                     std::optional<Array<double>> weights) {
  const std::size_t rows = target.shape(0);
  const Walk walk = walk_of(nodes, cells, values, rows);
  const double* w = optional_data(weights, rows);
  const std::size_t size = static_cast<std::size_t>(walk.nodes.size);
  std::unique_ptr<double[]> out(new double[size * 3]);
  run(walk, rows, [&](const StopFlag& stop) {
    count_numbers(walk, static_cast<int64_t>(rows), target.data(), w, out.get(), stop);
  });
  return give_array(std::move(out), {size, std::size_t{3}});
}
}  // namespace

void bind_predict(nb::module_& m) {
  m.def("leaves", &leaves, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        "int32 [row]: the leaf each row reaches.");
  m.def("averages", &averages, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        nb::arg("answers").noconvert(), "float64 [row, width]: the average of answers [node, width] over a row's leaves.");
  m.def("codes", &class_codes, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        nb::arg("node_codes").noconvert(), nb::arg("shares").noconvert(), nb::arg("costs").noconvert().none(),
        "int32 [row]: the class of least expected cost.");
  m.def("count_classes", &through_classes, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(),
        nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(), nb::arg("classes"),
        "float64 [node, class]: the rows' weights through each node.");
  m.def("count_numbers", &through_numbers, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(),
        nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(),
        "float64 [node, 3]: weight, sum and sum of squares through each node.");
}
