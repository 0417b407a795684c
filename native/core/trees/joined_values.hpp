// Values joined while the gain ratio does not fall: fewer branches than values.
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"

namespace clearwood {

// table [value][class] → [value] the group each goes to; groups are numbered by their lowest value. From one group per
// value, the pair whose joining gives the best gain ratio is joined (first of equals), as long as it is no lower than before
// and two groups remain.
std::vector<std::int32_t> join_values(const std::vector<double>& table, const std::vector<double>& weights,
                                      std::size_t classes, double missing, const StopFlag& stop);

}  // namespace clearwood
