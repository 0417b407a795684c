// Refusals that Python catches by their type and words by their fields: no number travels inside a message.
#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <initializer_list>
#include <utility>

inline void add_refusal(nanobind::module_& m, const char* name, const char* full_name, const char* doc) {
  PyObject* type = PyErr_NewExceptionWithDoc(full_name, doc, PyExc_ValueError, nullptr);
  if (!type) throw nanobind::python_error();
  m.attr(name) = nanobind::steal(type);
}

[[noreturn]] inline void refuse(const char* name,
                                std::initializer_list<std::pair<const char*, std::int64_t>> fields) {
  const nanobind::object type = nanobind::module_::import_("clearwood._native").attr(name);
  const nanobind::object refusal = type();
  for (const auto& [field, value] : fields) nanobind::setattr(refusal, field, nanobind::int_(value));
  PyErr_SetObject(type.ptr(), refusal.ptr());
  throw nanobind::python_error();
}
