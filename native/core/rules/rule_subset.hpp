// The subset of a class's rules with the least description length: all subsets of a few rules, else by climbing.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "core/numeric/bits.hpp"
#include "core/numeric/parallel.hpp"
#include "core/numeric/special.hpp"

namespace clearwood {

// The training rows as rules see them; each class a set of rows, every set with its weight.
class RuleRows {
 public:
  // class_of [row] lies in [0, classes); weight_of [row], null: all 1. The arrays must outlive it.
  RuleRows(std::size_t rows, std::size_t classes, const std::int32_t* class_of, const double* weight_of)
      : rows(rows), words(words_for(rows)), weight_of(weight_of), all(all_rows(rows)), of_class(classes, no_rows(rows)) {
    for (std::size_t row = 0; row < rows; ++row) put(of_class[static_cast<std::size_t>(class_of[row])], row);
  }

  // The weight of the rows of one word, the i-th.
  double weight(Word word, std::size_t i) const {
    if (!weight_of) return static_cast<double>(std::popcount(word));
    double sum = 0;
    for_each_row(word, i * 64, [&](std::size_t row) { sum += weight_of[row]; });
    return sum;
  }

  const std::size_t rows, words;
  const double* const weight_of;
  const Bits all;
  std::vector<Bits> of_class;
};

// Is one number below another by more than rounding?
inline bool below(double one, double two) {
  return one < two - 1e-10 * std::max(std::abs(two), std::numeric_limits<double>::min());
}

// The description length of a class's rules: bits to say them, and bits to name the rows they get wrong. Python twin:
// measures/description_length.py.
class DescriptionLength {
 public:
  // Counts up to `rows` are looked up; `whole`: there are no others.
  DescriptionLength(std::size_t rows, bool whole) {
    if (!whole) return;
    table_.resize(rows + 1);
    for (std::size_t n = 0; n <= rows; ++n) table_[n] = log_gamma(static_cast<double>(n) + 1) / std::numbers::ln2;
  }

  // log2 n! and log2 of n over k, which with the gamma function hold between whole numbers too.
  double factorial_bits(double n) const {
    const auto place = static_cast<std::size_t>(std::max(n, 0.0));
    return place < table_.size() ? table_[place] : log_gamma(std::max(n, 0.0) + 1) / std::numbers::ln2;
  }
  double choice_bits(double n, double k) const { return factorial_bits(n) - factorial_bits(k) - factorial_bits(n - k); }

  // False positives among what the rules cover, false negatives among the rest.
  double exception_bits(double covered, double false_positives, double rest, double false_negatives) const {
    return choice_bits(covered, false_positives) + choice_bits(rest, false_negatives);
  }

 private:
  std::vector<double> table_;  // [n] log2 n!; empty for counts that are not whole
};

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
