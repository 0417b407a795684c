#include "core/numeric/parallel.hpp"

#include "bind/bindings.hpp"

void bind_parallel(nanobind::module_& m) {
  m.def("thread_count", &clearwood::thread_count, "How many threads the native routines use.");
  m.def("set_thread_count", &clearwood::set_thread_count, nanobind::arg("threads"),
        "Use this many threads; 0 goes back to the default.");
  m.def("work_alone", &clearwood::work_alone, nanobind::arg("on"),
        "Whether native routines called from this thread use it alone: it is one of several that work side by side.");
}
