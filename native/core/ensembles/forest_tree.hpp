// One tree of a forest: grown depth first; a subtree of few rows is grown in the cache.
#pragma once
#include <cstdint>
#include <vector>

#include "core/ensembles/forest.hpp"
#include "core/ensembles/forest_order.hpp"
#include "core/ensembles/forest_rows.hpp"
#include "core/ensembles/forest_split.hpp"

namespace clearwood {

// A node, and the branch that leads into it. Nodes are in preorder: the left child comes next.
struct ForestNode {
  std::int32_t parent = -1;
  std::int32_t right = 0;       // the right child; 0: a leaf
  std::uint32_t column = 0;     // of the node's split
  std::uint32_t cut = 0;        // the last code that goes left; of a nominal split where its sides begin
  std::int8_t missing = -1;     // the side of missing cells; −1: as `otherwise`
  std::int8_t otherwise = -1;
  bool apart = false;           // what is known goes left, what is missing right
  double limit = 0;             // of a cut, as a number
  double left_share = 1, right_share = 1;  // of the branches of its split
};

struct ForestTree {
  std::size_t width = 0;
  std::vector<ForestNode> nodes;
  std::vector<double> counts;        // [node][width]
  std::vector<std::uint8_t> sides;   // of nominal splits: [code] 0, 1, or 2 where the value was not met
};

class ForestTreeGrower {
 public:
  ForestTreeGrower(const Problem& problem, const ForestRows& by_row, const RowDraws& draws, const ForestSettings& settings, const StopFlag& stop);
  // Tree number `tree`; `times()` then says how often each row was drawn.
  ForestTree grow(std::size_t tree);
  const std::vector<std::uint32_t>& times() const { return times_; }

 private:
  struct Waiting {
    std::size_t begin, count;
    int depth;
    std::int32_t parent;
    int branch;
    std::uint64_t key;
    std::size_t constants;
  };

  // A node's cut that is to be found between its last number below and this one above; where it was drawn, from there up.
  struct Unsettled {
    std::uint32_t node, above;
    bool drawn;
  };

  template <class Rows>
  void grow_from(Rows& rows, Waiting top);
  template <class Rows>
  void summarise(Rows& rows, const Waiting& node, double* counts) const;
  template <class Rows>
  bool find_split(Rows& rows, const Waiting& node, const double* counts);
  template <class Rows>
  void ask(Rows& rows, const Waiting& node, std::size_t column, const double* counts);
  // Not inlined: among what surrounds their calls the loops would run out of registers.
  template <class Rows>
  [[gnu::noinline]] void ask_drawn_cut(Rows& rows, const Waiting& node, std::size_t column, const double* counts);
  template <class Rows>
  [[gnu::noinline]] void sum_values(Rows& rows, const Waiting& node, std::size_t column, double mean);
  void set_rare_aside();
  template <class Rows>
  std::size_t part(Rows& rows, const Waiting& node, ForestNode& made);
  template <class Rows>
  void weigh(Rows& rows, const Waiting& node, ForestNode& made);

  double row_weight(std::uint32_t tag) const;
  void add(double* sums, std::uint32_t tag, double mean) const;
  bool may_split(const double* counts, int depth) const;
  double impurity(const double* counts) const;
  double limit_of(std::size_t column, double below_value, double above_value) const;
  void forget_constants(std::size_t down_to);
  void settle_cuts();

  const Problem& problem_;
  const std::vector<CodedColumn>& columns_;
  const RowDraws& draws_;
  const ForestSettings& settings_;
  const StopFlag& stop_;
  ForestMeasure measure_;
  bool whole_ = false;  // this tree: tags are class and weight, and Gini is exact
  std::size_t width_;
  std::vector<std::uint32_t> times_;
  Far far_;
  Near near_;
  ForestTree tree_;
  std::vector<Unsettled> unsettled_;
  std::size_t last_size_ = 0;  // nodes of the tree before
  std::vector<double> waiting_counts_;  // [waiting][width] of classes, found when their parent was parted
  std::vector<double> sums_;            // [side][class], then of the known cells alone
  ForestSplit best_;
  WholeCuts whole_cuts_;
  ValueSums values_;
  std::vector<std::uint32_t> ids_, tags_, table_, slot_of_;
  std::vector<std::uint8_t> sides_, side_of_;
  std::vector<std::uint32_t> order_, swaps_;      // of the columns; which were exchanged
  std::vector<std::uint32_t> constants_;          // columns that are constant from some node above on
  std::vector<std::uint8_t> is_constant_;
};

inline double ForestTreeGrower::row_weight(std::uint32_t tag) const { return times_[tag] * draws_.weight(tag); }

inline void ForestTreeGrower::add(double* sums, std::uint32_t tag, double mean) const {
  if (whole_) {
    sums[tag & 0xFFFF] += tag >> 16;
  } else if (measure_.numbers) {
    const double weight = row_weight(tag);
    sums[0] += weight;
    sums[1] += weight * (problem_.number_of[tag] - mean);
  } else {
    sums[problem_.class_of[tag]] += row_weight(tag);
  }
}

}  // namespace clearwood
