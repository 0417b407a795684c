#include "core/prism.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/learner.hpp"

namespace clearwood {
namespace {

// `right` of the `taken` weight have the wanted class.
struct Precision {
  double right = 0.0, taken = 0.0;
  bool beats(const Precision& other) const {
    const double share = right / taken, best = other.taken > 0 ? other.right / other.taken : 0.0;
    if (better(share, best, 1.0)) return true;
    return !better(best, share, 1.0) && better(right, other.right, other.right);
  }
};

struct PrismChoice {
  RuleTest test;
  Precision precision;
};

class OneClass {
 public:
  OneClass(const std::vector<RuleColumn>& columns, const Labels& classes, std::int32_t goal)
      : columns_(columns), classes_(classes), goal_(goal) {}

  // The next rule among these rows, and the rows it takes; false where no condition reaches a row of the class.
  bool next(const RowList& left, std::vector<RuleTest>& when, RowList& rows) {
    when.clear();
    rows = left;
    std::vector<bool> asked(columns_.size(), false);
    while (!is_pure(rows)) {
      PrismChoice best;
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (!asked[c]) look(c, rows, best);
      if (best.precision.right <= 0) break;
      const auto& codes = columns_[static_cast<std::size_t>(best.test.column)].codes;
      asked[static_cast<std::size_t>(best.test.column)] = true;
      when.push_back(best.test);
      rows.erase(std::remove_if(rows.begin(), rows.end(), [&](Row row) { return codes[row] != best.test.code; }),
                 rows.end());
    }
    return !when.empty() || is_pure(left);
  }

  bool has(const RowList& rows) const {
    return std::any_of(rows.begin(), rows.end(), [&](Row row) { return classes_.of[row] == goal_; });
  }

 private:
  bool is_pure(const RowList& rows) const {
    return std::all_of(rows.begin(), rows.end(), [&](Row row) { return classes_.of[row] == goal_; });
  }

  void look(std::size_t column, const RowList& rows, PrismChoice& best) {
    const auto& cells = columns_[column];
    auto offer = [&](std::int32_t code, const Precision& found) {
      if (found.right > 0 && found.beats(best.precision))
        best = {{static_cast<std::int32_t>(column), code, 0.0, 0.0}, found};
    };
    if (cells.size > 4 * rows.size() + 64) {
      const auto& sorted = by_code_.sort(cells, rows);
      for (std::size_t begin = 0, end; begin < sorted.size(); begin = end) {
        Precision found;
        for (end = begin; end < sorted.size() && sorted[end].first == sorted[begin].first; ++end)
          count(sorted[end].second, found);
        offer(sorted[begin].first, found);
      }
      return;
    }
    counts_.assign(cells.size + 1, {});
    for (const Row row : rows) count(row, counts_[static_cast<std::size_t>(cells.codes[row] + 1)]);
    for (std::size_t code = 0; code < cells.size; ++code) offer(static_cast<std::int32_t>(code), counts_[code + 1]);
  }

  void count(Row row, Precision& found) const {
    const double weight = classes_.weight(row);
    found.taken += weight;
    if (classes_.of[row] == goal_) found.right += weight;
  }

  const std::vector<RuleColumn>& columns_;
  const Labels& classes_;
  std::int32_t goal_;
  std::vector<Precision> counts_;
  RowsByCode by_code_;
};

RowList without(const RowList& rows, const RowList& taken) {
  RowList rest;
  std::set_difference(rows.begin(), rows.end(), taken.begin(), taken.end(), std::back_inserter(rest));
  return rest;
}

}  // namespace

FoundRules learn_prism(const Problem& problem, int threads, const StopFlag& stop) {
  const auto columns = rule_columns(problem, std::vector<bool>(problem.columns.size(), false));
  Labels classes{{problem.class_of, problem.class_of + problem.rows}, static_cast<std::size_t>(problem.classes),
                 problem.weight_of};
  RowList every(problem.rows);
  std::iota(every.begin(), every.end(), Row{0});
  // Classes do not know of each other, so that each may have a thread of its own.
  std::vector<std::vector<std::vector<RuleTest>>> drafts(classes.size);
  run_parallel(classes.size, threads, [&](std::size_t goal, int) {
    OneClass learner(columns, classes, static_cast<std::int32_t>(goal));
    RowList left = every, taken;
    std::vector<RuleTest> when;
    while (learner.has(left)) {
      check(stop);
      if (!learner.next(left, when, taken)) break;
      drafts[goal].push_back(when);
      left = without(left, taken);
    }
  });
  FoundRules found;
  RowList left = every;
  for (std::size_t goal = 0; goal < drafts.size(); ++goal)
    for (const auto& when : drafts[goal]) {
      check(stop);
      RowList taken;
      for (const Row row : left)
        if (std::all_of(when.begin(), when.end(), [&](const RuleTest& test) {
              return satisfies(test, columns[static_cast<std::size_t>(test.column)], row);
            }))
          taken.push_back(row);
      found.add(when, static_cast<int>(goal), classes.count(taken));
      left = without(left, taken);
    }
  found.otherwise = classes.count(left.empty() ? every : left);
  return found;
}

}  // namespace clearwood
