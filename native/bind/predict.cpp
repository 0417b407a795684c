#include "core/predict.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>

#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {
template <class T, class Shape = nb::ndim<1>>
using Array = nb::ndarray<const T, Shape, nb::c_contig, nb::device::cpu>;
using Matrix = Array<double, nb::ndim<2>>;
using Cells = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

template <class T>
nb::ndarray<nb::numpy, T> owned(std::unique_ptr<T[]> data, std::initializer_list<std::size_t> shape) {
  T* place = data.release();
  nb::capsule owner(place, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(place, shape, owner);
}

template <class T>
const T* column(nb::handle nodes, const char* name, std::size_t size) {
  const auto array = nb::cast<Array<T>>(nodes.attr(name));
  if (array.shape(0) != size) throw nb::value_error("The columns of a tree differ in length.");
  return array.data();
}

std::size_t length(nb::handle nodes, const char* name) { return nb::len(nb::object(nodes.attr(name))); }

// The arrays stay alive in `nodes`, which the caller holds.
NodesView view(nb::handle nodes) {
  const std::size_t n = length(nodes, "parent");
  const std::size_t s = length(nodes, "s_attribute");
  const std::size_t codes = length(nodes, "set_codes");
  const std::size_t s_codes = length(nodes, "s_set_codes");
  return {static_cast<int32_t>(n),
          column<int32_t>(nodes, "end", n),
          column<double>(nodes, "share", n),
          column<int32_t>(nodes, "otherwise", n),
          column<int32_t>(nodes, "attribute", n),
          column<double>(nodes, "low", n),
          column<double>(nodes, "high", n),
          column<bool>(nodes, "or_missing", n),
          column<int64_t>(nodes, "set_start", n + 1),
          column<int32_t>(nodes, "set_codes", codes),
          static_cast<int64_t>(codes),
          column<int64_t>(nodes, "s_start", n + 1),
          static_cast<int64_t>(s),
          column<int32_t>(nodes, "s_attribute", s),
          column<double>(nodes, "s_limit", s),
          column<int32_t>(nodes, "s_branch", s),
          column<int64_t>(nodes, "s_set_start", s + 1),
          column<int64_t>(nodes, "s_set_split", s),
          column<int32_t>(nodes, "s_set_codes", s_codes),
          static_cast<int64_t>(s_codes)};
}

Walk walk_of(nb::handle nodes, nb::list cells, Array<int32_t> values, std::size_t rows) {
  std::vector<CellColumn> columns(nb::len(cells));
  if (values.shape(0) != columns.size()) throw nb::value_error("One number of values per attribute.");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (cells[i].is_none()) continue;
    const auto array = nb::cast<Cells>(cells[i]);
    if (array.shape(0) != rows) throw nb::value_error("Columns differ in length.");
    const bool code = array.dtype() == nb::dtype<int32_t>();
    if (!code && array.dtype() != nb::dtype<float>() && array.dtype() != nb::dtype<double>())
      throw nb::type_error("Columns hold float32, float64 or int32.");
    if (code != (values.data()[i] >= 0)) throw nb::type_error("Codes belong to nominal and ordinal attributes.");
    columns[i].type = code ? CellType::code : array.itemsize() == 4 ? CellType::float32 : CellType::float64;
    columns[i].data = static_cast<const char*>(array.data());
    columns[i].stride = array.stride(0) * static_cast<int64_t>(array.itemsize());
    columns[i].values = values.data()[i];
  }
  return Walk(view(nodes), std::move(columns));
}

// A second thread that listens for Ctrl-C is worth starting only where the user could want to stop.
template <class Work>
void run(std::size_t rows, Work&& work) {
  if (rows > 2'000'000) return run_interruptible(work);
  const StopFlag never{false};
  nb::gil_scoped_release release;
  work(never);
}

template <class T>
const T* optional_data(const std::optional<Array<T>>& array, std::size_t rows) {
  if (!array) return nullptr;
  if (array->shape(0) != rows) throw nb::value_error("One weight per row.");
  return array->data();
}

