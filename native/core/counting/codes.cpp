#include "core/counting/codes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/trees/target.hpp"

namespace clearwood {
namespace {

// Bits that sort as the number does; −0 is 0.
std::uint32_t ordered(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
std::uint64_t ordered(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return bits & 0x8000000000000000ull ? ~bits : bits | 0x8000000000000000ull;
}
double number(std::uint32_t key) {
  return static_cast<double>(std::bit_cast<float>(key & 0x80000000u ? key & 0x7FFFFFFFu : ~key));
}
double number(std::uint64_t key) {
  return std::bit_cast<double>(key & 0x8000000000000000ull ? key & 0x7FFFFFFFFFFFFFFFull : ~key);
}

template <class Key>
struct Weighed {
  Key key;
  double weight;
};
template <class Key>
Key sort_key(const Key& entry) {
  return entry;
}
template <class Key>
Key sort_key(const Weighed<Key>& entry) {
  return entry.key;
}

// Least-significant-digit radix sort, stable; a digit that all keys share costs nothing.
template <class Key, class Entry>
void radix_sort(std::vector<Entry>& data) {
  constexpr int digit_bits = 8;
  constexpr std::size_t digits = std::size_t{1} << digit_bits;
  constexpr int passes = (8 * static_cast<int>(sizeof(Key)) + digit_bits - 1) / digit_bits;
  if (data.size() < 2048) {
    std::stable_sort(data.begin(), data.end(), [](const Entry& a, const Entry& b) {
      return sort_key<Key>(a) < sort_key<Key>(b);
    });
    return;
  }
  std::vector<std::array<std::uint32_t, digits>> counts(passes);
  for (const Entry& entry : data)
    for (int pass = 0; pass < passes; ++pass)
      ++counts[static_cast<std::size_t>(pass)][(sort_key<Key>(entry) >> (digit_bits * pass)) & (digits - 1)];
  std::vector<Entry> other(data.size());
  for (int pass = 0; pass < passes; ++pass) {
    auto& starts = counts[static_cast<std::size_t>(pass)];
    const int shift = digit_bits * pass;
    if (starts[(sort_key<Key>(data[0]) >> shift) & (digits - 1)] == data.size()) continue;
    std::uint32_t start = 0;
    for (auto& each : starts) start += std::exchange(each, start);
    for (const Entry& entry : data) other[starts[(sort_key<Key>(entry) >> shift) & (digits - 1)]++] = entry;
    data.swap(other);
  }
}

// Sorted entries as runs of one number each, from low to high, and what the rows of a run weigh.
template <class Key, class Entry>
struct Runs {
  const std::vector<Entry>& entries;

  struct Run {
    std::size_t end;
    double weight;
  };
  Run from(std::size_t begin) const {
    const Key key = sort_key<Key>(entries[begin]);
    std::size_t end = begin;
    double weight = 0.0;
    for (; end < entries.size() && sort_key<Key>(entries[end]) == key; ++end) {
      if constexpr (!std::is_same_v<Key, Entry>) weight += entries[end].weight;
    }
    if constexpr (std::is_same_v<Key, Entry>) weight = static_cast<double>(end - begin);
    return {end, weight};
  }
  template <class Each>
  void each(Each&& job) const {
    for (std::size_t begin = 0; begin < entries.size();) {
      const Run run = from(begin);
      job(run);
      begin = run.end;
    }
  }
  // The cut between the entries before a place and those from there on.
  double cut_at(std::size_t place) const {
    return midpoint(number(sort_key<Key>(entries[place - 1])), number(sort_key<Key>(entries[place])));
  }
  std::vector<double> cuts(std::size_t most) const;
  std::vector<double> ladder() const {
    std::vector<double> numbers;
    each([&](const Run& run) { numbers.push_back(number(sort_key<Key>(entries[run.end - 1]))); });
    return numbers;
  }
};

template <class Key, class Entry>
std::vector<double> Runs<Key, Entry>::cuts(std::size_t most) const {
  std::size_t distinct = 0;
  double rest = 0.0;
  each([&](const Run& run) {
    ++distinct;
    rest += run.weight;
  });
  std::vector<double> cuts;
  if (most == 0 || distinct <= most + 1) {
    each([&](const Run& run) {
      if (run.end < entries.size()) cuts.push_back(cut_at(run.end));
    });
    return cuts;
  }
  const double part = rest / static_cast<double>(most + 1);
  double shared = static_cast<double>(most + 1);
  each([&](const Run& run) {
    if (run.weight < part) return;
    rest -= run.weight;
    shared -= 1.0;
  });
  double mean = shared > 0.0 ? rest / shared : 0.0;
  double held = 0.0;
  for (Run run = from(0); run.end < entries.size() && cuts.size() < most;) {
    const Run next = from(run.end);
    const bool alone = run.weight >= part;
    held += run.weight;
    if (!alone) rest -= run.weight;
    if (alone || held >= mean || (next.weight >= part && held >= 0.5 * mean)) {
      cuts.push_back(cut_at(run.end));
      held = 0.0;
      if (!alone) {
        shared -= 1.0;
        mean = shared > 0.0 ? rest / shared : 0.0;
      }
    }
    run = next;
  }
  return cuts;
}

// `Cell` is what the column holds, `Number` what its numbers can be held as; asks(runs) of the known cells, sorted.
template <class Key, class Number, class Cell>
std::vector<double> read_runs(const Column& column, std::size_t rows, const double* weights, auto&& asks) {
  if (weights == nullptr) {
    std::vector<Key> keys(rows);
    std::size_t known = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto value = static_cast<Number>(column.at<Cell>(row));
      keys[known] = ordered(value);
      known += value == value;
    }
    keys.resize(known);
    radix_sort<Key>(keys);
    return asks(Runs<Key, Key>{keys});
  }
  std::vector<Weighed<Key>> entries;
  entries.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row)
    if (const auto value = static_cast<Number>(column.at<Cell>(row)); value == value && weights[row] > 0.0)
      entries.push_back({ordered(value), weights[row]});
  radix_sort<Key>(entries);
  return asks(Runs<Key, Weighed<Key>>{entries});
}

bool all_floats(const Column& column, std::size_t rows) {
  if (column.type == Column::Type::float32) return true;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto value = column.at<double>(row);
    if (value == value && static_cast<double>(static_cast<float>(value)) != value) return false;
  }
  return true;
}

