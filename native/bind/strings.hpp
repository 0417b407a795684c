// Texts handed to Python: a tuple of str.
#pragma once
#include <nanobind/nanobind.h>

#include <string_view>
#include <vector>

// Bytes that are not UTF-8 raise UnicodeDecodeError.
inline nanobind::object give_strings(const std::vector<std::string_view>& values) {
  nanobind::object tuple = nanobind::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  if (!tuple) throw nanobind::python_error();
  for (std::size_t i = 0; i < values.size(); ++i) {
    PyObject* text = PyUnicode_DecodeUTF8(values[i].data(), static_cast<Py_ssize_t>(values[i].size()), "strict");
    if (!text) throw nanobind::python_error();
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), text);
  }
  return tuple;
}
