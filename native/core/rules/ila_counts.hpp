// Counting for ILA: every description of one size that is worth its cost, the best of them kept.
#pragma once
#include <cstdint>
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

// The combinations of `size` out of some columns, in lexicographic order.
class Combinations {
 public:
  Combinations(std::vector<std::int32_t> columns, std::size_t size);
  std::size_t size() const { return size_; }
  std::size_t columns() const { return columns_.size(); }
  std::int32_t column(std::size_t place) const { return columns_[place]; }
  // How many combinations come before those that choose `place` at this depth, of those that chose places below `from` so far.
  std::uint32_t before(std::size_t depth, std::size_t from, std::size_t place) const {
    const auto& row = sums_[depth];
    return static_cast<std::uint32_t>(row[place] - row[from]);
  }
  void columns_of(std::uint32_t combination, std::vector<std::int32_t>& out) const;

 private:
  std::vector<std::int32_t> columns_;
  std::size_t size_;
  std::vector<std::vector<std::uint64_t>> sums_;  // [depth][place] combinations whose place there is a lower one
};

// How many there are, or more than `limit`.
std::size_t count_combinations(std::size_t columns, std::size_t size, std::size_t limit);

struct Kept {
  std::vector<IlaCandidate> best;  // the better ones, in no order
  bool all = true;              // else `bound` is the best that was let go
  IlaCandidate bound;
};

// Every good description of these rows of one class, but at most `task.most_candidates`: those that rank best after
// `after`, where there is one.
Kept good_candidates(const IlaTask& task, const Combinations& combinations, const std::vector<Row>& unmarked,
                     const std::vector<Row>& others, const IlaCandidate* after, int threads, const StopFlag& stop);

// [unmarked row] The units of other classes' rows that no description of that row by these columns can tell from it.
std::vector<Units> likeness_of(const IlaTask& task, const std::vector<std::int32_t>& columns,
                               const std::vector<Row>& unmarked, const std::vector<Row>& others, const StopFlag& stop);

}  // namespace clearwood
