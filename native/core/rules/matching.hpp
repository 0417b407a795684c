// Rules over rows: what their conditions ask, answered as bits; which rule takes each row first, what all that hold add up to,
// and whom each rule covers.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/bits.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// Of codes a set of them; of numbers low < x ≤ high (low = +∞: only an empty cell).
struct ConditionsView {
  std::size_t size;
  const std::int32_t* attribute;   // [condition]
  const double* low;               // [condition]
  const double* high;              // [condition]
  const bool* or_missing;          // [condition] does an empty cell satisfy it?
  const std::int64_t* set_start;   // [condition + 1]
  const std::int32_t* set_codes;   // [·] each set ascending
  std::size_t set_size;
};

// Conditions over a table's columns, checked. Throws std::invalid_argument where they do not fit each other.
class Conditions {
 public:
  Conditions(const ConditionsView& view, Columns cells);
  std::size_t size() const { return view_.size; }
  // out [words]: the rows of [first, first + rows) that satisfy the condition; `first` is a multiple of 64.
  void answer(std::size_t condition, std::size_t first, std::size_t rows, Word* out) const;

 private:
  ConditionsView view_;
  Columns cells_;
  std::vector<std::size_t> table_start_;  // [condition] where its table begins; it has one if it names several codes
  std::vector<std::uint8_t> tables_;      // [·] by code + 2: does it satisfy the condition?
};

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
void count_rules(const Conditions& conditions, const RulesView& rules, const ClassedRows& rows, double* covered,
                 double* answered, const StopFlag& stop);

// shared [set, set]: weights (1 each if null) of the rows in both of two sets; sets [set, words] of `rows` rows as bits.
void count_shared(const Word* sets, std::size_t size, std::size_t rows, const double* weights, double* shared,
                  const StopFlag& stop);

// The rows that fail at most one of a rule's conditions, whose bits these are: of each word of `rows`, calls none(word, i) with
// those that satisfy all conditions, and one(k, word, i) with those that fail the k-th alone. Eight words are taken at once: a
// condition that ends them all ends the look.
template <class None, class One>
void each_miss(std::span<const Word* const> conditions, const Bits& rows, None&& none, One&& one) {
  constexpr std::size_t block = 8;
  for (std::size_t first = 0; first < rows.size(); first += block) {
    const std::size_t size = std::min(block, rows.size() - first);
    Word failed_none[block] = {}, failed_one[block] = {};  // so far
    std::copy_n(rows.data() + first, size, failed_none);
    for (const Word* condition : conditions) {
      const Word* held = condition + first;
      Word any = 0;
      for (std::size_t i = 0; i < size; ++i) {
        failed_one[i] = (failed_one[i] & held[i]) | (failed_none[i] & ~held[i]);
        failed_none[i] &= held[i];
        any |= failed_one[i] | failed_none[i];
      }
      if (!any) break;
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (failed_none[i]) none(failed_none[i], first + i);
      for (std::size_t k = 0; failed_one[i]; ++k) {
        const Word failed = failed_one[i] & ~conditions[k][first + i];
        if (!failed) continue;
        one(k, failed, first + i);
        failed_one[i] ^= failed;
      }
    }
  }
}

// What the test of a rule's condition looks at: of the rows that satisfy the rule's other conditions, how many of each class
// satisfy this one too, and how many do not.

struct ConditionRows {  // [condition][word]: the rows that satisfy each condition
  const Word* bits = nullptr;
  std::size_t conditions = 0;
};

struct RuleMembers {  // rule r holds the conditions members[starts[r]] … members[starts[r + 1] − 1]
  std::span<const std::int64_t> starts;
  std::span<const std::int32_t> members;
};

// Fills counts [member][holds, does not][class], which begins as zeros. Throws std::invalid_argument where a code,
// a start or a member is out of range. Sums go in the order of the rows, whatever the number of threads.
void count_by_condition(const ConditionRows& satisfied, const RuleMembers& rules, const ClassedRows& truth, double* counts,
                        int threads, const StopFlag& stop);

}  // namespace clearwood
