// One step of an additive model: from the sums of a column's or a pair's cells to what each cell is moved by.
#pragma once
#include <cstdint>
#include <vector>

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

}  // namespace clearwood
