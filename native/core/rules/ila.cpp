#include "core/rules/ila.hpp"

#include <queue>
#include <utility>

#include "core/rules/ila_counts.hpp"

namespace clearwood {
namespace {

// The unmarked rows of one size, by column and value: how a candidate is counted again.
class Unmarked {
 public:
  Unmarked(const IlaTask& task, const std::vector<Row>& rows) : task_(task), here_(task.rows, 0) {
    for (const Row row : rows) {
      here_[row] = 1;
      units_ += task_.units(row);
    }
    for (std::size_t c = 0; c < task.columns; ++c) {
      std::vector<std::uint32_t> start(static_cast<std::size_t>(task.values[c]) + 1, 0);
      for (const Row row : rows)
        if (const auto value = task_.cell(row, c); value >= 0) ++start[static_cast<std::size_t>(value) + 1];
      for (std::size_t value = 1; value < start.size(); ++value) start[value] += start[value - 1];
      std::vector<Row> with(start.back());
      auto at = start;
      for (const Row row : rows)
        if (const auto value = task_.cell(row, c); value >= 0) with[at[static_cast<std::size_t>(value)]++] = row;
      start_.push_back(std::move(start));
      with_.push_back(std::move(with));
    }
  }

  Units left() const { return units_; }
  bool has(Row row) const { return here_[row]; }

  // What is still unmarked of the rows that are like its first one in these columns, from there on.
  void count_again(IlaCandidate& each, const std::vector<std::int32_t>& columns) const {
    Units covers = 0;
    Row first = each.first;
    for_each(each.first, columns, [&](Row row) {
      if (covers == 0) first = row;
      covers += task_.units(row);
    });
    each.covers = covers;
    each.first = first;
  }

  void mark(const IlaCandidate& taken, const std::vector<std::int32_t>& columns) {
    for_each(taken.first, columns, [&](Row row) {
      here_[row] = 0;
      units_ -= task_.units(row);
    });
  }

 private:
  template <class Each>
  void for_each(Row like, const std::vector<std::int32_t>& columns, Each&& each) const {
    std::size_t fewest = ~std::size_t{0};
    const Row *begin = nullptr, *end = nullptr;
    for (const std::int32_t column : columns) {
      const auto c = static_cast<std::size_t>(column);
      const auto value = static_cast<std::size_t>(task_.cell(like, c));
      const std::size_t count = start_[c][value + 1] - start_[c][value];
      if (count >= fewest) continue;
      fewest = count;
      begin = with_[c].data() + start_[c][value];
      end = begin + count;
    }
    const std::int32_t* pattern = task_.cells.data() + like * task_.columns;
    for (const Row* row = std::lower_bound(begin, end, like); row != end; ++row) {
      if (!here_[*row]) continue;
      const std::int32_t* candidate = task_.cells.data() + *row * task_.columns;
      const auto same = [&](std::int32_t c) { return candidate[c] == pattern[c]; };
      if (std::all_of(columns.begin(), columns.end(), same)) each(*row);
    }
  }

  const IlaTask& task_;
  std::vector<char> here_;                        // [row]
  std::vector<std::vector<std::uint32_t>> start_;  // [column][value]
  std::vector<std::vector<Row>> with_;             // [column] rows by value, ascending
  Units units_ = 0;
};

// One class against all others.
class Describing {
 public:
  Describing(const IlaTask& task, std::size_t place, const std::vector<char>& marked, IlaRules& rules, int threads,
             const StopFlag& stop)
      : task_(task), better_(task), place_(place), rules_(rules), threads_(threads), stop_(stop), likeness_(task.rows) {
    for (std::size_t row = 0; row < task.rows; ++row) {
      if (task.class_of[row] != cls())
        others_.push_back(static_cast<Row>(row));
      else if (!marked[row])
        unmarked_.push_back(static_cast<Row>(row));
    }
  }

  void run() {
    const std::size_t widest = std::max(task_.relevant[place_].size(), std::min<std::size_t>(task_.columns, 1));
    const std::size_t largest = task_.most_conditions ? std::min(widest, task_.most_conditions) : widest;
    std::vector<std::int32_t> columns;
    for (std::size_t c = 0; c < task_.columns; ++c) columns.push_back(static_cast<std::int32_t>(c));
    compare(columns);
    for (std::size_t size = 1; size <= largest && !hopeless(unmarked_); ++size) {
      if (size == 2 && columns != task_.relevant[place_]) {
        columns = task_.relevant[place_];
        compare(columns);
        if (hopeless(unmarked_)) break;
      }
      if (too_many(count_combinations(columns.size(), size, task_.most_combinations), size))
        throw TooManyCombinations(cls(), size, unmarked_.size() + alike_.size());
      const Combinations combinations(columns, size);
      task_.fast ? pass(combinations) : one_by_one(combinations);
    }
    for (const Row row : unmarked_) rules_.left.push_back(row);
    for (const Row row : alike_) rules_.left.push_back(row);
  }

