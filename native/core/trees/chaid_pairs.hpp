// The most alike pair of groups, kept up to date while groups join.
//
// Every group remembers its best partner among the later ones: all of them, or the next where groups are ordered. When
// two groups join, a group is tested against the joined one, and against all where its own partner has gone. That costs
// few tests and memory stays linear in the groups; p is looked up only where it could be the best.
#pragma once
#include <cstdint>
#include <vector>

#include "core/trees/chaid_tests.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// Groups of categories, each ascending, in order of their first.
using Partition = std::vector<std::vector<std::int32_t>>;

// The categories met at a node, in order of their codes; the missing, where there are any, come last.
struct Categories {
  Test test = Test::pearson;
  std::size_t width = 0;
  std::vector<double> rows;  // [category][width]
  std::size_t size = 0;
  bool ordered = false;
  bool has_missing = false;
  const StopFlag* stop = nullptr;  // merging thousands of values takes a while

  void poll() const {
    if (stop != nullptr) check(*stop);
  }
  bool floats() const { return ordered && has_missing; }
  const double* row(std::size_t category) const { return rows.data() + category * width; }
};

class GroupPairs {
 public:
  struct Pair {
    std::size_t first = 0, second = 0;  // named by their lowest category's place in the starting partition
    double likeness = 0.0;
  };

  GroupPairs(const Categories& categories, Partition groups);

  std::size_t size() const { return alive_; }
  Pair most_alike() const;
  void join(const Pair& pair);
  const std::vector<std::int32_t>& members(std::size_t group) const { return members_[group]; }
  Partition partition() const;
  Verdict test_all() const;

 private:
  Finding compare(std::size_t i, std::size_t j) const;
  void find_partner(std::size_t i);

  const Categories& categories_;
  std::size_t count_, alive_;
  Partition members_;                 // [group]; empty: joined to another
  std::vector<double> rows_;          // [group][width]
  std::vector<std::size_t> next_;     // [group] the next alive; count_ at the end
  std::vector<std::size_t> partner_;  // [group] count_: none
  std::vector<double> best_;          // [group] likeness to the partner
};

// The groups' rows [group][width] of a partition.
std::vector<double> rows_of(const Categories& categories, const Partition& groups);
Verdict test_partition(const Categories& categories, const Partition& groups);

}  // namespace clearwood
