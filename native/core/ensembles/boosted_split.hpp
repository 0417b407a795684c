// The best split of a boosted tree's node by one column, from the sums of its codes.
#pragma once
#include <cstdint>
#include <vector>

#include "core/counting/histograms.hpp"
#include "core/trees/limits.hpp"

namespace clearwood {

// A code that rows of the node have, and their sums.
struct Bin {
  std::uint32_t code;
  Sum sum;
};

struct GainRules {
  double l2 = 1, l1 = 0, min_child = 1;
  double min_value = 0;  // rows of a nominal value: rarer ones are not grouped
  double unit_g = 1, unit_h = 1;
  bool limited = false;  // are there monotone columns?

  double g(const Sum& sum) const { return static_cast<double>(sum.g) * unit_g; }
  double h(const Sum& sum) const { return static_cast<double>(sum.h) * unit_h; }
  // Newton's step, and what it takes off the loss (twice, as XGBoost has it).
  double step(const Sum& sum, double l2_here, const Bounds& limits) const;
  double gain(const Sum& sum, double l2_here, const Bounds& limits) const;
};

struct BoostedSplit {
  static constexpr double least_gain = 1e-6;  // as XGBoost: less is rounding
  double gain = least_gain;                   // a split gains more
  std::int32_t column = -1;
  bool grouped = false;                   // by groups of values, else by a cut: codes up to `last` go left
  std::uint32_t last = 0;
  std::vector<std::uint32_t> left, right;  // of groups: the codes, ascending
  bool missing_here = false;               // are there missing cells in the node?
  bool missing_left = false;               // where missing cells go, and values that no row here has
  Sum left_sum;                            // with the missing, where these go left
};

struct SplitColumn {
  // Up to so many values: one against the rest, which are all divisions there are.
  static constexpr std::uint32_t one_by_one = 3;
  std::int32_t place = 0;
  std::uint32_t known = 0;
  bool ordered = true;
  int monotone = 0;

  bool grouped() const { return !ordered && known > one_by_one; }
};

// The best split by one column if it is better than `best`: the first of equals stays. `bins` are ascending, without the
// missing cells' sum, which is given beside them; `total` is all of both. `bins` may be put into another order.
// `weight` is that of the node's rows.
void better_split(const SplitColumn& column, std::vector<Bin>& bins, Sum missing, const Sum& total, double weight,
                  const GainRules& rules, const Bounds& limits, BoostedSplit& best);

}  // namespace clearwood