 private:
  std::int32_t cls() const { return task_.order[place_]; }

  bool too_many(std::size_t combinations, std::size_t size) const {
    if (combinations > task_.most_combinations) return true;
    const std::size_t rows = unmarked_.size() + alike_.size() + others_.size();
    return size > 1 && task_.most_work > 0 && combinations * rows > task_.most_work;
  }

  // Which rows are like rows of other classes in these columns?
  void compare(const std::vector<std::int32_t>& columns) {
    const auto likeness = likeness_of(task_, columns, unmarked_, others_, stop_);
    for (std::size_t i = 0; i < unmarked_.size(); ++i) likeness_[unmarked_[i]] = likeness[i];
    if (task_.penalty_under != 0) return;
    // Where nothing may be covered wrongly, such rows would only be in the way.
    auto is_alike = [&](Row row) { return likeness_[row] > 0; };
    std::copy_if(unmarked_.begin(), unmarked_.end(), std::back_inserter(alike_), is_alike);
    std::erase_if(unmarked_, is_alike);
  }

  // Would even a description of all unmarked rows cost too much, whichever row it must hold?
  bool hopeless(const std::vector<Row>& rows) const {
    Units all = 0;
    for (const Row row : rows) all += task_.units(row);
    return std::all_of(rows.begin(), rows.end(), [&](Row row) { return better_.score(all, likeness_[row]) == 0; });
  }

  // The best, the first of equals, again and again. Marking rows only ever makes a candidate worse, so that the best of
  // the heap is the best of all once it has been counted again.
  void one_by_one(const Combinations& combinations) {
    auto worse = [&](const IlaCandidate& a, const IlaCandidate& b) { return better_(b, a); };
    while (!hopeless(unmarked_)) {
      Kept kept = good_candidates(task_, combinations, unmarked_, others_, nullptr, threads_, stop_);
      if (kept.best.empty()) return;
      Unmarked rows(task_, unmarked_);
      std::priority_queue heap(worse, std::move(kept.best));
      std::size_t since = 0;
      while (!heap.empty() && rows.left() > 0) {
        if ((++since & 1023) == 0) check(stop_);
        IlaCandidate top = heap.top();
        if (!kept.all && !better_(top, kept.bound)) break;
        heap.pop();
        combinations.columns_of(top.combination, columns_);
        const IlaCandidate before = top;
        rows.count_again(top, columns_);
        if (better_.score(top) == 0) continue;
        if (better_(before, top)) {
          heap.push(top);
          continue;
        }
        take(top, rows);
      }
      std::erase_if(unmarked_, [&](Row row) { return !rows.has(row); });
      if (kept.all) return;
    }
  }

  // The candidates as they rank at the start, each counted again when its turn comes.
  void pass(const Combinations& combinations) {
    const std::vector<Row> at_start = unmarked_;
    Unmarked rows(task_, at_start);
    IlaCandidate last;
    bool any = false, all = false;
    while (!all) {
      Kept kept = good_candidates(task_, combinations, at_start, others_, any ? &last : nullptr, threads_, stop_);
      all = kept.all || kept.best.empty();
      std::sort(kept.best.begin(), kept.best.end(), better_);
      for (IlaCandidate each : kept.best) {
        last = each;
        any = true;
        combinations.columns_of(each.combination, columns_);
        rows.count_again(each, columns_);
        if (better_.score(each) > 0) take(each, rows);
      }
    }
    std::erase_if(unmarked_, [&](Row row) { return !rows.has(row); });
  }

  void take(const IlaCandidate& best, Unmarked& rows) {
    rules_.cls.push_back(cls());
    rules_.covers.push_back(best.covers);
    rules_.wrong.push_back(best.wrong);
    for (const std::int32_t column : columns_) {
      rules_.column.push_back(column);
      rules_.code.push_back(task_.cell(best.first, static_cast<std::size_t>(column)));
    }
    rules_.start.push_back(static_cast<std::int64_t>(rules_.column.size()));
    rows.mark(best, columns_);
  }

  const IlaTask& task_;
  Ranking better_;
  std::size_t place_;
  IlaRules& rules_;
  int threads_;
  const StopFlag& stop_;
  std::vector<Row> unmarked_, alike_, others_;
  std::vector<Units> likeness_;        // [row]
  std::vector<std::int32_t> columns_;  // of the candidate at hand
};

}  // namespace

IlaRules learn_ila(const IlaTask& task, const std::vector<char>& marked, int threads, const StopFlag& stop) {
  IlaRules rules;
  for (std::size_t place = 0; place < task.order.size(); ++place)
    Describing(task, place, marked, rules, threads, stop).run();
  std::sort(rules.left.begin(), rules.left.end());
  return rules;
}

}  // namespace clearwood
