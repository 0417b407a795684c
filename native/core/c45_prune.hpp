// C4.5's second half: collapse, then error-based pruning with subtree raising.
#pragma once
#include "core/grown.hpp"
#include "core/parallel.hpp"
#include "core/pessimistic.hpp"

namespace clearwood {

struct PruneSteps {
  bool collapse, prune, raise_subtrees;
};

void prune_c45(GrownTree& tree, const Problem& problem, const PruneSteps& steps, const ErrorEstimate& estimate,
               const StopFlag& stop);

}  // namespace clearwood
