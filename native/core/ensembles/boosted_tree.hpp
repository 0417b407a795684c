// A boosted tree: grown from the sums of gradients by code, level by level or the best leaf first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/counting/histograms.hpp"
#include "core/numeric/large_pages.hpp"
#include "core/numeric/parallel.hpp"
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

struct TreeRules {
  GainRules gain;
  int max_depth = -1;      // below zero: no limit
  std::size_t leaves = 0;  // the best leaf is split first, up to so many; 0: level by level
  const double* weights = nullptr;  // [row]; null: 1 each
  double gamma = 0;        // splits of less gain are cut once the tree is grown
  std::vector<std::vector<std::int32_t>> together;  // columns that may stand on one path; none: all may
};

struct BoostedNode {
  std::size_t begin = 0, end = 0;  // its rows, in the order of BoostedTree::index
  int depth = 0;
  std::int32_t left = -1, right = -1;
  Sum total;
  double weight = 0;  // of its rows, where a column's values are grouped
  Bounds limits;
  BoostedSplit split;                 // the best there is, taken where there are branches
  std::vector<std::uint8_t> to_left;  // [code], of groups
  std::vector<std::int32_t> asked;    // columns above, where few may stand together
  std::int32_t histogram = -1;        // its place among those kept while growing

  bool is_leaf() const { return left < 0; }
  bool goes_left(std::uint32_t code, std::uint32_t known) const {
    if (split.grouped) return to_left[code] != 0;
    return code == known ? split.missing_left : code <= split.last;
  }
};

struct BoostedTree {
  std::vector<BoostedNode> nodes;    // a node comes before its branches
  std::span<std::uint32_t> index;    // rows, those of a node side by side; of a leaf ascending
};

// Memory for trees that are grown one after the other from the same rows: to ask for it anew would take longer than to use it.
struct TreeRoom {
  LargeArray<std::uint32_t> index, divided;
  std::vector<std::unique_ptr<Sum[]>> histograms;
};

// Grows a tree from the rows listed (all of them where `sample` is null), ascending, and the columns listed. The tree's index
// lies in the room, until the next tree is grown there.
BoostedTree grow_boosted_tree(const CodedRows& coded, const RowSums& values, const std::vector<SplitColumn>& columns,
                              const TreeRules& rules, const std::vector<std::uint32_t>* sample, TreeRoom& room, int threads,
                              const StopFlag& stop);

}  // namespace clearwood
