// Rules over rows: which rule takes each row first, what all that hold add up to, and whom each rule covers.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/rules/conditions.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// A rule is a run of conditions, all of which must hold; rules share conditions by number.
struct RulesView {
  std::size_t size;
  const std::int64_t* start;       // [rule + 1] into `condition`
  const std::int32_t* condition;   // [·]
};

// Throws std::invalid_argument where a rule names a condition that is not there.
void check_rules(const RulesView& rules, std::size_t conditions, std::size_t entries);

// first_rule [row]: the first rule that holds, or −1.
void first_rules(const Conditions& conditions, const RulesView& rules, std::size_t rows, std::int32_t* first_rule,
                 const StopFlag& stop);

// sums [row, width]: the `votes` [rule, width] of the rules that hold, added up; held [row]: how many hold.
void add_votes(const Conditions& conditions, const RulesView& rules, std::size_t rows, const double* votes,
               std::size_t width, double* sums, std::int32_t* held, const StopFlag& stop);

// covered [rule, classes], answered [rule + 1, classes]: weights by class of the rows that satisfy each rule, and of
// those it is the first to take (the last line: rows that none takes). A code outside [0, classes) is not counted.
void count_rules(const Conditions& conditions, const RulesView& rules, std::size_t rows, const std::int32_t* target,
                 const double* weights, std::size_t classes, double* covered, double* answered, const StopFlag& stop);

// shared [set, set]: weights (1 each if null) of the rows in both of two sets; sets [set, words] of `rows` rows as bits.
void count_shared(const Word* sets, std::size_t size, std::size_t rows, const double* weights, double* shared,
                  const StopFlag& stop);

}  // namespace clearwood
