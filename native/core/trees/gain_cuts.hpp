// C4.5's best cut: by gain, with a dead band, counting the cuts that were allowed.
#pragma once
#include "core/trees/cuts.hpp"

namespace clearwood {

struct GainCutRules {
  double least_side = 2;   // weight each side must have
  double min_gap = 1e-5;   // values no farther apart count as equal
  double dead_band = 1e-6; // bits per row by which a cut must beat the best so far
  Limits limits;
};

// `purity` of the result is that of the two sides (entropy). `known_counts` [class] are the rows whose value is known.
Cut best_gain_cut(const NodeView& node, int attribute, std::size_t known, const double* known_counts,
                  const GainCutRules& rules, const LogTable& logs, Scratch& scratch);

}  // namespace clearwood
