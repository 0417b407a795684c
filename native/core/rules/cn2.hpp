// CN2: rules one after another, each the best complex among the rows not yet covered.
#pragma once
#include "core/rules/beam_search.hpp"

namespace clearwood {

struct Cn2Settings {
  bool ordered = true;
  RuleMeasure measure = RuleMeasure::laplace;
  BeamSettings search;
  double min_rows = 1.0;
  double critical = -std::numeric_limits<double>::infinity();  // what a likelihood ratio must reach
};

LearnedRules learn_cn2(const Problem& problem, const Cn2Settings& settings, int threads, const StopFlag& stop);

}  // namespace clearwood
