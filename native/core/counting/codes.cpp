#include "core/counting/codes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
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
  constexpr int digit_bits = 11;
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

// Distinct numbers from low to high, and what the rows of each weigh.
struct Distinct {
  std::vector<double> values;
  std::vector<double> weights;

  void add(double value, double weight) {
    values.push_back(value);
    weights.push_back(weight);
  }
};

template <class Key>
Distinct distinct_of(std::vector<Key>& keys) {
  radix_sort<Key>(keys);
  Distinct distinct;
  for (std::size_t i = 0; i < keys.size();) {
    std::size_t end = i + 1;
    while (end < keys.size() && keys[end] == keys[i]) ++end;
    distinct.add(number(keys[i]), static_cast<double>(end - i));
    i = end;
  }
  return distinct;
}

template <class Key>
Distinct distinct_of(std::vector<Weighed<Key>>& entries) {
  radix_sort<Key>(entries);
  Distinct distinct;
  for (std::size_t i = 0; i < entries.size();) {
    double weight = 0.0;
    std::size_t end = i;
    for (; end < entries.size() && entries[end].key == entries[i].key; ++end) weight += entries[end].weight;
    distinct.add(number(entries[i].key), weight);
    i = end;
  }
  return distinct;
}

template <class Key, class Number>
Distinct read_distinct(const Column& column, std::size_t rows, const double* weights) {
  if (weights == nullptr) {
    std::vector<Key> keys;
    keys.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row)
      if (const auto value = static_cast<Number>(column.number(row)); value == value) keys.push_back(ordered(value));
    return distinct_of(keys);
  }
  std::vector<Weighed<Key>> entries;
  entries.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row)
    if (const auto value = static_cast<Number>(column.number(row)); value == value && weights[row] > 0.0)
      entries.push_back({ordered(value), weights[row]});
  return distinct_of(entries);
}

bool all_floats(const Column& column, std::size_t rows) {
  if (column.type == Column::Type::float32) return true;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto value = column.at<double>(row);
    if (value == value && static_cast<double>(static_cast<float>(value)) != value) return false;
  }
  return true;
}

// The places after which a cut lies.
std::vector<std::size_t> even_places(const Distinct& distinct, std::size_t most) {
  const std::size_t size = distinct.values.size();
  const double bins = static_cast<double>(most + 1);
  double rest = 0.0;
  for (const double weight : distinct.weights) rest += weight;
  const double part = rest / bins;
  double shared = bins;
  std::vector<char> alone(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (distinct.weights[i] < part) continue;
    alone[i] = 1;
    rest -= distinct.weights[i];
    shared -= 1.0;
  }
  double mean = shared > 0.0 ? rest / shared : 0.0;
  std::vector<std::size_t> places;
  double held = 0.0;
  for (std::size_t i = 0; i + 1 < size && places.size() < most; ++i) {
    held += distinct.weights[i];
    if (!alone[i]) rest -= distinct.weights[i];
    if (!(alone[i] || held >= mean || (alone[i + 1] && held >= 0.5 * mean))) continue;
    places.push_back(i);
    held = 0.0;
    if (alone[i]) continue;
    shared -= 1.0;
    mean = shared > 0.0 ? rest / shared : 0.0;
  }
  return places;
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
        places[i] += table[places[i] + step - 1] < values[i] ? static_cast<std::uint32_t>(step) : 0u;
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
  const Distinct distinct = all_floats(column, rows) ? read_distinct<std::uint32_t, float>(column, rows, weights)
                                                     : read_distinct<std::uint64_t, double>(column, rows, weights);
  const std::size_t size = distinct.values.size();
  std::vector<double> cuts;
  const auto cut_after = [&](std::size_t i) { cuts.push_back(midpoint(distinct.values[i], distinct.values[i + 1])); };
  if (most == 0 || size <= most + 1) {
    for (std::size_t i = 0; i + 1 < size; ++i) cut_after(i);
  } else {
    for (const std::size_t i : even_places(distinct, most)) cut_after(i);
  }
  return cuts;
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