auto leaves(nb::object nodes, nb::list cells, Array<int32_t> values, std::size_t rows) {
  const Walk walk = walk_of(nodes, cells, values, rows);
  std::unique_ptr<int32_t[]> out(new int32_t[rows]);
  run(rows, [&](const StopFlag& stop) { leaves_of(walk, static_cast<int64_t>(rows), out.get(), stop); });
  return owned(std::move(out), {rows});
}

auto averages(nb::object nodes, nb::list cells, Array<int32_t> values, std::size_t rows, Matrix said) {
  const Walk walk = walk_of(nodes, cells, values, rows);
  if (said.shape(0) != static_cast<std::size_t>(walk.nodes.size)) throw nb::value_error("One answer per node.");
  const std::size_t width = said.shape(1);
  std::unique_ptr<double[]> out(new double[rows * width]);
  run(rows, [&](const StopFlag& stop) {
    average_of(walk, static_cast<int64_t>(rows), said.data(), static_cast<int32_t>(width), out.get(), stop);
  });
  return owned(std::move(out), {rows, width});
}

auto codes(nb::object nodes, nb::list cells, Array<int32_t> values, std::size_t rows, Array<int32_t> node_codes,
           Matrix shares, std::optional<Matrix> costs) {
  const Walk walk = walk_of(nodes, cells, values, rows);
  const std::size_t size = static_cast<std::size_t>(walk.nodes.size);
  const std::size_t classes = shares.shape(1);
  if (node_codes.shape(0) != size || shares.shape(0) != size) throw nb::value_error("One answer per node.");
  if (costs && (costs->shape(0) != classes || costs->shape(1) != classes))
    throw nb::value_error("One cost per pair of classes.");
  std::unique_ptr<int32_t[]> out(new int32_t[rows]);
  run(rows, [&](const StopFlag& stop) {
    codes_of(walk, static_cast<int64_t>(rows), node_codes.data(), shares.data(), costs ? costs->data() : nullptr,
             static_cast<int32_t>(classes), out.get(), stop);
  });
  return owned(std::move(out), {rows});
}

auto through_classes(nb::object nodes, nb::list cells, Array<int32_t> values, Array<int32_t> target,
                     std::optional<Array<double>> weights, std::size_t classes) {
  const std::size_t rows = target.shape(0);
  const Walk walk = walk_of(nodes, cells, values, rows);
  const double* w = optional_data(weights, rows);
  const std::size_t size = static_cast<std::size_t>(walk.nodes.size);
  std::unique_ptr<double[]> out(new double[size * classes]);
  run(rows, [&](const StopFlag& stop) {
    count_classes(walk, static_cast<int64_t>(rows), target.data(), w, static_cast<int32_t>(classes), out.get(), stop);
  });
  return owned(std::move(out), {size, classes});
}

auto through_numbers(nb::object nodes, nb::list cells, Array<int32_t> values, Array<double> target,
                     std::optional<Array<double>> weights) {
  const std::size_t rows = target.shape(0);
  const Walk walk = walk_of(nodes, cells, values, rows);
  const double* w = optional_data(weights, rows);
  const std::size_t size = static_cast<std::size_t>(walk.nodes.size);
  std::unique_ptr<double[]> out(new double[size * 3]);
  run(rows, [&](const StopFlag& stop) {
    count_numbers(walk, static_cast<int64_t>(rows), target.data(), w, out.get(), stop);
  });
  return owned(std::move(out), {size, std::size_t{3}});
}
}  // namespace

void bind_predict(nb::module_& m) {
  m.def("leaves", &leaves, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        "int32 [row]: the leaf each row reaches.");
  m.def("averages", &averages, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        nb::arg("said").noconvert(), "float64 [row, width]: the average of said [node, width] over a row's leaves.");
  m.def("codes", &codes, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"),
        nb::arg("node_codes").noconvert(), nb::arg("shares").noconvert(), nb::arg("costs").noconvert().none(),
        "int32 [row]: the class of least expected cost.");
  m.def("count_classes", &through_classes, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(),
        nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(), nb::arg("classes"),
        "float64 [node, class]: the rows' weights through each node.");
  m.def("count_numbers", &through_numbers, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(),
        nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(),
        "float64 [node, 3]: weight, sum and sum of squares through each node.");
}
