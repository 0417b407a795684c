#include "core/rules/covering.hpp"

#include <memory>
#include <numeric>

#include "core/trees/learner.hpp"

namespace clearwood {
namespace {

// Left: the rows that no rule of a class covers yet, by value: how many have the class, and which they are.

// `right` of the `taken` weight have the class of the rule.
struct Precision {
  double right = 0.0, taken = 0.0;
};

class Left {
 public:
  Left(const std::vector<RuleColumn>& columns, const Labels& classes, std::int32_t goal, const RowList& rows)
      : columns_(columns),
        classes_(classes),
        goal_(goal),
        is_left_(classes.of.size(), false),
        size_(rows.size()),
        by_column_(columns.size()) {
    for (const Row row : rows) {
      is_left_[row] = true;
      if (classes.of[row] == goal) ++goals_;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      Values& values = by_column_[c];
      const auto& codes = columns[c].codes;
      values.counts.resize(columns[c].size);
      std::size_t known = 0;
      for (const Row row : rows) {
        if (codes[row] < 0) continue;
        Count& value_count = values.counts[index(codes[row])];
        count(value_count, row, 1);
        ++value_count.end;
        ++known;
      }
      std::size_t place = 0;
      for (std::size_t code = 0; code < values.counts.size(); ++code) {
        Count& value_count = values.counts[code];
        value_count.begin = place;
        place += value_count.end;
        value_count.end = value_count.begin;
        if (value_count.goals > 0) values.alive.push_back(static_cast<std::int32_t>(code));
      }
      values.rows.resize(known);
      for (const Row row : rows)
        if (codes[row] >= 0) values.rows[values.counts[index(codes[row])].end++] = row;
    }
  }

  bool has_goal() const { return goals_ > 0; }
  bool is_pure() const { return goals_ == size_; }
  RowList all() const {
    RowList rows;
    for (Row row = 0; row < is_left_.size(); ++row)
      if (is_left_[row]) rows.push_back(row);
    return rows;
  }

  // Calls each(code, precision) for the column's values that occur in rows of the class, in their order.
  template <class Each>
  void for_each_value(std::size_t column, Each&& each) {
    Values& values = by_column_[column];
    // A value that has lost its last row of the class never gets one again.
    std::erase_if(values.alive, [&](std::int32_t code) { return values.counts[index(code)].goals == 0; });
    for (const std::int32_t code : values.alive) {
      const Count& count = values.counts[index(code)];
      each(code, Precision{count.right.value(), count.taken.value()});
    }
  }

  // The rows with this value, ascending.
  RowList rows_with(std::size_t column, std::int32_t code) {
    Values& values = by_column_[column];
    Count& value_count = values.counts[index(code)];
    const auto at = [&](std::size_t place) { return values.rows.begin() + static_cast<std::ptrdiff_t>(place); };
    const auto end = std::remove_if(at(value_count.begin), at(value_count.end), [&](Row row) { return !is_left_[row]; });
    value_count.end = static_cast<std::size_t>(end - values.rows.begin());
    return {at(value_count.begin), end};
  }

  void take(const RowList& rows) {
    for (const Row row : rows) {
      is_left_[row] = false;
      if (classes_.of[row] == goal_) --goals_;
    }
    size_ -= rows.size();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (const Row row : rows)
        if (const std::int32_t code = columns_[c].codes[row]; code >= 0) count(by_column_[c].counts[index(code)], row, -1);
  }

 private:
  // A sum that terms can leave again without a trace: `low` holds what `high` has no digits for.
  struct Sum {
    double high = 0.0, low = 0.0;
    void add(double term) {
      const double sum = high + term, part = sum - high;
      low += (high - (sum - part)) + (term - part);
      high = sum;
    }
    double value() const { return high + low; }
  };
  struct Count {
    Sum right, taken;
    std::uint32_t goals = 0;         // rows of the class
    std::size_t begin = 0, end = 0;  // among the column's rows; some of them may have been taken
  };
  struct Values {
    std::vector<Count> counts;        // [code]
    std::vector<std::int32_t> alive;  // codes with rows of the class, ascending
    RowList rows;                     // those with a known cell, by code
  };

  static std::size_t index(std::int32_t code) { return static_cast<std::size_t>(code); }
  void count(Count& count, Row row, int sign) const {
    const double weight = sign * classes_.weight(row);
    count.taken.add(weight);
    if (classes_.of[row] != goal_) return;
    count.right.add(weight);
    count.goals += static_cast<std::uint32_t>(sign);
  }

