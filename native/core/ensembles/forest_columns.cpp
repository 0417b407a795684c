#include "core/ensembles/forest_columns.hpp"

#include <algorithm>

#include "core/numeric/sorting.hpp"

namespace clearwood {
namespace {

template <class Code>
void fill(LargeArray<Code>& codes, std::size_t rows, auto&& write) {
  codes = LargeArray<Code>(rows);
  write(codes.data());
}

// Writes the codes in the fewest bytes that hold them and the code of a missing cell.
void pack(ForestColumn& column, std::size_t rows, auto&& write) {
  if (column.size <= 0xFF) {
    fill(column.narrow, rows, write);
  } else if (column.size <= 0xFFFF) {
    fill(column.middle, rows, write);
  } else {
    fill(column.wide, rows, write);
  }
}

}  // namespace

std::vector<ForestColumn> forest_columns(const Problem& problem, int threads, const StopFlag& stop) {
  std::vector<ForestColumn> columns(problem.columns.size());
  const auto workers = static_cast<std::size_t>(threads);
  std::vector<std::vector<Entry>> entries(workers);
  std::vector<std::vector<std::vector<Entry>>> room(workers, std::vector<std::vector<Entry>>(1));
  run_parallel(columns.size(), threads, [&](std::size_t c, int thread) {
    check(stop);
    ForestColumn& column = columns[c];
    const Column& given = problem.columns[c];
    if (!given.numeric()) {
      column.nominal = true;
      column.size = static_cast<std::uint32_t>(given.values);
      pack(column, problem.rows, [&](auto* codes) {
        for (std::size_t row = 0; row < problem.rows; ++row) {
          const std::int32_t code = given.code(row);
          column.any_missing |= code < 0;
          codes[row] = static_cast<std::remove_reference_t<decltype(*codes)>>(
              code < 0 ? column.size : static_cast<std::uint32_t>(code));
        }
      });
      return;
    }
    auto& sorted = entries[static_cast<std::size_t>(thread)];
    sorted.resize(problem.rows);
    Problem alone;
    alone.rows = problem.rows;
    alone.columns = {given};
    const SortedColumn ranks = sort_columns(alone, {0}, 0, true, sorted.data(), room[static_cast<std::size_t>(thread)],
                                            1, stop)[0];
    column.any_missing = ranks.any_missing;
    column.values = ranks.values;
    column.size = static_cast<std::uint32_t>(ranks.values.size());
    pack(column, problem.rows, [&](auto* codes) {
      for (const Entry entry : sorted) {
        const auto rank = static_cast<std::uint32_t>(entry >> 32);
        codes[instance_of(entry)] =
            static_cast<std::remove_reference_t<decltype(*codes)>>(rank == 0xFFFFFFFFu ? column.size : rank);
      }
    });
  });
  return columns;
}

ForestRows forest_rows(const std::vector<ForestColumn>& columns, std::size_t rows, int threads, const StopFlag& stop) {
  ForestRows by_row;
  by_row.columns = columns.size();
  bool fits = true;
  for (const ForestColumn& column : columns) fits = fits && column.wide.empty();
  const std::size_t cells = rows * columns.size();
  if (fits) {
    by_row.middle = LargeArray<std::uint16_t>(cells);
  } else {
    by_row.wide = LargeArray<std::uint32_t>(cells);
  }
  constexpr std::size_t stretch = 1024;
  auto turn = [&](auto* out) {
    run_parallel((rows + stretch - 1) / stretch, threads, [&](std::size_t job, int) {
      check(stop);
      const std::size_t begin = job * stretch, end = std::min(rows, begin + stretch);
      for (std::size_t c = 0; c < columns.size(); ++c)
        columns[c].visit([&](const auto* codes) {
          for (std::size_t row = begin; row < end; ++row)
            out[row * columns.size() + c] = static_cast<std::remove_reference_t<decltype(*out)>>(codes[row]);
        });
    });
  };
  if (fits) {
    turn(by_row.middle.data());
  } else {
    turn(by_row.wide.data());
  }
  return by_row;
}

}  // namespace clearwood
