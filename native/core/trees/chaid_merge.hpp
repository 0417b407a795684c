// Groups merged by test: categories whose classes do not differ become one (Kass 1980; exhaustive: Biggs et al. 1991).
#pragma once
#include "core/trees/chaid_pairs.hpp"

namespace clearwood {

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
