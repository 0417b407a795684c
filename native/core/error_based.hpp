// Error-based pruning: C4.5's, with subtree raising, on any tree of classes.
#pragma once
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "core/predict.hpp"

namespace clearwood {

// How pessimistic to be; the Python twin is measures/pessimistic.py.
struct Pessimism {
  double confidence;  // between 0 and 1
  double z;           // the normal deviate that belongs to it
  bool quinlan;       // where nearly all rows are errors, charge 0.67 of the rest
};

// Errors beyond the e made in n rows.
double extra_errors(double n, double e, const Pessimism& pessimism);

// What the pruner looks at: rows with their classes, and how counts become an answer.
struct LabelledRows {
  int64_t rows;
  const int32_t* class_of;  // [row]; a row of a code outside [0, classes) is left out
  const double* weight_of;  // [row]; null: all 1
  int32_t classes;
  const double* counts;     // [node, classes] of the tree before
  const double* factors;    // [class]; null: all 1
  const double* costs;      // [true class, called]; null: every mistake costs the same
};

struct ErrorBasedCut {
  int32_t node;
  int32_t child;   // the branch that took the node's place; −1: it became a leaf
  double subtree;  // expected errors of the subtree before …
  double after;    // … and of what replaced it
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

ErrorBased prune_error_based(const Walk& walk, const LabelledRows& rows, const Pessimism& pessimism,
                             const StopFlag& stop);

}  // namespace clearwood
