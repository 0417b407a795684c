// Rule quality: how good is a complex, seen from the classes of the rows it covers and of all rows searched?
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "core/trees/learner.hpp"

namespace clearwood {

enum class RuleMeasure : std::uint8_t { laplace, entropy, wracc };

// The measure's figure and, among equals, the weight of the class that is answered.
struct RuleScore {
  double quality = -std::numeric_limits<double>::infinity();
  double right = 0.0;
  bool beats(const RuleScore& other) const {
    if (better(quality, other.quality, 1.0)) return true;
    return !better(other.quality, quality, 1.0) && better(right, other.right, other.right);
  }
};

// All there is to know of a complex: could it be a rule, and what might conditions still make of it?
struct RuleVerdict {
  RuleScore score, potential;
  bool enough = false, significant = false, likelier = false, pure = false;
  bool may_be_a_rule() const { return likelier && significant; }
};

class RuleQuality {
 public:
  // `goal` is the class that rules are sought for; below 0, a complex answers the majority of what it covers.
  RuleQuality(RuleMeasure measure, std::vector<double> before, int goal, double min_rows, double critical);
  int answer(const double* counts) const;
  RuleVerdict judge(const double* counts) const;  // [class]
  std::size_t classes() const { return before_.size(); }

 private:
  double expected(std::size_t answer, double covered) const { return covered * before_[answer] / total_; }
  RuleScore score(const double* counts, std::size_t answer, double covered) const;
  RuleScore potential(const double* counts) const;
  double likelihood_ratio(const double* counts, double covered) const;

  RuleMeasure measure_;
  std::vector<double> before_;
  double total_ = 0.0;
  int goal_;
  double min_rows_;
  double critical_;
};

}  // namespace clearwood
