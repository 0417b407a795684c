// The description length of a class's rules: bits to say them, and bits to name the rows they get wrong.
#pragma once
#include <cstddef>
#include <vector>

namespace clearwood {

// Python twin: measures/description_length.py.
class DescriptionLength {
 public:
  // Counts up to `rows` are looked up; `whole`: there are no others.
  DescriptionLength(std::size_t rows, bool whole);

  // log2 n! and log2 of n over k, which with the gamma function hold between whole numbers too.
  double factorial_bits(double n) const;
  double choice_bits(double n, double k) const;

  // False positives among what the rules cover, false negatives among the rest.
  double exception_bits(double covered, double false_positives, double rest, double false_negatives) const {
    return choice_bits(covered, false_positives) + choice_bits(rest, false_negatives);
  }

 private:
  std::vector<double> table_;  // [n] log2 n!; empty for counts that are not whole
};

}  // namespace clearwood
