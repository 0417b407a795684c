// The loop that all tree learners share.
#pragma once
#include "core/trees/grown.hpp"
#include "core/trees/learner.hpp"

namespace clearwood {

FlatTree grow(const Problem& problem, Learner& learner, int threads, const StopFlag& stop);

}  // namespace clearwood
