#include "core/bayes/bayes.hpp"

#include <cmath>
#include <mutex>

namespace clearwood {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr std::size_t block = 1024;  // rows whose sums stay in the nearest cache

// Adds one column to the sums [row][class] of the rows from `first`. `Classes` 0: the number is `classes`.
template <std::size_t Classes, class Cell, class Add>
void each_row(const Column& column, std::size_t first, std::size_t many, std::size_t classes, double* sums, Add&& add) {
  const std::size_t width = Classes ? Classes : classes;
  const std::byte* place = column.data + static_cast<std::ptrdiff_t>(first) * column.stride;
  for (std::size_t row = 0; row < many; ++row, place += column.stride) {
    Cell cell;
    std::memcpy(&cell, place, sizeof(Cell));
    double* const sum = sums + row * width;
    add(cell, sum, width);
  }
}

// What a bell adds is −∞ for every class where the number is beyond all of them: then nothing is shared.
template <std::size_t Classes, class Cell>
void add_bells_apart(const Term& term, std::size_t first, std::size_t many, std::size_t classes, double* sums) {
  const double* const table = term.table;
  if constexpr (Classes == 2) {  // the same by the difference alone, both classes at once
    using Pair = double __attribute__((vector_size(16)));
    using Mask = std::int64_t __attribute__((vector_size(16)));
    const Pair tops{table[0], table[1]}, means{table[2], table[3]}, precisions{table[4], table[5]};
    Mask odd{};  // no number: an empty cell, or one beyond both bells
    each_row<2, Cell>(term.column, first, many, classes, sums, [&](Cell cell, double* sum, std::size_t) {
      const auto x = static_cast<double>(cell);
      const Pair away = Pair{x, x} - means;
      const Pair logs = tops - away * away * precisions;
      const Pair ahead = logs - Pair{logs[1], logs[0]};
      const Pair added = ahead < Pair{} ? ahead : Pair{};
      odd |= ahead != ahead;
      sum[0] += added[0];
      sum[1] += added[1];
    });
    if (!(odd[0] | odd[1])) return;
    each_row<2, Cell>(term.column, first, many, classes, sums, [&](Cell cell, double* sum, std::size_t) {
      const auto x = static_cast<double>(cell);
      const Pair away = Pair{x, x} - means;
      const Pair logs = tops - away * away * precisions;
      if (logs[0] == never && logs[1] == never) sum[0] = sum[1] = never;
    });
    return;
  }
  std::vector<double> own(classes);
  each_row<Classes, Cell>(term.column, first, many, classes, sums, [&, table](Cell cell, double* sum, std::size_t width) {
    const auto x = static_cast<double>(cell);
    const bool known = x == x;
    double fixed[Classes ? Classes : 1];
    double* const logs = Classes ? fixed : own.data();
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < width; ++c) {
      const double away = x - table[width + c];
      logs[c] = table[c] - away * away * table[2 * width + c];
      most = logs[c] > most ? logs[c] : most;
    }
    const double shared = most < -std::numeric_limits<double>::max() ? 0.0 : most;
    for (std::size_t c = 0; c < width; ++c) sum[c] += known ? logs[c] - shared : 0.0;
  });
}

template <std::size_t Classes, class Cell>
void add_numbers(const Term& term, std::size_t first, std::size_t many, std::size_t classes, double* sums) {
  const double* const table = term.table;
  switch (term.kind) {
    case Term::Kind::bell:
      each_row<Classes, Cell>(term.column, first, many, classes, sums, [=](Cell cell, double* sum, std::size_t width) {
        const auto x = static_cast<double>(cell);
        const bool known = x == x;
        for (std::size_t c = 0; c < width; ++c) {
          const double away = x - table[width + c];
          const double added = table[c] - away * away * table[2 * width + c];
          sum[c] += known ? added : 0.0;
        }
      });
      return;
    case Term::Kind::times:
      each_row<Classes, Cell>(term.column, first, many, classes, sums, [=](Cell cell, double* sum, std::size_t width) {
        const auto x = static_cast<double>(cell);
        if (!(x > 0)) return;
        for (std::size_t c = 0; c < width; ++c) sum[c] += x * table[c];
      });
      return;
    case Term::Kind::presence:
      each_row<Classes, Cell>(term.column, first, many, classes, sums, [=](Cell cell, double* sum, std::size_t width) {
        if (cell != cell) return;
        const double* const terms_of_cell = cell > 0 ? table : table + width;
        for (std::size_t c = 0; c < width; ++c) sum[c] += terms_of_cell[c];
      });
      return;
    default:
      throw std::logic_error("not a term of numbers");
  }
}

template <std::size_t Classes>
void add_codes(const Term& term, std::size_t first, std::size_t many, std::size_t classes, double* sums) {
  const std::uint32_t rows = static_cast<std::uint32_t>(term.column.values) + 2;
  const double* const table = term.table;
  bool wrong = false;
  each_row<Classes, std::int32_t>(
      term.column, first, many, classes, sums, [=, &wrong](std::int32_t code, double* sum, std::size_t width) {
        std::uint32_t place = static_cast<std::uint32_t>(code) + 2;
        if (place >= rows) [[unlikely]] {
          wrong = true;
          place = 1;
        }
        const double* const terms_of_cell = table + place * width;
        for (std::size_t c = 0; c < width; ++c) sum[c] += terms_of_cell[c];
      });
  if (wrong) throw std::invalid_argument("a code stands for none of the column's values");
}

