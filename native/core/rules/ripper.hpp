// RIPPER: rules class by class, grown, pruned, and kept while they shorten the description (Cohen 1995).
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/counting/problem.hpp"

namespace clearwood {

struct RipperSettings {
  int folds = 3;
  double min_rows = 2;
  int optimizations = 2;
  bool prune = true;
  bool check_error = true;
  std::uint64_t seed = 1;
};

struct RipperTest {
  enum class Kind : std::uint8_t { equals, at_most, above };
  std::int32_t column = 0;
  Kind kind = Kind::equals;
  double value = 0;  // the code, or the limit
};

// One rule as it was grown, and how many of its tests pruning kept.
struct RipperDraft {
  enum class Kind : std::uint8_t { fresh, revision, replacement };
  Kind kind = Kind::fresh;
  std::size_t start = 0;  // tests it began with
  std::vector<RipperTest> grown;
  std::vector<double> gains;  // of the tests after the first `start`
  std::size_t kept = 0;
  double value_grown = 0, value = 0;  // on the rows held back, before and after pruning
  double length = 0;                  // of the description with this rule in place; optimising only
};

struct RipperStep {
  enum class Action : std::uint8_t {
    added, nothing_left, covers_none, half_wrong, too_long, kept, revised, replaced, deleted
  };
  Action action = Action::added;
  std::int32_t code = 0;  // the class
  int round = 0;
  std::size_t position = 0;
  double before = 0, after = 0;  // bits
  std::vector<RipperDraft> drafts;
};

struct RipperRules {
  struct Rule {
    std::int32_t code = 0;
    std::vector<RipperTest> tests;
  };
  std::vector<Rule> rules;
  std::int32_t otherwise = 0;       // the class of the rows no rule takes
  std::vector<std::int32_t> taken;  // [row] the first rule that takes it, −1 for none
  std::vector<RipperStep> steps;
};

// Description length, in bits (Cohen 1995, after Quinlan 1995): of a rule with so many tests of those possible, and of the
// rows that rules get wrong: `wrong` of the covered and `missed` of the uncovered. The larger side is coded at the rate it has
// if this share of the errors is on the covered one, the other with its own.
double rule_bits(std::size_t tests, double possible);
double exception_bits(double covered, double uncovered, double wrong, double missed, double share);

// Every row has a class and a positive weight; codes are below their column's number of values.
RipperRules ripper(const Problem& problem, const RipperSettings& settings, int threads, const StopFlag& stop);

}  // namespace clearwood
