// The subset of a class's rules with the least description length: all subsets of a few rules, else by climbing.
#pragma once
#include <vector>

#include "core/rules/description_length.hpp"
#include "core/numeric/parallel.hpp"
#include "core/rules/rule_rows.hpp"

namespace clearwood {

struct RulesOfClass {
  const Bits& right;              // the rows of the class
  std::vector<const Word*> cover;  // [rule] the rows it takes
  std::vector<double> bits;       // [rule] to say it
};

struct SubsetSettings {
  double theory_weight;    // what a bit of the rules counts against one of the exceptions
  std::size_t exhaustive;  // up to this many rules every subset is tried
};

struct RuleSubset {
  std::vector<char> chosen;  // [rule]
  double bits = 0;
  double bits_of_none = 0, bits_of_all = 0;
};

RuleSubset best_subset(const RulesOfClass& rules, const RuleRows& rows, const DescriptionLength& length,
                       const SubsetSettings& settings, const StopFlag& stop);

}  // namespace clearwood