  const std::vector<RuleColumn>& columns_;
  const Labels& classes_;
  std::int32_t goal_;
  std::vector<bool> is_left_;  // [row]
  std::size_t size_ = 0, goals_ = 0;
  std::vector<Values> by_column_;
};

bool beats(const Precision& one, const Precision& other) {
  const double share = one.right / one.taken, best = other.taken > 0 ? other.right / other.taken : 0.0;
  if (better(share, best, 1.0)) return true;
  return !better(best, share, 1.0) && better(one.right, other.right, other.right);
}

struct PrismChoice {
  RuleTest test;
  Precision precision;

  void offer(std::size_t column, std::int32_t code, const Precision& candidate) {
    if (candidate.right > 0 && beats(candidate, precision))
      *this = {{static_cast<std::int32_t>(column), code, 0.0, 0.0}, candidate};
  }
};

// A class's rules. Many of them begin with the same value, so that the rows of such values are counted once as well.
class PrismClass {
 public:
  PrismClass(const std::vector<RuleColumn>& columns, const Labels& classes, std::int32_t goal, const RowList& every)
      : columns_(columns),
        classes_(classes),
        goal_(goal),
        left_(columns, classes, goal, every),
        room_(4 * every.size() * columns.size()),
        within_(columns.size()) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      within_[c].resize(columns[c].size);
      values_ += columns[c].size;
    }
  }

  bool has_rows() const { return left_.has_goal(); }

  // The next rule, and the rows it takes; false where no condition reaches a row of the class.
  bool next(std::vector<RuleTest>& when, RowList& rows) {
    when.clear();
    if (left_.is_pure()) {
      rows = left_.all();
      take(rows);
      return true;
    }
    PrismChoice best;
    std::vector<bool> used(columns_.size(), false);
    const auto offer_counted = [&](Left& left) {
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (!used[c])
          left.for_each_value(c, [&](std::int32_t code, const Precision& candidate) { best.offer(c, code, candidate); });
    };
    offer_counted(left_);
    if (best.precision.right <= 0) return false;
    rows = left_.rows_with(static_cast<std::size_t>(best.test.column), best.test.code);
    while (true) {
      used[static_cast<std::size_t>(best.test.column)] = true;
      when.push_back(best.test);
      if (is_pure(rows)) break;
      Left* const within = when.size() == 1 ? counted(best.test, rows) : nullptr;
      best = {};
      if (within) {
        offer_counted(*within);
        if (best.precision.right <= 0) break;
        rows = within->rows_with(static_cast<std::size_t>(best.test.column), best.test.code);
        continue;
      }
      weigh(rows);
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (!used[c]) look(c, rows, best);
      if (best.precision.right <= 0) break;
      const auto& codes = columns_[static_cast<std::size_t>(best.test.column)].codes;
      std::erase_if(rows, [&](Row row) { return codes[row] != best.test.code; });
    }
    take(rows);
    return true;
  }

 private:
  bool is_pure(const RowList& rows) const {
    return std::all_of(rows.begin(), rows.end(), [&](Row row) { return classes_.of[row] == goal_; });
  }

  // The rows with a rule's first value, counted; null where they are so few, or counted ones so many, that it is not
  // worth the memory.
  Left* counted(const RuleTest& first, const RowList& rows) {
    auto& within = within_[static_cast<std::size_t>(first.column)][static_cast<std::size_t>(first.code)];
    const std::size_t cells = rows.size() * columns_.size();
    if (!within && rows.size() >= values_ && cells <= room_) {
      room_ -= cells;
      within = std::make_unique<Left>(columns_, classes_, goal_, rows);
    }
    return within.get();
  }

