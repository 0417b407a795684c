// The best cut of a numeric column at a node: one walk along its order.
#pragma once
#include <cstddef>
#include <vector>

#include "core/trees/learner.hpp"
#include "core/trees/measure.hpp"

namespace clearwood {

struct Cut {
  bool valid = false;
  std::size_t position = 0;    // how many known entries lie below it
  double purity = 0.0;         // of the two sides together
  std::size_t admissible = 0;  // how many cuts were allowed
};

// n·log2 n for whole n, so that a walk over unit weights takes no logarithm.
class LogTable {
 public:
  void fill(std::size_t up_to) {
    table_.resize(up_to + 1);
    for (std::size_t n = 0; n <= up_to; ++n) table_[n] = xlog2x(static_cast<double>(n));
  }
  const double* data() const { return table_.data(); }
  std::size_t size() const { return table_.size(); }

 private:
  std::vector<double> table_;
};

// How many rows of the node have a value, the first entries; 0 where they all have the same, so that nothing can be cut.
std::size_t known_to_cut(const NodeView& node, int attribute);

struct CutRules {
  Measure measure = Measure::gini;
  double least_left = 1, least_right = 1;  // weight each side must have
  double least = -1e300;                   // purity to beat
  double tolerance = 0;                    // by how much
  Limits limits;
};

// Classes. `first` [class] is weight that lies below every cut from the start (missing rows sent left).
Cut best_cut(const NodeView& node, int attribute, std::size_t known, const double* known_counts, const double* first,
             const CutRules& rules, const LogTable& logs, Scratch& scratch);

// Numbers by squared error; `first_weight` and `first_sum` lie below every cut, `centre` is taken from every number.
Cut best_cut_squared(const NodeView& node, int attribute, std::size_t known, double weight, double sum, double centre,
                     double first_weight, double first_sum, const CutRules& rules);

// Numbers by absolute error around the median. `count` entries take part, the first `known` in order; the rest, whose value is
// missing, lie below every cut or above.
Cut best_cut_absolute(const NodeView& node, int attribute, std::size_t known, std::size_t count, bool rest_below,
                      const CutRules& rules);
// Σ w·|y − median| of the first `count` entries.
double absolute_error(const NodeView& node, const Entry* entries, std::size_t count);

}  // namespace clearwood
