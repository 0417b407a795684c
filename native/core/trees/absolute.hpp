// Absolute error around the median, kept up to date while rows move from one side of a cut to the other.
#pragma once
#include "core/trees/cuts.hpp"
#include "core/trees/learner.hpp"

namespace clearwood {

// Σ w·|y − median| of the first `count` entries.
double absolute_error(const NodeView& node, const Entry* entries, std::size_t count);

// `count` entries take part, the first `known` in order; the rest, whose value is missing, lie below every cut or above.
Cut best_cut_absolute(const NodeView& node, int attribute, std::size_t known, std::size_t count, bool rest_below,
                      const CutRules& rules);

}  // namespace clearwood