  void take(const RowList& rows) {
    left_.take(rows);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const auto& sorted = by_code_.sort(columns_[c], rows);
      for (std::size_t begin = 0, end; begin < sorted.size(); begin = end) {
        Left* const within = within_[c][static_cast<std::size_t>(sorted[begin].first)].get();
        some_.clear();
        for (end = begin; end < sorted.size() && sorted[end].first == sorted[begin].first; ++end)
          if (within) some_.push_back(sorted[end].second);
        if (within) within->take(some_);
      }
    }
  }

  // What each of the rows adds, once for all columns.
  void weigh(const RowList& rows) {
    weights_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) weights_[i] = weight(rows[i]);
  }

  Precision weight(Row row) const {
    const double weight = classes_.weight(row);
    return {classes_.of[row] == goal_ ? weight : 0.0, weight};
  }

  static void add(Precision& sum, const Precision& term) {
    sum.right += term.right;
    sum.taken += term.taken;
  }

  void look(std::size_t column, const RowList& rows, PrismChoice& best) {
    const auto& cells = columns_[column];
    if (cells.size > 4 * rows.size() + 64) {
      const auto& sorted = by_code_.sort(cells, rows);
      for (std::size_t begin = 0, end; begin < sorted.size(); begin = end) {
        Precision precision;
        for (end = begin; end < sorted.size() && sorted[end].first == sorted[begin].first; ++end)
          add(precision, weight(sorted[end].second));
        best.offer(column, sorted[begin].first, precision);
      }
      return;
    }
    counts_.assign(cells.size + 1, {});
    for (std::size_t i = 0; i < rows.size(); ++i)
      add(counts_[static_cast<std::size_t>(cells.codes[rows[i]] + 1)], weights_[i]);
    for (std::size_t code = 0; code < cells.size; ++code)
      best.offer(column, static_cast<std::int32_t>(code), counts_[code + 1]);
  }

  const std::vector<RuleColumn>& columns_;
  const Labels& classes_;
  std::int32_t goal_;
  Left left_;
  std::size_t room_, values_ = 0;                           // cells that may yet be counted; values of all columns
  std::vector<std::vector<std::unique_ptr<Left>>> within_;  // [column][code]
  RowList some_;
  std::vector<Precision> weights_;  // [position]
  std::vector<Precision> counts_;   // [code + 1]
  RowsByCode by_code_;
};

// The rule that takes a row: a number among those of its class.
struct Taker {
  std::size_t goal, rule;
};

}  // namespace

LearnedRules learn_prism(const Problem& problem, int threads, const StopFlag& stop) {
  const auto columns = rule_columns(problem, threads, stop);
  Labels classes{{problem.class_of, problem.class_of + problem.rows}, static_cast<std::size_t>(problem.classes),
                 problem.weight_of};
  RowList every(problem.rows);
  std::iota(every.begin(), every.end(), Row{0});
  const Taker nobody{classes.size, 0};
  // Classes do not know of each other, so that each may have a thread of its own; where rules of several hold,
  // the first class has the row.
  std::vector<std::vector<std::vector<RuleTest>>> drafts(classes.size);
  std::vector<std::vector<Taker>> takers(static_cast<std::size_t>(std::max(threads, 1)));  // [thread, row]
  run_parallel(classes.size, threads, [&](std::size_t goal, int thread) {
    auto& taker = takers[static_cast<std::size_t>(thread)];
    taker.resize(problem.rows, nobody);
    PrismClass learner(columns, classes, static_cast<std::int32_t>(goal), every);
    RowList taken;
    std::vector<RuleTest> when;
    while (learner.has_rows()) {
      check(stop);
      if (!learner.next(when, taken)) break;
      for (const Row row : taken)
        if (goal < taker[row].goal) taker[row] = {goal, drafts[goal].size()};
      drafts[goal].push_back(when);
    }
  });
  std::vector<std::vector<double>> counts(classes.size);  // [goal][rule, class]
  for (std::size_t goal = 0; goal < classes.size; ++goal) counts[goal].resize(drafts[goal].size() * classes.size, 0.0);
  RowList left;
  for (Row row = 0; row < problem.rows; ++row) {
    Taker first = nobody;
    for (const auto& taker : takers)
      if (!taker.empty() && taker[row].goal < first.goal) first = taker[row];
    if (first.goal == classes.size) {
      left.push_back(row);
    } else {
      classes.add(row, &counts[first.goal][first.rule * classes.size]);
    }
  }
  LearnedRules learned;
  for (std::size_t goal = 0; goal < classes.size; ++goal)
    for (std::size_t rule = 0; rule < drafts[goal].size(); ++rule) {
      const double* from = &counts[goal][rule * classes.size];
      learned.add(drafts[goal][rule], static_cast<int>(goal), {from, from + classes.size});
    }
  learned.otherwise = classes.count(left.empty() ? every : left);
  return learned;
}

}  // namespace clearwood
