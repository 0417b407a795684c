// What every binding of a grower does: columns to a Problem, the grown tree to a dict of arrays.
#pragma once
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/interruptible.hpp"
#include "core/grow.hpp"

namespace clearwood {

namespace nb = nanobind;

using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline Column column_of(const AnyArray& array, std::int32_t values) {
  Column column;
  column.data = static_cast<const std::byte*>(array.data());
  column.values = values;
  column.stride = static_cast<std::ptrdiff_t>(array.stride(0)) * static_cast<std::ptrdiff_t>(array.itemsize());
  if (array.dtype() == nb::dtype<float>()) {
    column.type = Column::Type::float32;
  } else if (array.dtype() == nb::dtype<double>()) {
    column.type = Column::Type::float64;
  } else if (array.dtype() == nb::dtype<std::int32_t>()) {
    column.type = Column::Type::codes;
  } else {
    throw std::invalid_argument("a column must be float32, float64 or int32");
  }
  return column;
}

// A code the schema does not list would write outside a table of counts.
inline void check_codes(const Column& column, std::size_t rows, std::size_t number) {
  for (std::size_t row = 0; row < rows; ++row)
    if (column.code(row) >= column.values)
      throw std::invalid_argument("column " + std::to_string(number) + " has a code beyond its values in row " +
                                  std::to_string(row));
}

template <class T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T>&& values, std::size_t width = 0) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  if (width == 0) return nb::ndarray<nb::numpy, T>(kept->data(), {kept->size()}, owner);
  return nb::ndarray<nb::numpy, T>(kept->data(), {kept->size() / width, width}, owner);
}

inline nb::dict dict_of(FlatTree&& tree) {
  nb::dict d;
  d["parent"] = array_of(std::move(tree.parent));
  d["end"] = array_of(std::move(tree.end));
  d["counts"] = array_of(std::move(tree.counts), tree.width);
  d["scores"] = array_of(std::move(tree.scores), tree.scores_width);
  d["share"] = array_of(std::move(tree.share));
  d["otherwise"] = array_of(std::move(tree.otherwise));
  d["attribute"] = array_of(std::move(tree.attribute));
  d["low"] = array_of(std::move(tree.low));
  d["high"] = array_of(std::move(tree.high));
  d["or_missing"] = array_of(std::move(tree.or_missing));
  d["set_start"] = array_of(std::move(tree.set_start));
  d["set_codes"] = array_of(std::move(tree.set_codes));
  d["s_start"] = array_of(std::move(tree.s_start));
  d["s_attribute"] = array_of(std::move(tree.s_attribute));
  d["s_limit"] = array_of(std::move(tree.s_limit));
  d["s_branch"] = array_of(std::move(tree.s_branch));
  d["s_agreement"] = array_of(std::move(tree.s_agreement));
  d["s_set_start"] = array_of(std::move(tree.s_set_start));
  d["s_set_split"] = array_of(std::move(tree.s_set_split));
  d["s_set_codes"] = array_of(std::move(tree.s_set_codes));
  return d;
}

template <class Make>
nb::dict grow_with(const nb::list& columns, const std::vector<std::int32_t>& values, std::int32_t classes,
                   const nb::object& target, const nb::object& weights, const std::vector<double>& factors,
                   bool by_median, int threads, Make make_learner) {
  Problem problem;
  std::vector<AnyArray> arrays;
  for (const nb::handle each : columns) arrays.push_back(nb::cast<AnyArray>(each));
  if (arrays.size() != values.size()) throw std::invalid_argument("a number of values is needed for every column");
  for (std::size_t c = 0; c < arrays.size(); ++c) problem.columns.push_back(column_of(arrays[c], values[c]));
  problem.classes = classes;
  problem.factors = factors;
  problem.by_median = by_median;
  Codes codes;
  Numbers numbers, weight_array;
  if (classes > 0) {
    codes = nb::cast<Codes>(target);
    problem.class_of = codes.data();
    problem.rows = codes.shape(0);
  } else {
    numbers = nb::cast<Numbers>(target);
    problem.number_of = numbers.data();
    problem.rows = numbers.shape(0);
  }
  if (!weights.is_none()) {
    weight_array = nb::cast<Numbers>(weights);
    problem.weight_of = weight_array.data();
    if (weight_array.shape(0) != problem.rows) throw std::invalid_argument("weights and target differ in length");
  }
  for (const AnyArray& array : arrays)
    if (array.shape(0) != problem.rows) throw std::invalid_argument("columns and target differ in length");
  FlatTree tree;
  auto learner = make_learner();
  run_interruptible([&](const StopFlag& stop) {
    for (std::size_t c = 0; c < problem.columns.size(); ++c)
      if (!problem.columns[c].numeric()) check_codes(problem.columns[c], problem.rows, c);
    for (std::size_t row = 0; classes > 0 && row < problem.rows; ++row)
      if (problem.class_of[row] < 0 || problem.class_of[row] >= classes)
        throw std::invalid_argument("row " + std::to_string(row) + " has no class");
    tree = grow(problem, learner, threads > 0 ? threads : thread_count(), stop);
  });
  return dict_of(std::move(tree));
}

}  // namespace clearwood
