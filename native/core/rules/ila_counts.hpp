// Counting for ILA: every description of one size that is worth its cost, the best of them kept.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/rules/ila.hpp"

namespace clearwood {

using Row = std::uint32_t;

// A combination of columns with the values they have in row `first`, the first unmarked row that has them.
struct IlaCandidate {
  Units covers = 0, wrong = 0;
  std::uint32_t combination = 0;  // its place in lexicographic order
  Row first = 0;
};

// What makes one candidate better than another: score, then fewer rows covered wrongly, then the order of appearance.
class Ranking {
 public:
  explicit Ranking(const IlaTask& task) : over_(task.penalty_over), under_(task.penalty_under) {}
  // Above 0 for a good one. Sums of units fit a long a million times over; a penalty may be larger than that.
  Units score(Units covers, Units wrong) const {
    if (under_ == 0) return wrong > 0 ? 0 : covers;
    const __int128 score = static_cast<__int128>(under_) * covers - static_cast<__int128>(over_) * wrong;
    return score > 0 ? static_cast<Units>(score) : 0;
  }
  Units score(const IlaCandidate& each) const { return score(each.covers, each.wrong); }
  bool operator()(const IlaCandidate& a, const IlaCandidate& b) const {  // is a better than b?
    const Units one = score(a), two = score(b);
    if (one != two) return one > two;
    if (a.wrong != b.wrong) return a.wrong < b.wrong;
    return a.combination != b.combination ? a.combination < b.combination : a.first < b.first;
  }

 private:
  Units over_, under_;
};

// How many there are, or more than `limit`.
inline std::size_t count_combinations(std::size_t columns, std::size_t size, std::size_t limit) {
  if (size > columns) return 0;
  size = std::min(size, columns - size);
  unsigned __int128 count = 1;
  for (std::size_t i = 1; i <= size; ++i) {
    count = count * (columns - size + i) / i;
    if (count > limit) return limit + 1;
  }
  return static_cast<std::size_t>(count);
}

// The combinations of `size` out of some columns, in lexicographic order.
class Combinations {
 public:
  Combinations(std::vector<std::int32_t> columns, std::size_t size)
      : columns_(std::move(columns)), size_(size) {
    const std::size_t n = columns_.size();
    constexpr std::size_t no_limit = ~std::size_t{0} >> 8;
    for (std::size_t depth = 0; depth < size; ++depth) {
      std::vector<std::uint64_t> row(n + 1, 0);
      for (std::size_t place = 0; place < n; ++place)
        row[place + 1] = row[place] + count_combinations(n - 1 - place, size - depth - 1, no_limit);
      sums_.push_back(std::move(row));
    }
  }

  std::size_t size() const { return size_; }
  std::size_t columns() const { return columns_.size(); }
  std::int32_t column(std::size_t place) const { return columns_[place]; }
  // How many combinations come before those that choose `place` at this depth, of those that chose places below `from` so far.
  std::uint32_t before(std::size_t depth, std::size_t from, std::size_t place) const {
    const auto& row = sums_[depth];
    return static_cast<std::uint32_t>(row[place] - row[from]);
  }

  void columns_of(std::uint32_t combination, std::vector<std::int32_t>& out) const {
    out.clear();
    std::size_t from = 0;
    std::uint64_t rank = combination;
    for (std::size_t depth = 0; depth < size_; ++depth) {
      const auto& row = sums_[depth];
      std::size_t place = from;
      while (row[place + 1] - row[from] <= rank) ++place;
      rank -= row[place] - row[from];
      out.push_back(columns_[place]);
      from = place + 1;
    }
  }

 private:
  std::vector<std::int32_t> columns_;
  std::size_t size_;
  std::vector<std::vector<std::uint64_t>> sums_;  // [depth][place] combinations whose place there is a lower one
};

struct Kept {
  std::vector<IlaCandidate> best;  // the better ones, in no order
  bool all = true;              // else `bound` is the best that was let go
  IlaCandidate bound;
};

using RowSpan = std::span<const Row>;

// Keeps the best candidates of those put in; the rest only leave the best of them behind, as a bound.
class CandidateCollector {
 public:
  CandidateCollector(const IlaTask& task, const IlaCandidate* after)
      : better_(task), most_(std::max<std::size_t>(task.most_candidates, 1)), after_(after) {}

