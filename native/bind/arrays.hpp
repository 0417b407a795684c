// Arrays between Python and native code: theirs seen as columns, ours handed over with their memory.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/counting/column.hpp"

namespace clearwood {

namespace nb = nanobind;

template <class T, class Shape = nb::ndim<1>>
using Array = nb::ndarray<const T, Shape, nb::c_contig, nb::device::cpu>;
using Matrix = Array<double, nb::ndim<2>>;
using Codes = Array<std::int32_t>;
using Numbers = Array<double>;
using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

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

// One number per row, or null where none are given.
template <class T>
const T* optional_data(const std::optional<Array<T>>& array, std::size_t rows) {
  if (!array) return nullptr;
  if (array->shape(0) != rows) throw nb::value_error("One weight per row.");
  return array->data();
}

template <class T>
using Given = nb::ndarray<nb::numpy, T>;
using Sizes = std::initializer_list<std::size_t>;

template <class T, class Owner>
Given<T> give_array(T* data, Owner&& owner, Sizes shape) {
  auto* const kept = new Owner(std::move(owner));
  const nb::capsule memory(kept, [](void* place) noexcept { delete static_cast<Owner*>(place); });
  return Given<T>(data, shape, memory);
}

template <class T>
Given<T> give_array(std::unique_ptr<T[]> data, Sizes shape) {
  T* const place = data.get();
  return give_array(place, std::move(data), shape);
}

template <class T>
Given<T> give_array(std::vector<T>&& values) {
  T* const place = values.data();
  const std::size_t size = values.size();
  return give_array(place, std::move(values), {size});
}

template <class T>
Given<T> give_array(std::vector<T>&& values, std::size_t width) {
  T* const place = values.data();
  const std::size_t rows = width ? values.size() / width : 0;
  return give_array(place, std::move(values), {rows, width});
}

}  // namespace clearwood
