#include "core/numeric/sorting.hpp"

namespace clearwood {
namespace {

constexpr std::size_t stretch = 2048;  // rows read at a time, all columns, so that a row-wise table is read once

// By the upper halves; where the result is to be found is `data`.
void sort_upper_halves(Entry* data, Entry* other, std::size_t count) {
  Entry* const sorted = radix_sort<4>(data, other, count, [](Entry entry) { return static_cast<std::uint32_t>(entry >> 32); });
  if (sorted != data) std::copy(sorted, sorted + count, data);
}

// The low half while sorting: the class above the row where both fit, so that neither needs looking up afterwards.
struct LowHalf {
  int row_bits;
  bool with_class;
  std::uint32_t of(const Problem& problem, std::size_t row) const {
    const auto number = static_cast<std::uint32_t>(row);
    return with_class ? static_cast<std::uint32_t>(problem.class_of[row]) << row_bits | number : number;
  }
  std::uint32_t row(std::uint32_t low) const { return with_class ? low & ((1u << row_bits) - 1) : low; }
};

// Doubles that are no floats: the upper half of their bits comes first; rows alike in it are put in order a run at a time.
void sort_doubles(const Problem& problem, const Column& column, const LowHalf& low, Entry* out,
                  std::vector<Entry>& scratch) {
  for (std::size_t row = 0; row < problem.rows; ++row)
    out[row] = (ordered(column.at<double>(row)) & 0xFFFFFFFF00000000ull) | low.of(problem, row);
  sort_upper_halves(out, scratch.data(), problem.rows);
  auto key = [&](Entry entry) { return ordered(column.at<double>(low.row(instance_of(entry)))); };
  for (std::size_t begin = 0; begin < problem.rows;) {
    std::size_t end = begin + 1;
    while (end < problem.rows && out[end] >> 32 == out[begin] >> 32) ++end;
    if (end - begin > 1) std::stable_sort(out + begin, out + end, [&](Entry a, Entry b) { return key(a) < key(b); });
    begin = end;
  }
}

// From sorted keys to ranks.
SortedColumn rank(const Problem& problem, const Column& column, const LowHalf& low, bool floats, int class_bits,
                  bool keep_values, Entry* out) {
  SortedColumn result;
  const std::uint32_t last_rank = (0xFFFFFFFFu >> class_bits) << class_bits;
  std::uint32_t rank = 0;
  std::uint64_t before = 0;
  double value_before = 0.0;
  for (std::size_t i = 0; i < problem.rows; ++i) {
    const std::uint64_t key = out[i] >> 32;
    const std::uint32_t half = instance_of(out[i]);
    const std::uint32_t row = low.row(half);
    std::uint32_t cls = 0;
    if (class_bits > 0)
      cls = low.with_class ? half >> low.row_bits : static_cast<std::uint32_t>(problem.class_of[row]);
    if (key == missing_key) {
      result.any_missing = true;
      out[i] = static_cast<Entry>(last_rank | cls) << 32 | row;
      continue;
    }
    if (floats) {
      rank += i > 0 && key != before;
    } else {
      const double value = column.number(row);
      rank += i > 0 && value != value_before;
      value_before = value;
    }
    before = key;
    // A float is told from its key: to look up its row would be a step through all memory.
    if (keep_values && result.values.size() <= rank)
      result.values.push_back(floats ? number_of(static_cast<std::uint32_t>(key)) : column.number(row));
    out[i] = static_cast<Entry>(rank << class_bits | cls) << 32 | row;
  }
  return result;
}

}  // namespace

std::vector<SortedColumn> sort_columns(const Problem& problem, const std::vector<int>& slots, int class_bits,
                                       bool keep_values, Entry* entries, std::vector<std::vector<Entry>>& room,
                                       int threads, const StopFlag& stop) {
  const std::size_t rows = problem.rows;
  const std::size_t columns = problem.columns.size();
  const int row_bits = std::bit_width(rows);
  const LowHalf low{row_bits, class_bits > 0 && row_bits + class_bits <= 32};
  std::vector<std::atomic<bool>> is_double(columns);  // holds a number that is no float
  over_rows(rows, stretch, threads, stop, [&](std::size_t begin, std::size_t end, int) {
    std::array<std::uint32_t, stretch> half;
    for (std::size_t row = begin; row < end; ++row) half[row - begin] = low.of(problem, row);
    for (std::size_t c = 0; c < columns; ++c) {
      if (slots[c] < 0) continue;
      const Column& column = problem.columns[c];
      Entry* out = entries + static_cast<std::size_t>(slots[c]) * rows;
      if (column.type == Column::Type::float32) {
        for (std::size_t row = begin; row < end; ++row)
          out[row] = static_cast<Entry>(ordered(column.at<float>(row))) << 32 | half[row - begin];
        continue;
      }
      bool fits = true;
      for (std::size_t row = begin; row < end; ++row) {
        const double value = column.at<double>(row);
        const auto narrow = static_cast<float>(value);
        fits = fits && (static_cast<double>(narrow) == value || value != value);
        out[row] = static_cast<Entry>(ordered(narrow)) << 32 | half[row - begin];
      }
      if (!fits) is_double[c].store(true, std::memory_order_relaxed);
    }
  });
  std::vector<SortedColumn> result(columns);
  run_parallel(columns, threads, [&](std::size_t c, int thread) {
    if (slots[c] < 0) return;
    check(stop);
    auto& scratch = room[static_cast<std::size_t>(thread)];
    if (scratch.size() < rows) scratch.resize(rows);
    Entry* out = entries + static_cast<std::size_t>(slots[c]) * rows;
    const bool floats = !is_double[c].load(std::memory_order_relaxed);
    if (floats) {
      sort_upper_halves(out, scratch.data(), rows);
    } else {
      sort_doubles(problem, problem.columns[c], low, out, scratch);
    }
    result[c] = rank(problem, problem.columns[c], low, floats, class_bits, keep_values, out);
  });
  return result;
}

}  // namespace clearwood