  void put(const IlaCandidate& each) {
    if (after_ && !better_(*after_, each)) return;
    if (!kept_.all && !better_(each, kept_.bound)) return;
    kept_.best.push_back(each);
    if (kept_.best.size() >= 2 * most_) shrink();
  }
  // Could anything that covers so much still be kept?
  bool wants(Units covers) const { return kept_.all || better_.score(covers, 0) >= better_.score(kept_.bound); }

  void take(CandidateCollector& other) {
    for (const IlaCandidate& each : other.kept_.best) put(each);
    if (!other.kept_.all) bound_by(other.kept_.bound);
  }
  Kept finish() {
    if (kept_.best.size() > most_) shrink();
    if (!kept_.all) std::erase_if(kept_.best, [&](const IlaCandidate& each) { return !better_(each, kept_.bound); });
    return std::move(kept_);
  }

 private:
  void shrink() {
    const auto middle = kept_.best.begin() + static_cast<std::ptrdiff_t>(most_);
    std::nth_element(kept_.best.begin(), middle, kept_.best.end(), better_);
    bound_by(*middle);
    kept_.best.resize(most_);
  }
  void bound_by(const IlaCandidate& each) {
    if (kept_.all || better_(each, kept_.bound)) kept_.bound = each;
    kept_.all = false;
  }

  Ranking better_;
  std::size_t most_;
  const IlaCandidate* after_;
  Kept kept_;
};

// RowSpan put side by side by their value in one column; only values that unmarked rows have.
struct ValueGroups {
  std::vector<std::int32_t> values;
  std::vector<std::uint32_t> mine, others;  // [group + 1] starts
  std::vector<Row> mine_rows, other_rows;
  std::vector<Row> any, joined;  // other classes' rows that may have any value; a group's with these
};

// Room for one thread.
struct CountingRoom {
  std::vector<Units> covers, wrong;   // [value]
  std::vector<std::uint32_t> place;   // [value] 1 + group, 0 where no unmarked row has it; all 0 between uses
  std::vector<Row> first;             // [value]
  std::vector<std::int32_t> touched;
  std::vector<ValueGroups> groups;         // [depth]
};

class Counting {
 public:
  Counting(const IlaTask& task, const Combinations& combinations, CandidateCollector& collector, CountingRoom& room, const StopFlag& stop)
      : task_(task), ranking_(task), combinations_(combinations), collector_(collector), room_(room), stop_(stop) {}

  // All combinations that begin with this place, and where `second` is given with that one next.
  void begin(std::size_t first, const std::size_t* second, RowSpan mine, RowSpan others) {
    if (!second) return count(first, combinations_.before(0, 0, first), mine, others);
    split(0, combinations_.column(first), mine, others);
    ValueGroups& here = room_.groups[0];
    for (std::size_t group = 0; group < here.values.size(); ++group)
      choose(1, *second, first + 1, combinations_.before(0, 0, first), mine_of(here, group), others_of(here, group));
  }

 private:
  static RowSpan mine_of(const ValueGroups& groups, std::size_t group) {
    return {groups.mine_rows.data() + groups.mine[group], groups.mine_rows.data() + groups.mine[group + 1]};
  }
  // Joined one group at a time: a list for each would grow with groups times rows.
  static RowSpan others_of(ValueGroups& groups, std::size_t group) {
    const Row* const begin = groups.other_rows.data() + groups.others[group];
    const Row* const end = groups.other_rows.data() + groups.others[group + 1];
    if (groups.any.empty()) return {begin, end};
    groups.joined.assign(begin, end);
    groups.joined.insert(groups.joined.end(), groups.any.begin(), groups.any.end());
    return groups.joined;
  }

  std::int32_t cell(Row row, std::int32_t column) const {
    return task_.cell(row, static_cast<std::size_t>(column));
  }

  // The combinations that have this place at this depth.
  void choose(std::size_t depth, std::size_t place, std::size_t from, std::uint32_t rank, RowSpan mine, RowSpan others) {
    if (!collector_.wants(weight(mine))) return;
    rank += combinations_.before(depth, from, place);
    if (depth + 1 == combinations_.size()) return count(place, rank, mine, others);
    check(stop_);
    split(depth, combinations_.column(place), mine, others);
    ValueGroups& here = room_.groups[depth];
    const std::size_t last = combinations_.columns() - (combinations_.size() - depth - 2);
    for (std::size_t group = 0; group < here.values.size(); ++group) {
      const RowSpan some = mine_of(here, group), against = others_of(here, group);
      for (std::size_t next = place + 1; next < last; ++next) choose(depth + 1, next, place + 1, rank, some, against);
    }
  }

