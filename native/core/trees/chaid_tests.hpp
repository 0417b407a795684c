// The tests CHAID rests on: do groups of rows differ in their classes, or in their mean, by more than chance?
//
// A group is `width` numbers: a weight per class; or weight, mean and sum of squares about the mean.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/trees/learner.hpp"

namespace clearwood {

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

}  // namespace clearwood