std::vector<double> of_runs(const Column& column, std::size_t rows, const double* weights, auto&& asks) {
  if (column.type == Column::Type::float32)
    return read_runs<std::uint32_t, float, float>(column, rows, weights, asks);
  if (all_floats(column, rows)) return read_runs<std::uint32_t, float, double>(column, rows, weights, asks);
  return read_runs<std::uint64_t, double, double>(column, rows, weights, asks);
}

// The largest float that is not above a cut: of floats it divides the same.
float below_or_at(double cut) {
  const auto near = static_cast<float>(cut);
  return static_cast<double>(near) > cut ? std::nextafter(near, -std::numeric_limits<float>::infinity()) : near;
}

// Codes of numbers by a search without branches, several rows side by side: each step waits for memory, not for the others.
template <class Number, class Code>
void code_numbers(const Column& column, const Coding& coding, std::size_t begin, std::size_t end, Code* out) {
  const std::size_t width = std::bit_ceil(coding.cuts.size() + 1);
  std::vector<Number> cuts(width, std::numeric_limits<Number>::infinity());
  for (std::size_t i = 0; i < coding.cuts.size(); ++i) {
    if constexpr (sizeof(Number) == 4) {
      cuts[i] = below_or_at(coding.cuts[i]);
    } else {
      cuts[i] = coding.cuts[i];
    }
  }
  constexpr std::size_t abreast = 16;
  const auto last = static_cast<std::uint32_t>(coding.cuts.size());
  const Number* const table = cuts.data();
  for (std::size_t row = begin; row < end; row += abreast) {
    const std::size_t count = std::min(abreast, end - row);
    std::array<Number, abreast> values{};
    std::array<std::uint32_t, abreast> places{};
    for (std::size_t i = 0; i < count; ++i) values[i] = column.at<Number>(row + i);
    for (std::size_t step = width / 2; step > 0; step /= 2)
      for (std::size_t i = 0; i < abreast; ++i)
        places[i] += static_cast<std::uint32_t>(step) & -static_cast<std::uint32_t>(table[places[i] + step - 1] < values[i]);
    for (std::size_t i = 0; i < count; ++i)
      out[row + i] = static_cast<Code>(values[i] == values[i] ? std::min(places[i], last) : coding.known);
  }
}

template <class Code>
void code_column(const Column& column, const Coding& coding, std::size_t begin, std::size_t end, Code* out) {
  switch (column.type) {
    case Column::Type::float32:
      return code_numbers<float>(column, coding, begin, end, out);
    case Column::Type::float64:
      return code_numbers<double>(column, coding, begin, end, out);
    case Column::Type::codes:
      // As unsigned, what is below zero lies above all values.
      for (std::size_t row = begin; row < end; ++row)
        out[row] = static_cast<Code>(std::min(static_cast<std::uint32_t>(column.code(row)), coding.known));
  }
}

}  // namespace

std::vector<double> cuts_of(const Column& column, std::size_t rows, const double* weights, std::size_t most) {
  return of_runs(column, rows, weights, [&](const auto& runs) { return runs.cuts(most); });
}

std::vector<double> ladder_of(const Column& column, std::size_t rows, const double* weights) {
  return of_runs(column, rows, weights, [](const auto& runs) { return runs.ladder(); });
}

void write_codes(const Column& column, const Coding& coding, std::size_t begin, std::size_t end, void* out) {
  switch (coding.bytes()) {
    case 1:
      return code_column(column, coding, begin, end, static_cast<std::uint8_t*>(out));
    case 2:
      return code_column(column, coding, begin, end, static_cast<std::uint16_t*>(out));
    default:
      return code_column(column, coding, begin, end, static_cast<std::uint32_t*>(out));
  }
}

void write_all_codes(const std::vector<Column>& columns, const std::vector<Coding>& codings, std::size_t rows,
                     const std::vector<void*>& out, int threads, const StopFlag& stop) {
  constexpr std::size_t stretch = 16384;
  run_parallel((rows + stretch - 1) / stretch, threads, [&](std::size_t job, int) {
    check(stop);
    const std::size_t begin = job * stretch, end = std::min(rows, begin + stretch);
    for (std::size_t c = 0; c < columns.size(); ++c) write_codes(columns[c], codings[c], begin, end, out[c]);
  });
}

}  // namespace clearwood