  Units weight(RowSpan rows) const {
    if (!task_.units_of) return static_cast<Units>(rows.size());
    Units sum = 0;
    for (const Row row : rows) sum += task_.units_of[row];
    return sum;
  }

  // The last column of a combination: only sums are needed.
  void count(std::size_t place, std::uint32_t rank, RowSpan mine, RowSpan others) {
    const std::int32_t column = combinations_.column(place);
    auto& touched = room_.touched;
    touched.clear();
    for (const Row row : mine) {
      const std::int32_t value = cell(row, column);
      if (value < 0) continue;
      const auto at = static_cast<std::size_t>(value);
      if (!room_.place[at]) {
        room_.place[at] = 1;
        room_.covers[at] = room_.wrong[at] = 0;
        room_.first[at] = row;  // rows ascend
        touched.push_back(value);
      }
      room_.covers[at] += task_.units(row);
    }
    Units any = 0;
    if (!touched.empty()) {
      for (const Row row : others) {
        const std::int32_t value = cell(row, column);
        if (value >= 0)
          room_.wrong[static_cast<std::size_t>(value)] += task_.units(row);
        else if (task_.cautious)
          any += task_.units(row);
      }
    }
    for (const std::int32_t value : touched) {
      const auto at = static_cast<std::size_t>(value);
      room_.place[at] = 0;
      const IlaCandidate each{room_.covers[at], room_.wrong[at] + any, rank, room_.first[at]};
      if (ranking_.score(each) > 0) collector_.put(each);
    }
  }

  void split(std::size_t depth, std::int32_t column, RowSpan mine, RowSpan others) {
    ValueGroups& to = room_.groups[depth];
    to.values.clear();
    to.mine.assign(1, 0);
    for (const Row row : mine) {
      const std::int32_t value = cell(row, column);
      if (value < 0) continue;
      auto& place = room_.place[static_cast<std::size_t>(value)];
      if (!place) {
        to.values.push_back(value);
        to.mine.push_back(0);
        place = static_cast<std::uint32_t>(to.values.size());
      }
      ++to.mine[place];
    }
    to.others.assign(to.values.size() + 1, 0);
    to.any.clear();
    for (const Row row : others) {
      const std::int32_t value = cell(row, column);
      if (value < 0) {
        if (task_.cautious) to.any.push_back(row);
      } else if (const auto place = room_.place[static_cast<std::size_t>(value)]) {
        ++to.others[place];
      }
    }
    for (std::size_t group = 0; group < to.values.size(); ++group) {
      to.mine[group + 1] += to.mine[group];
      to.others[group + 1] += to.others[group];
    }
    to.mine_rows.resize(to.mine.back());
    to.other_rows.resize(to.others.back());
    mine_at_.assign(to.mine.begin(), to.mine.end());
    others_at_.assign(to.others.begin(), to.others.end());
    for (const Row row : mine) {
      const std::int32_t value = cell(row, column);
      if (value >= 0) to.mine_rows[mine_at_[room_.place[static_cast<std::size_t>(value)] - 1]++] = row;
    }
    for (const Row row : others) {
      const std::int32_t value = cell(row, column);
      if (value < 0) continue;
      if (const auto place = room_.place[static_cast<std::size_t>(value)])
        to.other_rows[others_at_[place - 1]++] = row;
    }
    for (const std::int32_t value : to.values) room_.place[static_cast<std::size_t>(value)] = 0;
  }

  const IlaTask& task_;
  Ranking ranking_;
  const Combinations& combinations_;
  CandidateCollector& collector_;
  CountingRoom& room_;
  const StopFlag& stop_;
  std::vector<std::uint32_t> mine_at_, others_at_;
};

constexpr std::size_t few_pairs = 64;  // pairs that are compared one by one

class Likeness {
 public:
  Likeness(const IlaTask& task, const std::vector<std::int32_t>& columns, std::vector<Units>& counts, const StopFlag& stop)
      : task_(task), columns_(columns), counts_(counts), stop_(stop) {}

