// What the growing loop asks of a learner: propose, choose, settle.
#pragma once
#include <cstdint>
#include <vector>

#include "core/trees/grown.hpp"
#include "core/trees/limits.hpp"
#include "core/trees/pack.hpp"

namespace clearwood {

// Scores closer than this part of the node's impurity are ties: rounding never decides.
constexpr double tie = 1e-10;
// Weights of at least a limit: shares of rows add up with rounding.
constexpr double slack = 1e-9;

inline bool better(double score, double best, double scale) { return score > best + tie * scale; }

// The rows of a node side by side, for counting: gathered once, used by every nominal attribute.
struct NodeRows {
  std::vector<std::uint32_t> rows;     // [position] row of the pack
  std::vector<std::uint32_t> classes;  // [position]
  std::vector<double> weights;         // [position]; empty where every row weighs 1
};

// A table [present value][class], the values in schema order.
struct ValueCounts {
  std::vector<std::int32_t> codes;
  std::vector<double> table;    // [codes.size()][classes]
  std::vector<double> weights;  // [codes.size()]
  std::vector<double> missing;  // [classes]
  double known = 0.0;
  double missing_weight = 0.0;
};

// A node about to be split.
struct NodeView {
  const Pack& pack;
  const Range& range;
  int depth;
  const double* counts;              // [width], weights with the priors' factors in them
  double weight;                     // their sum
  double total;                      // the root's
  const std::vector<char>& used;     // [attribute] nominal attributes already split on above this node
  const NodeRows& rows;
  const StopFlag& stop;              // long work on one attribute polls it
  Bounds bounds;                     // of what is limited
};

// Room that one thread uses again and again.
struct Scratch {
  std::vector<double> table, left, right, numbers;
  std::vector<std::uint32_t> tallies;
  ValueCounts values;
};

class Learner {
 public:
  virtual ~Learner() = default;
  virtual std::size_t scores_width() const = 0;
  virtual bool keep_values() const { return false; }  // does it need the sorted distinct values?
  // Called once before growing.
  virtual void begin(const Pack&) {}
  // Could a node with these counts, at this depth, be split at all?
  virtual bool may_split(const double* counts, double weight, int depth) const = 0;
  // The best split this attribute offers. Runs beside other attributes.
  virtual Candidate ask(const NodeView& node, int attribute, Scratch& scratch) const = 0;
  // Which of the offers (in schema order) to take; −1: none.
  virtual int choose(const NodeView& node, const std::vector<Candidate>& offers) const = 0;
  // The scores of the chosen one, from the counts [branch][class] of the rows that its branches take: by
  // `learners/trees/offers.py`, step by step. Of numbers they stay as they were found.
  virtual void score(const NodeView&, Candidate&, const std::vector<double>&) const {}
  // What is only worth computing for the chosen one: thresholds, surrogates, where strays go.
  virtual void settle(const NodeView&, Candidate&, int) const {}
};

// A learner by its settings, which have a depth (below zero: no limit).
template <class Settings>
class LearnerOf : public Learner {
 public:
  explicit LearnerOf(const Settings& settings) : settings_(settings) {}
  void begin(const Pack& pack) override { problem_ = &pack.problem(); }

 protected:
  bool deep_enough(int depth) const { return settings_.max_depth >= 0 && depth >= settings_.max_depth; }

  Settings settings_;
  const Problem* problem_ = nullptr;
};

// The loop that all tree learners share.
FlatTree grow(const Problem& problem, Learner& learner, int threads, const StopFlag& stop);

}  // namespace clearwood
