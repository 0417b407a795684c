#include "core/counting/codes.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <type_traits>

#include "core/numeric/sorting.hpp"
#include "core/trees/target.hpp"

namespace clearwood {
namespace {

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

template <class Key, class Entry>
void sort_by_key(std::vector<Entry>& data) {
  const auto key_of = [](const Entry& entry) { return sort_key<Key>(entry); };
  if (data.size() < 2048) {
    std::stable_sort(data.begin(), data.end(), [=](const Entry& a, const Entry& b) { return key_of(a) < key_of(b); });
    return;
  }
  std::vector<Entry> other(data.size());
  if (radix_sort<sizeof(Key)>(data.data(), other.data(), data.size(), key_of) != data.data()) data.swap(other);
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
    return midpoint(number_of(sort_key<Key>(entries[place - 1])), number_of(sort_key<Key>(entries[place])));
  }
  std::vector<double> ladder() const {
    std::vector<double> numbers;
    each([&](const Run& run) { numbers.push_back(number_of(sort_key<Key>(entries[run.end - 1]))); });
    return numbers;
  }
  std::vector<double> cuts(std::size_t most) const {
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
};

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
    sort_by_key<Key>(keys);
    return asks(Runs<Key, Key>{keys});
  }
  std::vector<Weighed<Key>> entries;
  entries.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row)
    if (const auto value = static_cast<Number>(column.at<Cell>(row)); value == value && weights[row] > 0.0)
      entries.push_back({ordered(value), weights[row]});
  sort_by_key<Key>(entries);
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
  column.visit([&](auto kind) {
    if constexpr (std::is_integral_v<decltype(kind)>) {
      // As unsigned, what is below zero lies above all values.
      for (std::size_t row = begin; row < end; ++row)
        out[row] = static_cast<Code>(std::min(static_cast<std::uint32_t>(column.code(row)), coding.known));
    } else {
      code_numbers<decltype(kind)>(column, coding, begin, end, out);
    }
  });
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
  over_rows(rows, stretch, threads, stop, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t c = 0; c < columns.size(); ++c) write_codes(columns[c], codings[c], begin, end, out[c]);
  });
}

}  // namespace clearwood
