#include "core/numeric/parallel.hpp"

#include "bind/bindings.hpp"
#include "core/numeric/large_pages.hpp"

void bind_parallel(nanobind::module_& m) {
  m.def("thread_count", &clearwood::thread_count, "How many threads the native routines use.");
  m.def("set_thread_count", &clearwood::set_thread_count, nanobind::arg("threads"),
        "Use this many threads; 0 goes back to the default.");
  m.def("work_alone", &clearwood::work_alone, nanobind::arg("on"),
        "Whether native routines called from this thread use it alone: it is one of several that work side by side.");
  m.def("keep_freed_memory", &clearwood::keep_freed_memory,
        "Keep what is freed for the next arrays of this process, rather than give it back to the system.");
}
