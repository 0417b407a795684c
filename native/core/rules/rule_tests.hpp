// What the test of a rule's condition looks at: of the rows that satisfy the rule's other conditions, how many of
// each class satisfy this one too, and how many do not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/numeric/bits.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

struct ConditionRows {  // [condition][word]: the rows that satisfy each condition
  const Word* bits = nullptr;
  std::size_t conditions = 0;
  std::size_t rows = 0;
};

struct RuleMembers {  // rule r holds the conditions members[starts[r]] … members[starts[r + 1] − 1]
  std::span<const std::int32_t> starts;
  std::span<const std::int32_t> members;
};

struct ClassRows {
  const std::int32_t* target = nullptr;  // [row] a class
  const double* weights = nullptr;       // [row], or none: each counts 1
  std::int32_t classes = 0;
};

// Fills counts [member][holds, does not][class], which begins as zeros. Throws std::invalid_argument where a code,
// a start or a member is out of range. Sums go in the order of the rows, whatever the number of threads.
void count_by_condition(const ConditionRows& satisfied, const RuleMembers& rules, const ClassRows& truth, double* counts,
                        int threads, const StopFlag& stop);

}  // namespace clearwood