template <std::size_t Classes>
void add_up(const Evidence& evidence, std::size_t first, std::size_t many, double* sums) {
  const std::size_t classes = evidence.log_priors.size();
  for (std::size_t row = 0; row < many; ++row)
    std::copy(evidence.log_priors.begin(), evidence.log_priors.end(), sums + row * classes);
  for (const Term& term : evidence.terms) {
    if (term.kind == Term::Kind::codes) {
      add_codes<Classes>(term, first, many, classes, sums);
    } else if (term.kind == Term::Kind::ready) {
      const double* const evidence_of_rows = reinterpret_cast<const double*>(term.column.data) + first * classes;
      for (std::size_t i = 0; i < many * classes; ++i) sums[i] += evidence_of_rows[i];
    } else {
      const auto add = [&](auto cell) {
        using Cell = decltype(cell);
        if (evidence.apart && term.kind == Term::Kind::bell) return add_bells_apart<Classes, Cell>(term, first, many, classes, sums);
        add_numbers<Classes, Cell>(term, first, many, classes, sums);
      };
      term.column.type == Column::Type::float32 ? add(float{}) : add(double{});
    }
  }
}

// Calls answer(first row, rows, sums) for every block of rows; `sums` is out's own place where `out` is given.
template <class Answer>
void for_each_block(const Evidence& evidence, double* out, int threads, const StopFlag& stop, Answer&& answer) {
  const std::size_t classes = evidence.log_priors.size();
  const std::size_t rows_at_once = std::max<std::size_t>(1, std::min(block, 8 * block / std::max<std::size_t>(classes, 1)));
  const std::size_t together = 16 * rows_at_once;
  over_rows(evidence.rows, together, threads, stop, [&](std::size_t begin, std::size_t last, int) {
    std::vector<double> own(out ? 0 : rows_at_once * classes);
    for (std::size_t first = begin; first < last; first += rows_at_once) {
      const std::size_t many = std::min(rows_at_once, last - first);
      double* const sums = out ? out + first * classes : own.data();
      switch (classes) {
        case 2: add_up<2>(evidence, first, many, sums); break;
        case 3: add_up<3>(evidence, first, many, sums); break;
        case 4: add_up<4>(evidence, first, many, sums); break;
        default: add_up<0>(evidence, first, many, sums);
      }
      answer(first, many, sums);
    }
  });
}

constexpr double rounding = 1e-12;  // of a sum's size: classes that are equal but for it are equal

// Sums from here up are as large as the largest. Not by max(1, ·): around 1 no branch can be foreseen.
double level_with(double most) { return most - rounding * (1.0 + std::abs(most)); }

// The rows that no class can have made, gathered from many threads.
class Impossible {
 public:
  void add(std::size_t row) {
    const std::lock_guard lock(guard_);
    rows_.push_back(static_cast<std::int64_t>(row));
  }
  std::vector<std::int64_t> sorted() {
    std::sort(rows_.begin(), rows_.end());
    return std::move(rows_);
  }

 private:
  std::mutex guard_;
  std::vector<std::int64_t> rows_;
};

}  // namespace

void log_joint(const Evidence& evidence, double* out, int threads, const StopFlag& stop) {
  for_each_block(evidence, out, threads, stop, [](std::size_t, std::size_t, double*) {});
}

std::vector<std::int64_t> posterior(const Evidence& evidence, double* out, int threads, const StopFlag& stop) {
  const std::size_t classes = evidence.log_priors.size();
  Impossible impossible;
  for_each_block(evidence, out, threads, stop, [&](std::size_t first, std::size_t many, double* sums) {
    for (std::size_t row = 0; row < many; ++row) {
      double* const sum = sums + row * classes;
      const double most = *std::max_element(sum, sum + classes);
      if (most == never) {
        impossible.add(first + row);
        continue;
      }
      double total = 0;
      const double level = level_with(most);
      for (std::size_t c = 0; c < classes; ++c) total += sum[c] = sum[c] >= level ? 1.0 : std::exp(sum[c] - most);
      for (std::size_t c = 0; c < classes; ++c) sum[c] /= total;
    }
  });
  return impossible.sorted();
}

std::vector<std::int64_t> likeliest(const Evidence& evidence, std::int32_t* out, int threads, const StopFlag& stop) {
  const std::size_t classes = evidence.log_priors.size();
  Impossible impossible;
  for_each_block(evidence, nullptr, threads, stop, [&](std::size_t first, std::size_t many, double* sums) {
    if (classes == 2) {
      bool none = false;
      std::int32_t* const answers = out + first;
      for (std::size_t row = 0; row < many; ++row) {
        const double one = sums[2 * row], two = sums[2 * row + 1];
        none |= one == never && two == never;
        answers[row] = one < level_with(two);
      }
      for (std::size_t row = 0; none && row < many; ++row)
        if (sums[2 * row] == never && sums[2 * row + 1] == never) impossible.add(first + row);
      return;
    }
    for (std::size_t row = 0; row < many; ++row) {
      const double* const sum = sums + row * classes;
      const double most = *std::max_element(sum, sum + classes);
      const double level = level_with(most);
      std::int32_t best = 0;
      while (sum[best] < level) ++best;  // −∞ is not below −∞
      out[first + row] = best;
      if (most == never) [[unlikely]] impossible.add(first + row);
    }
  });
  return impossible.sorted();
}

}  // namespace clearwood
