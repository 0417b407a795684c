// Arrays that native code made, handed to Python with their memory.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>

template <class T>
nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>> give_array(std::unique_ptr<T[]> data, std::size_t length) {
  T* const raw = data.release();
  nanobind::capsule owner(raw, [](void* memory) noexcept { delete[] static_cast<T*>(memory); });
  return {raw, {length}, owner};
}
