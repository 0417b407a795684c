// RIPPER for one class against the rest: cover, optimise, cover again, and delete what only lengthens the description.
#pragma once
#include <cstdint>
#include <vector>

#include "core/rules/ripper.hpp"
#include "core/rules/ripper_dealer.hpp"
#include "core/rules/ripper_grow.hpp"

namespace clearwood {

struct Covering {
  std::vector<RipperTest> tests;
  RowList rows;  // alive ones that satisfy the tests
};

// What one class needs of the others: the columns, the grower and the dealer they share, and where steps are noted.
struct RipperShared {
  const std::vector<RankedColumn>& columns;
  const double* weights;
  const RipperSettings& settings;
  RuleGrower& grower;
  Dealer& dealer;
  std::vector<RipperStep>& steps;
};

// The rules of class `code`, whose rows are `positive`, among the rows that no rule of a rarer class takes.
std::vector<Covering> rules_of_class(const RipperShared& shared, const Bits& alive, const Bits& positive,
                                     std::int32_t code);

}  // namespace clearwood
