#include "core/counting/tally.hpp"

#include <memory>
#include <mutex>

namespace clearwood {

namespace {

constexpr std::size_t block = 4096;           // a column's codes and the classes stay in the nearest cache
constexpr std::size_t stretch = 16 * block;   // rows of one job
constexpr std::size_t most_cells = 1 << 20;   // of a table of its own for each thread

// The column's codes, contiguous: itself, or copied into `space`.
const std::int32_t* codes_of(const Column& column, std::size_t first, std::size_t count, std::int32_t* space) {
  if (column.stride == sizeof(std::int32_t)) return reinterpret_cast<const std::int32_t*>(column.data) + first;
  for (std::size_t i = 0; i < count; ++i) space[i] = column.code(first + i);
  return space;
}

void check_codes(const std::int32_t* codes, std::size_t count, std::int32_t values) {
  std::int32_t least = 0;
  std::int32_t most = -1;
  for (std::size_t i = 0; i < count; ++i) {
    least = std::min(least, codes[i]);
    most = std::max(most, codes[i]);
  }
  if (least < -2 || most >= values) throw std::invalid_argument("a code stands for none of the column's values");
}

// Rows without weights: two tables in turn, so that equal neighbours do not wait for each other's sum.
void count_rows(const std::int32_t* codes, const std::int32_t* classes, std::size_t count, std::int32_t width,
                std::uint32_t* even, std::uint32_t* odd) {
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    ++even[static_cast<std::ptrdiff_t>(classes[i]) * width + codes[i] + 2];
    ++odd[static_cast<std::ptrdiff_t>(classes[i + 1]) * width + codes[i + 1] + 2];
  }
  if (i < count) ++even[static_cast<std::ptrdiff_t>(classes[i]) * width + codes[i] + 2];
}

void count_units(const std::int32_t* codes, const std::int32_t* classes, const Whole* units, std::size_t count,
                 std::int32_t width, Whole* cells) {
  for (std::size_t i = 0; i < count; ++i)
    cells[static_cast<std::ptrdiff_t>(classes[i]) * width + codes[i] + 2] += units[i];
}

}  // namespace

void check_classes(const RowsByClass& rows) {
  std::int32_t least = 0;
  std::int32_t most = -1;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    least = std::min(least, rows.classes_of[row]);
    most = std::max(most, rows.classes_of[row]);
  }
  if (least < 0 || most >= rows.classes) throw std::invalid_argument("a row's class is none of the classes");
}

std::vector<std::size_t> tally_starts(const std::vector<Column>& columns, std::int32_t classes) {
  std::vector<std::size_t> starts{0};
  for (const Column& column : columns)
    starts.push_back(starts.back() + static_cast<std::size_t>(classes) * (static_cast<std::size_t>(column.values) + 2));
  return starts;
}

std::vector<Whole> tally(const std::vector<Column>& columns, const RowsByClass& rows, int threads,
                         const StopFlag& stop) {
  check_classes(rows);
  const auto starts = tally_starts(columns, rows.classes);
  const std::size_t cells = starts.back();
  std::vector<Whole> total(cells, 0);
  std::mutex guard;

  // Adds the rows [first, last) of the columns [from, to) to the total.
  const auto count = [&](std::size_t first, std::size_t last, std::size_t from, std::size_t to) {
    const std::size_t begin = starts[from];
    const std::size_t size = starts[to] - begin;
    std::vector<std::uint32_t> narrow(rows.weighted() ? 0 : 2 * size, 0);
    std::vector<Whole> wide(rows.weighted() ? size : 0, 0);
    const std::unique_ptr<std::int32_t[]> space(new std::int32_t[block]);
    for (std::size_t at = first; at < last; at += block) {
      check(stop);
      const std::size_t many = std::min(block, last - at);
      for (std::size_t c = from; c < to; ++c) {
        const std::int32_t* codes = codes_of(columns[c], at, many, space.get());
        check_codes(codes, many, columns[c].values);
        const std::int32_t width = columns[c].values + 2;
        const std::size_t place = starts[c] - begin;
        if (rows.weighted())
          count_units(codes, rows.classes_of + at, rows.weights->units.data() + at, many, width, wide.data() + place);
        else
          count_rows(codes, rows.classes_of + at, many, width, narrow.data() + place, narrow.data() + size + place);
      }
    }
    const std::lock_guard lock(guard);
    for (std::size_t i = 0; i < size; ++i)
      total[begin + i] += rows.weighted() ? wide[i] : Whole{narrow[i]} + narrow[size + i];
  };

  // Small tables: a stretch of rows, all columns. Large ones: a column, all its rows, 2^31 of them at a time.
  if (cells <= std::min(most_cells, std::max<std::size_t>(rows.rows, block))) {
    const std::size_t jobs = (rows.rows + stretch - 1) / stretch;
    run_parallel(jobs, threads, [&](std::size_t job, int) {
      count(job * stretch, std::min(rows.rows, (job + 1) * stretch), 0, columns.size());
    });
  } else {
    constexpr std::size_t far = std::size_t{1} << 31;
    run_parallel(columns.size(), threads, [&](std::size_t c, int) {
      for (std::size_t first = 0; first < rows.rows; first += far)
        count(first, std::min(rows.rows, first + far), c, c + 1);
    });
  }
  return total;
}

}  // namespace clearwood
