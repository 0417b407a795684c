// A round of boosting: a tree for each score, whose steps are added to the scores.
#pragma once
#include <cstdint>
#include <vector>

#include "core/ensembles/boosted_tree.hpp"
#include "core/ensembles/gradients.hpp"
#include "core/trees/grown.hpp"

namespace clearwood {

struct RoundRules {
  TreeRules tree;
  double rate = 0.1;
  std::vector<const double*> cuts;                // [column] of numbers; null for values
  std::vector<std::vector<SplitColumn>> columns;  // [score] that its tree may ask about
};

struct BoostedRound {
  std::vector<FlatTree> trees;  // [score]; `counts` are weight, step, 0
  RoundSizes before;            // the losses before the round
};

// Memory that the rounds of one boosting use again.
struct RoundRoom {
  TreeRoom tree;
  LargeArray<Word> answers;
};

// `sample`: the rows to learn from, ascending; null: all of them; `scores` [score, row] move.
BoostedRound boost(const CodedRows& coded, const BoostedRows& rows, const std::vector<std::uint32_t>* sample,
                   const RoundRules& rules, double* scores, RoundRoom& room, int threads, const StopFlag& stop);

}  // namespace clearwood
