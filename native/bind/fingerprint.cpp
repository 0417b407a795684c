#include "core/reading/fingerprint.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

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
  m.def(
      "row_marks",
      [](const nb::list& columns, const AnyArray& target) {
        std::vector<AnyArray> arrays;
        for (const nb::handle each : columns) arrays.push_back(nb::cast<AnyArray>(each));
        std::vector<Column> views;
        for (const AnyArray& array : arrays) {
          if (array.shape(0) != target.shape(0)) throw std::invalid_argument("columns and target differ in length");
          views.push_back(column_of(array, 0));
        }
        const std::size_t rows = target.shape(0);
        const Column answers = column_of(target, 0);
        const nb::gil_scoped_release released;
        return row_marks(views, answers, rows, rows * views.size() < small_work ? 1 : thread_count());
      },
      nb::arg("columns"), nb::arg("target"),
      "A sum over the cells of each column, each mixed with its row's target, that no order of rows changes.");
  m.def(
      "row_hashes",
      [](const nb::list& columns, std::size_t rows) {
        std::vector<AnyArray> arrays;
        for (const nb::handle each : columns) arrays.push_back(nb::cast<AnyArray>(each));
        std::vector<Column> views;
        for (const AnyArray& array : arrays) {
          if (array.shape(0) != rows) throw std::invalid_argument("columns differ in length");
          views.push_back(column_of(array, 0));
        }
        std::vector<std::uint64_t> hashes;
        {
          const nb::gil_scoped_release released;
          hashes = row_hashes(views, rows, rows * views.size() < small_work ? 1 : thread_count());
        }
        return give_array(std::move(hashes));
      },
      nb::arg("columns"), nb::arg("rows"),
      "[row] 64 bits mixed of its cells in these columns; equal rows have equal ones.");
}
