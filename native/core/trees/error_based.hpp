// Error-based pruning: C4.5's, with subtree raising, on any tree of classes.
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/trees/walk.hpp"

namespace clearwood {

// The pessimistic error of C4.5: how many more errors than it made should a leaf be charged? The Python twin is
// measures/inference.py.
struct Pessimism {
  double confidence;  // between 0 and 1
  double z;           // the normal deviate that belongs to it
  bool quinlan;       // where nearly all rows are errors, charge 0.67 of the rest
};

// Errors beyond the e made in n rows.
double extra_errors(double n, double e, const Pessimism& pessimism);

// How a leaf's counts become an answer.
struct LeafVerdict {
  int32_t classes;
  const double* factors;  // [class]; null: all 1
  const double* costs;    // [true class, called]; null: every mistake costs the same
};

// The errors expected of a leaf with these counts [class].
double expected_errors(const double* counts, const LeafVerdict& verdict, const Pessimism& pessimism);

// What the pruner looks at: rows with their classes, and what the tree counted.
struct LabelledRows {
  int64_t rows;
  const int32_t* class_of;  // [row]; a row of a code outside [0, classes) is left out
  const double* weight_of;  // [row]; null: all 1
  const double* counts;     // [node, classes] of the tree before
};

struct ErrorBasedCut {
  int32_t node;
  int32_t child;   // the branch that took the node's place; −1: it became a leaf
  double subtree;  // expected errors of the subtree before …
  double after;    // … and of what replaced it
};

// What a subtree's expected errors add up from: a leaf, or a whole branch of it.
struct JudgedPart {
  int32_t node;
  uint8_t leaf;
  double errors;  // expected
};

// Every split that was judged, those that stayed too, in order; its parts are [part_start[i], branch_start[i]) as it
// was and [branch_start[i], part_start[i + 1]) with all its rows sent through its largest branch.
struct Judgements {
  std::vector<int32_t> node;
  std::vector<int32_t> largest;   // the node at the end of its largest branch
  std::vector<int32_t> became;    // that node: it was raised; −1: a leaf; −2: it stayed
  std::vector<double> as_leaf, subtree, as_branch;  // expected errors
  std::vector<double> counts;     // [judgement, classes]
  std::vector<int64_t> part_start{0}, branch_start;
  std::vector<JudgedPart> parts;
  std::vector<double> part_counts;  // [part, classes]
};

// The smaller tree as a choice of the larger one's nodes.
struct ErrorBased {
  std::vector<uint8_t> keep;         // [node]
  std::vector<uint8_t> leaf;         // [node]
  std::vector<int32_t> entered_as;   // [node] the node whose branch leads in
  std::vector<double> counts;        // [node, classes]
  std::vector<double> share;         // [node]
  std::vector<ErrorBasedCut> cuts;   // in the order they were made
};

// `judgements`, unless null, records every decision with the numbers it rests on.
ErrorBased prune_error_based(const Walk& walk, const LabelledRows& rows, const LeafVerdict& verdict,
                             const Pessimism& pessimism, const StopFlag& stop, Judgements* judgements = nullptr);

}  // namespace clearwood
