// Groups merged by test: categories whose classes do not differ become one (Kass 1980; exhaustive: Biggs et al. 1991).
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/trees/learner.hpp"

namespace clearwood {

// The tests CHAID rests on: do groups of rows differ in their classes, or in their mean, by more than chance? A group is
// `width` numbers: a weight per class; or weight, mean and sum of squares about the mean.

enum class ChaidTest : std::uint8_t { pearson, likelihood_ratio, row_effects, anova };

struct Verdict {
  double statistic = 0.0;
  double p = 1.0;
  // How alike the groups are: p, or its logarithm where p is below 1e-290 and doubles no longer tell such p apart.
  double likeness = 1.0;
};

// A test's statistic before its p is looked up; with the same degrees of freedom a larger statistic has a smaller p.
struct Finding {
  double statistic = 0.0;
  double df = 0.0;
  double rest = 0.0;  // analysis of variance: the degrees of freedom within groups
};

Finding find(ChaidTest test, std::span<const double* const> groups, std::size_t width);
Verdict judge(ChaidTest test, const Finding& finding);
inline Verdict test_groups(ChaidTest test, std::span<const double* const> groups, std::size_t width) {
  return judge(test, find(test, groups, width));
}
void add_group(ChaidTest test, double* into, const double* other, std::size_t width);
double group_weight(ChaidTest test, const double* group, std::size_t width);

inline bool more_alike(double likeness, double than) { return likeness > than + tie * std::abs(than); }
inline bool less_alike(double likeness, double than) { return likeness < than - tie * std::abs(than); }

// The likeness of a p with this logarithm, and back.
double likeness_of(double p, double log_p);
double log_of(double likeness);

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

// More groups than this cannot be compared in pairs within reasonable time.
constexpr std::size_t most_groups = 10000;

// The groups that remain. Throws std::length_error where there are more than `most_groups` to compare.
Partition merge(const Categories& categories, const MergeRules& rules);

// The groups after those below `min_leaf`, the smallest first, have joined the group most like them.
Partition absorb(const Categories& categories, Partition groups, double min_leaf);

}  // namespace clearwood