  // Of rows that are alike in the columns before the one at this place.
  void compare(std::vector<Row> mine, std::vector<Row> others, std::size_t place) {
    if (mine.empty() || others.empty()) return;
    if (place == columns_.size() || mine.size() * others.size() <= few_pairs) {
      for (const Row row : mine)
        for (const Row other : others)
          if (alike(row, other, place)) counts_[row] += task_.units(other);
      return;
    }
    check(stop_);
    auto value = [&](Row row) { return std::max(cell(row, place), -1); };
    auto by_value = [&](Row a, Row b) { return value(a) < value(b); };
    std::stable_sort(mine.begin(), mine.end(), by_value);
    std::stable_sort(others.begin(), others.end(), by_value);
    const auto known = std::partition_point(others.begin(), others.end(), [&](Row row) { return value(row) < 0; });
    for (auto begin = mine.begin(); begin != mine.end();) {
      const std::int32_t here = value(*begin);
      const auto end = std::find_if(begin, mine.end(), [&](Row row) { return value(row) != here; });
      const auto [low, high] = std::equal_range(known, others.end(), *begin, by_value);
      std::vector<Row> like;
      if (here < 0 || task_.cautious) like.assign(others.begin(), known);
      like.insert(like.end(), here < 0 ? known : low, here < 0 ? others.end() : high);
      std::vector<Row> some(begin, end);
      if (end == mine.end()) {  // nobody needs these any more, and the way down may be long
        mine = {};
        others = {};
        return compare(std::move(some), std::move(like), place + 1);
      }
      compare(std::move(some), std::move(like), place + 1);
      begin = end;
    }
  }

 private:
  std::int32_t cell(Row row, std::size_t place) const {
    return task_.cell(row, static_cast<std::size_t>(columns_[place]));
  }
  // Do the known cells of this row say nothing against the other being like it, from this place on?
  bool alike(Row mine, Row other, std::size_t from) const {
    for (std::size_t place = from; place < columns_.size(); ++place) {
      const std::int32_t one = cell(mine, place), two = cell(other, place);
      if (one >= 0 && one != two && !(two < 0 && task_.cautious)) return false;
    }
    return true;
  }

  const IlaTask& task_;
  const std::vector<std::int32_t>& columns_;
  std::vector<Units>& counts_;
  const StopFlag& stop_;
};

// Every good description of these rows of one class, but at most `task.most_candidates`: those that rank best after
// `after`, where there is one.
inline Kept good_candidates(const IlaTask& task, const Combinations& combinations, const std::vector<Row>& unmarked,
                            const std::vector<Row>& others, const IlaCandidate* after, int threads, const StopFlag& stop) {
  const std::size_t size = combinations.size(), columns = combinations.columns();
  std::vector<std::pair<std::size_t, std::size_t>> jobs;  // the first two places
  for (std::size_t one = 0; one + size <= columns; ++one) {
    if (size == 1) jobs.emplace_back(one, 0);
    for (std::size_t two = one + 1; size > 1 && two + size - 1 <= columns; ++two) jobs.emplace_back(one, two);
  }
  std::size_t most_values = 1;
  for (const std::int32_t each : task.values) most_values = std::max(most_values, static_cast<std::size_t>(each));
  const auto workers = static_cast<std::size_t>(std::max(threads, 1));
  std::vector<CandidateCollector> collectors(workers, CandidateCollector(task, after));
  std::vector<CountingRoom> rooms(workers);
  run_parallel(jobs.size(), threads, [&](std::size_t job, int thread) {
    check(stop);
    CountingRoom& room = rooms[static_cast<std::size_t>(thread)];
    if (room.place.empty()) {
      room.covers.resize(most_values);
      room.wrong.resize(most_values);
      room.first.resize(most_values);
      room.place.resize(most_values, 0);
      room.groups.resize(size);
    }
    Counting counting(task, combinations, collectors[static_cast<std::size_t>(thread)], room, stop);
    counting.begin(jobs[job].first, size > 1 ? &jobs[job].second : nullptr, unmarked, others);
  });
  for (std::size_t i = 1; i < workers; ++i) collectors[0].take(collectors[i]);
  return collectors[0].finish();
}

// [unmarked row] The units of other classes' rows that no description of that row by these columns can tell from it.
inline std::vector<Units> likeness_of(const IlaTask& task, const std::vector<std::int32_t>& columns,
                               const std::vector<Row>& unmarked, const std::vector<Row>& others, const StopFlag& stop) {
  std::vector<Units> by_row(task.rows, 0);
  Likeness(task, columns, by_row, stop).compare(unmarked, others, 0);
  std::vector<Units> counts;
  for (const Row row : unmarked) counts.push_back(by_row[row]);
  return counts;
}

}  // namespace clearwood
