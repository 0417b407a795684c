// Beyond every number: where an interval has no end.
#pragma once
#include <limits>

namespace clearwood {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace clearwood
