// An additive model by cyclic boosting: bags of rows, rounds over the terms, one small tree per step, tables out.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

constexpr int gam_bits = 20;  // scores, shares and gradients are whole numbers of units of 2^-20
constexpr double gam_unit = 1 << gam_bits;

struct GamSettings {
  int rounds = 1000;
  int patience = 30;
  int leaves = 8;
  double rate = 0.1;
  double l2 = 1.0;
  std::int64_t min_leaf = 4;  // drawn rows
  int smoothing = 0;          // rounds at first whose cuts fall by chance
};

// Sums of the first and second derivative over the drawn rows of a cell, in units.
struct alignas(16) GamSum {
  std::int64_t slope = 0;
  std::int64_t curve = 0;
};

// A term is a column, whose cells are in order or not, or a pair: a table of `wide` columns in which both are in order.
// The cells of a column end with those of missing and unseen; in order, a missing cell is a leaf of its own. In
// a pair `first` and `second` have the place of each cell among the cut positions, or -1 where it takes no step.
struct GamTerm {
  const std::uint16_t* codes = nullptr;  // [row]
  std::int32_t cells = 0;
  bool ordered = true;
  bool pair = false;
  std::int32_t wide = 0;
  std::vector<std::int32_t> first, second;
  int direction = 0;  // of a column in order: 1 if no step falls along its cells, -1 if none rises
};

struct GamScratch {
  std::vector<std::int32_t> order, cuts;
  std::vector<double> key, slopes, curves;
  std::vector<std::int64_t> times;
};

// The chance of a step's cuts, where they fall by chance.
struct GamChance {
  bool random = false;
  std::uint64_t key = 0;
};

// steps[cell], in units; `factor` is the rate, times (K - 1) / K of K classes. `counts[cell]` are drawn rows.
void gam_step(const GamTerm& term, const GamSettings& settings, double factor, const GamSum* sums,
              const std::int64_t* counts, const GamChance& chance, GamScratch& scratch, std::int32_t* steps);

// What four quadrants around the best cross cut off: sum of slope^2 / (curve + l2) over those with enough rows.
// Tables are row by row, places_a x places_b; the cross is (a, b): rows up to a, columns up to b.
struct GamCross {
  double gain = 0.0;
  std::int32_t a = -1, b = -1;
};
GamCross best_cross(const double* slopes, const double* curves, const std::int64_t* counts, std::int32_t places_a,
                    std::int32_t places_b, double l2, std::int64_t min_leaf, GamScratch& scratch);

enum class GamLoss : std::uint8_t { logistic, softmax, squared };

// Curves of the losses at scores from -16 to 16, a point each 1/128: made once, in Python, of whole numbers.
struct GamCurves {
  const std::int32_t* logistic = nullptr;    // [4097] the share, in units
  const std::int32_t* exponential = nullptr; // [2049] e^x for x from -16 to 0, in units of 2^-24
  const double* softplus = nullptr;          // [4097] ln(1 + e^s)
};

struct GamRows {
  std::size_t rows = 0;
  GamLoss loss = GamLoss::logistic;
  std::int32_t scores = 1;                  // K of softmax, else 1
  const std::int32_t* classes = nullptr;    // [row]
  const std::int64_t* numbers = nullptr;    // [row] of the squared loss, in units
  const double* weights = nullptr;          // [row], or none
  const double* cumulative = nullptr;       // [row] the weights' running sum, or none
  const std::int64_t* base = nullptr;       // [score] in units
};

// Bag b draws `draws` rows with replacement by key (seed, b, purpose); it judges the rows never drawn.
struct GamBags {
  std::int32_t bags = 1;
  std::size_t draws = 0;
  std::uint64_t seed = 0;
};

// Points that a bag's rows begin with, beside the base: those of terms boosted before. [bag][score][cells of all terms]
struct GamStart {
  std::vector<GamTerm> terms;
  const std::int64_t* points = nullptr;
};

struct GamBoosted {
  std::vector<std::int64_t> points;          // [bag][score][cells of all terms], in units
  std::int32_t best = 0;                     // rounds kept
  std::vector<double> losses;                // [round] mean loss of the rows, each by the bags that did not draw it; [0] before any round
  bool interrupted = false;                  // were there fewer rounds because `progress` was enough?
};

std::vector<std::int32_t> gam_times(const GamRows& rows, const GamBags& bags, std::int32_t bag);

// All bags go round by round, and the round is kept in which the mean of those that did not draw a row answers best: a bag
// alone varies more than their mean, and would stop too early. No more rounds are begun if `progress` is enough.
GamBoosted gam_boost(const GamRows& rows, const GamBags& bags, const GamCurves& curves, const GamStart& start,
                     const std::vector<GamTerm>& terms, const GamSettings& settings, int threads, Progress& progress,
                     const StopFlag& stop);

// [pair of terms, in order (0, 1), (0, 2), …] what four quadrants cut off the residual sum of squares. `residuals` [row][score]
// are in units, `places` [term][cell] the place of each cell among the cut positions, or -1.
std::vector<double> gam_rank(const GamRows& rows, const std::int64_t* residuals, const std::vector<GamTerm>& terms,
                             const std::vector<std::vector<std::int32_t>>& places, int threads, const StopFlag& stop);

// A model's scores: rows to cells, cells to points, points to sums.

// A column with its cells: intervals between cuts (low < x <= high) or values, then missing, then unseen.
struct CellSide {
  Column column;
  std::span<const double> cuts;

  std::size_t cells() const {
    return (column.numeric() ? cuts.size() + 1 : static_cast<std::size_t>(column.values)) + 2;
  }
  std::size_t at(std::size_t row) const;
};

// One column, or two: `points` is [score][cells of the first x cells of the second].
struct AdditiveTerm {
  std::vector<CellSide> sides;
  std::span<const double> points;
};

// [row][score] base, then the points of each term in turn.
void additive_scores(const std::vector<AdditiveTerm>& terms, std::span<const double> base, std::size_t rows,
                     double* scores, int threads, const StopFlag& stop);

}  // namespace clearwood
