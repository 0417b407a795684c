// Groups merged by test: categories whose classes do not differ become one (Kass 1980; exhaustive: Biggs et al. 1991).
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/trees/chaid_tests.hpp"

namespace clearwood {

// Groups of categories, each ascending, in order of their first.
using Partition = std::vector<std::vector<std::int32_t>>;

// The categories met at a node, in order of their codes; the missing, where there are any, come last.
struct Categories {
  ChaidTest test = ChaidTest::pearson;
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

// The groups' rows [group][width] of a partition.
std::vector<double> rows_of(const Categories& categories, const Partition& groups);
Verdict test_partition(const Categories& categories, const Partition& groups);

struct MergeRules {
  double alpha_merge = 0.05;
  double alpha_resplit = -1.0;  // below 0: groups are not split again
  bool exhaustive = false;
};

// p is above this level, rounding aside.
inline bool above(double likeness, double alpha) { return more_alike(likeness, alpha); }

// More groups than this cannot be compared in pairs within reasonable time.
constexpr std::size_t most_groups = 10000;

// The groups that remain. Throws std::length_error where there are more than `most_groups` to compare.
Partition merge(const Categories& categories, const MergeRules& rules);

// The groups after those below `min_leaf`, the smallest first, have joined the group most like them.
Partition absorb(const Categories& categories, Partition groups, double min_leaf);

}  // namespace clearwood
