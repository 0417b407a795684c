#include "core/reading/fingerprint.hpp"

#include <nanobind/stl/string.h>

#include "bind/bindings.hpp"
#include "bind/growing.hpp"

namespace nb = nanobind;
using namespace clearwood;

void bind_fingerprint(nb::module_& m) {
  m.def(
      "fingerprint",
      [](const nb::list& columns, const nb::object& weights) {
        std::vector<AnyArray> arrays;
        for (const nb::handle each : columns) arrays.push_back(nb::cast<AnyArray>(each));
        if (!weights.is_none()) arrays.push_back(nb::cast<AnyArray>(weights));
        std::vector<Column> views;
        for (const AnyArray& array : arrays) views.push_back(column_of(array, 0));
        const std::size_t rows = arrays.empty() ? 0 : arrays[0].shape(0);
        for (const AnyArray& array : arrays)
          if (array.shape(0) != rows) throw std::invalid_argument("columns differ in length");
        std::string text;
        run_interruptible(rows * views.size(),
                          [&](const StopFlag& stop) { text = fingerprint(views, rows, thread_count(), stop); });
        return text;
      },
      nb::arg("columns"), nb::arg("weights").none(),
      "Sixteen hexadecimal digits for columns of float32, float64 or int32, each [row].");
}
