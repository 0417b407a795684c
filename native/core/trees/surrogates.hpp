// Surrogates: splits of other attributes that send rows as the chosen one does, for rows where it is missing.
#pragma once
#include <vector>

#include "core/trees/learner.hpp"

namespace clearwood {

// At most `count`, best first. A surrogate is kept if it agrees with the split on more weight than sending every row to the
// larger side would, counted over the rows the split decides (its own empty cells count against it), and if it sends at
// least two rows each way.
std::vector<SurrogateChoice> find_surrogates(const NodeView& node, const Candidate& choice, int count, int threads);

}  // namespace clearwood
