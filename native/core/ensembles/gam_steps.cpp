#include "core/ensembles/gam.hpp"

#include <cmath>

#include "core/numeric/chance.hpp"

namespace clearwood {
namespace {
constexpr double largest_step = 8.0;  // a leaf of one class would go on for ever
constexpr double value_smoothing = 10.0;  // values are put in order by slope / (curve + this), as LightGBM does

std::int32_t in_units(double factor, double slope, double curve, double l2) {
  const double newton = std::clamp(-slope / (curve + l2), -largest_step, largest_step);
  return static_cast<std::int32_t>(std::nearbyint(factor * newton * gam_unit));
}

double gain_of(double slope, double curve, double l2) { return slope * slope / (curve + l2); }

// How much of a step is taken: what chance alone would gain is left out (James and Stein). With so many leaves free to move,
// by a bag's rows, chance gains about three quarters of a unit for each.
constexpr double gain_by_chance = 0.75;
constexpr double free_of_cross = 5.0;       // three quadrants, and a pair that was sought among all
constexpr double free_of_best_cross = 9.0;  // and the cross that was sought
double beyond_chance(double gain, double free) { return gain > gain_by_chance * free ? 1.0 - gain_by_chance * free / gain : 0.0; }

// A run of cells [from, to) of the order, with its best cut.
struct StepRun {
  std::int32_t from, to;
  double slope, curve;
  std::int64_t count;
  double gain = 0.0;
  std::int32_t cut = -1;  // the right side begins here
};

// Do Newton's steps of two neighbours go against the direction?
bool turns(int direction, double left_slope, double left_curve, double right_slope, double right_curve, double l2) {
  if (direction == 0) return false;
  const double low = -left_slope / (left_curve + l2), high = -right_slope / (right_curve + l2);
  return direction > 0 ? high < low : high > low;
}

void find_cut(StepRun& run, const double* slopes, const double* curves, const std::int64_t* times,
              const GamSettings& settings, int direction) {
  const double l2 = settings.l2;
  const std::int64_t min_leaf = settings.min_leaf;
  const double whole = gain_of(run.slope, run.curve, l2);
  double slope = 0.0, curve = 0.0;
  std::int64_t count = 0;
  for (std::int32_t i = run.from; i + 1 < run.to; ++i) {
    slope += slopes[i];
    curve += curves[i];
    count += times[i];
    if (count < min_leaf) continue;
    if (run.count - count < min_leaf) break;
    const double gain = gain_of(slope, curve, l2) + gain_of(run.slope - slope, run.curve - curve, l2) - whole;
    if (gain > run.gain && !turns(direction, slope, curve, run.slope - slope, run.curve - curve, l2)) {
      run.gain = gain;
      run.cut = i + 1;
    }
  }
}

StepRun run_of(std::int32_t from, std::int32_t to, const double* slopes, const double* curves, const std::int64_t* times,
               const GamSettings& settings, int direction) {
  StepRun run{from, to, 0.0, 0.0, 0};
  for (std::int32_t i = from; i < to; ++i) {
    run.slope += slopes[i];
    run.curve += curves[i];
    run.count += times[i];
  }
  find_cut(run, slopes, curves, times, settings, direction);
  return run;
}

// Runs of the tree that always splits the run with most to gain.
std::vector<StepRun> best_runs(const GamSettings& settings, const double* slopes, const double* curves,
                               const std::int64_t* times, std::int32_t size, int direction) {
  std::vector<StepRun> runs{run_of(0, size, slopes, curves, times, settings, direction)};
  while (static_cast<int>(runs.size()) < settings.leaves) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < runs.size(); ++i)
      if (runs[i].gain > runs[best].gain) best = i;
    const StepRun run = runs[best];
    if (run.cut < 0) break;
    runs[best] = run_of(run.from, run.cut, slopes, curves, times, settings, direction);
    runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(best) + 1,
                run_of(run.cut, run.to, slopes, curves, times, settings, direction));
  }
  return runs;
}

// Runs between leaves - 1 cuts that fall by chance, each with enough rows.
std::vector<StepRun> chance_runs(std::uint64_t key, const GamSettings& settings, const double* slopes, const double* curves,
                             const std::int64_t* times, std::int32_t size, std::vector<std::int32_t>& cuts) {
  std::int64_t left = 0;
  for (std::int32_t i = 0; i < size; ++i) left += times[i];
  cuts.clear();
  if (size > 1)
    for (int k = 0; k + 1 < settings.leaves; ++k)
      cuts.push_back(1 + static_cast<std::int32_t>(below(key, static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(size) - 1)));
  cuts.push_back(size);
  std::sort(cuts.begin(), cuts.end());
  std::vector<StepRun> runs;
  StepRun run{0, 0, 0.0, 0.0, 0};
  for (const std::int32_t cut : cuts) {
    for (; run.to < cut; ++run.to) {
      run.slope += slopes[run.to];
      run.curve += curves[run.to];
      run.count += times[run.to];
    }
    if (cut < size && (run.count < settings.min_leaf || left - run.count < settings.min_leaf)) continue;
    left -= run.count;
    runs.push_back(run);
    run = StepRun{cut, cut, 0.0, 0.0, 0};
  }
  return runs;
}

// Neighbours whose steps go against the direction become one run (pool adjacent violators).
void pool(std::vector<StepRun>& runs, int direction, double l2) {
  std::size_t kept = 0;
  for (const StepRun& run : runs) {
    runs[kept++] = run;
    for (; kept > 1; --kept) {
      StepRun& left = runs[kept - 2];
      const StepRun& right = runs[kept - 1];
      if (!turns(direction, left.slope, left.curve, right.slope, right.curve, l2)) break;
      left.to = right.to;
      left.slope += right.slope;
      left.curve += right.curve;
      left.count += right.count;
    }
  }
  runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(kept), runs.end());
}

void column_step(const GamTerm& term, const GamSettings& settings, double factor, const GamSum* sums,
                 const std::int64_t* counts, const GamChance& chance, GamScratch& scratch, std::int32_t* steps) {
  const double l2 = settings.l2;
  const std::int32_t missing = term.cells - 2;
  auto& order = scratch.order;
  order.clear();
  for (std::int32_t cell = 0; cell < missing + (term.ordered ? 0 : 1); ++cell)
    if (counts[cell] > 0) order.push_back(cell);
  if (!term.ordered) {
    auto& key = scratch.key;
    key.assign(static_cast<std::size_t>(term.cells), 0.0);
    for (const std::int32_t cell : order)
      key[cell] = static_cast<double>(sums[cell].slope) / (static_cast<double>(sums[cell].curve) + value_smoothing * gam_unit);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return key[a] < key[b]; });
  }
  const auto size = static_cast<std::int32_t>(order.size());
  scratch.slopes.resize(order.size());
  scratch.curves.resize(order.size());
  scratch.times.resize(order.size());
  for (std::int32_t i = 0; i < size; ++i) {
    scratch.slopes[i] = static_cast<double>(sums[order[i]].slope) / gam_unit;
    scratch.curves[i] = static_cast<double>(sums[order[i]].curve) / gam_unit;
    scratch.times[i] = counts[order[i]];
  }
  const auto* slopes = scratch.slopes.data();
  const auto* curves = scratch.curves.data();
  const auto* times = scratch.times.data();
  auto runs = chance.random && term.ordered
                  ? chance_runs(chance.key, settings, slopes, curves, times, size, scratch.cuts)
                  : best_runs(settings, slopes, curves, times, size, term.direction);
  if (term.direction != 0) pool(runs, term.direction, l2);
  if (runs.size() > 1) {
    double gain = 0.0, slope = 0.0, curve = 0.0;
    for (const StepRun& run : runs) {
      gain += gain_of(run.slope, run.curve, l2);
      slope += run.slope;
      curve += run.curve;
    }
    gain -= gain_of(slope, curve, l2);
    // Values were put in order by their slopes: each of them was free to move.
    const double part = factor * beyond_chance(gain, static_cast<double>((term.ordered ? runs.size() : order.size()) - 1));
    for (const StepRun& run : runs) {
      const std::int32_t step = in_units(part, run.slope, run.curve, l2);
      if (term.ordered) {
        // Cells between two drawn ones belong to the run before the cut's midpoint: to the run on their left.
        const std::int32_t from = run.from == 0 ? 0 : order[run.from];
        const std::int32_t to = run.to == size ? missing : order[run.to];
        for (std::int32_t cell = from; cell < to; ++cell) steps[cell] = step;
      } else {
        for (std::int32_t i = run.from; i < run.to; ++i) steps[order[i]] = step;
      }
    }
  }
  if (term.ordered && counts[missing] >= settings.min_leaf) {
    const double slope = static_cast<double>(sums[missing].slope) / gam_unit;
    const double curve = static_cast<double>(sums[missing].curve) / gam_unit;
    steps[missing] = in_units(factor * beyond_chance(gain_of(slope, curve, l2), 1.0), slope, curve, l2);
  }
}

void pair_step(const GamTerm& term, const GamSettings& settings, double factor, const GamSum* sums,
               const std::int64_t* counts, const GamChance& chance, GamScratch& scratch, std::int32_t* steps) {
  const std::int32_t tall = term.cells / term.wide;
  const std::int32_t places_a = 1 + *std::max_element(term.first.begin(), term.first.end());
  const std::int32_t places_b = 1 + *std::max_element(term.second.begin(), term.second.end());
  if (places_a < 1 || places_b < 1) return;
  const std::size_t size = static_cast<std::size_t>(places_a) * static_cast<std::size_t>(places_b);
  scratch.slopes.assign(size, 0.0);
  scratch.curves.assign(size, 0.0);
  scratch.times.assign(size, 0);
  for (std::int32_t i = 0; i < tall; ++i) {
    if (term.first[i] < 0) continue;
    for (std::int32_t j = 0; j < term.wide; ++j) {
      if (term.second[j] < 0) continue;
      const std::int32_t cell = i * term.wide + j;
      const std::int32_t place = term.first[i] * places_b + term.second[j];
      scratch.slopes[place] += static_cast<double>(sums[cell].slope) / gam_unit;
      scratch.curves[place] += static_cast<double>(sums[cell].curve) / gam_unit;
      scratch.times[place] += counts[cell];
    }
  }
  GamCross cross;
  if (!chance.random)
    cross = best_cross(scratch.slopes.data(), scratch.curves.data(), scratch.times.data(), places_a, places_b, settings.l2,
                       settings.min_leaf, scratch);
  else if (places_a > 1 && places_b > 1)
    cross = {0.0, static_cast<std::int32_t>(below(chance.key, 0, static_cast<std::uint64_t>(places_a) - 1)),
             static_cast<std::int32_t>(below(chance.key, 1, static_cast<std::uint64_t>(places_b) - 1))};
  if (cross.a < 0) return;
  double slope[4] = {}, curve[4] = {};
  std::int64_t count[4] = {};
  for (std::int32_t i = 0; i < places_a; ++i) {
    for (std::int32_t j = 0; j < places_b; ++j) {
      const int quadrant = 2 * (i > cross.a) + (j > cross.b);
      slope[quadrant] += scratch.slopes[i * places_b + j];
      curve[quadrant] += scratch.curves[i * places_b + j];
      count[quadrant] += scratch.times[i * places_b + j];
    }
  }
  std::int32_t moved[4];
  double gain = 0.0;
  for (int q = 0; q < 4; ++q)
    if (count[q] >= settings.min_leaf) gain += gain_of(slope[q], curve[q], settings.l2);
  const double part = factor * beyond_chance(gain, chance.random ? free_of_cross : free_of_best_cross);
  for (int q = 0; q < 4; ++q) moved[q] = count[q] >= settings.min_leaf ? in_units(part, slope[q], curve[q], settings.l2) : 0;
  for (std::int32_t i = 0; i < tall; ++i)
    for (std::int32_t j = 0; j < term.wide; ++j)
      if (term.first[i] >= 0 && term.second[j] >= 0)
        steps[i * term.wide + j] = moved[2 * (term.first[i] > cross.a) + (term.second[j] > cross.b)];
}
}  // namespace

GamCross best_cross(const double* slopes, const double* curves, const std::int64_t* counts, std::int32_t places_a,
                    std::int32_t places_b, double l2, std::int64_t min_leaf, GamScratch& scratch) {
  // Running sums by column over the rows up to a; the totals by column first.
  auto& sums = scratch.key;
  const auto wide = static_cast<std::size_t>(places_b);
  sums.assign(6 * wide, 0.0);  // slope, curve, count: of all rows, of the rows so far
  for (std::int32_t i = 0; i < places_a; ++i)
    for (std::size_t j = 0; j < wide; ++j) {
      sums[j] += slopes[i * places_b + j];
      sums[wide + j] += curves[i * places_b + j];
      sums[2 * wide + j] += static_cast<double>(counts[i * places_b + j]);
    }
  const double least = static_cast<double>(min_leaf);
  GamCross best;
  for (std::int32_t a = 0; a + 1 < places_a; ++a) {
    double upper[3] = {}, lower[3] = {};  // the rows up to a, and those after, over all columns
    for (std::size_t j = 0; j < wide; ++j) {
      sums[3 * wide + j] += slopes[a * places_b + j];
      sums[4 * wide + j] += curves[a * places_b + j];
      sums[5 * wide + j] += static_cast<double>(counts[a * places_b + j]);
      for (std::size_t k = 0; k < 3; ++k) {
        upper[k] += sums[(3 + k) * wide + j];
        lower[k] += sums[k * wide + j] - sums[(3 + k) * wide + j];
      }
    }
    double one[3] = {}, two[3] = {};  // of these the columns up to b
    for (std::int32_t b = 0; b + 1 < places_b; ++b) {
      const auto j = static_cast<std::size_t>(b);
      for (std::size_t k = 0; k < 3; ++k) {
        one[k] += sums[(3 + k) * wide + j];
        two[k] += sums[k * wide + j] - sums[(3 + k) * wide + j];
      }
      double gain = 0.0;
      if (one[2] >= least) gain += gain_of(one[0], one[1], l2);
      if (upper[2] - one[2] >= least) gain += gain_of(upper[0] - one[0], upper[1] - one[1], l2);
      if (two[2] >= least) gain += gain_of(two[0], two[1], l2);
      if (lower[2] - two[2] >= least) gain += gain_of(lower[0] - two[0], lower[1] - two[1], l2);
      if (gain > best.gain) best = {gain, a, b};
    }
  }
  return best;
}

void gam_step(const GamTerm& term, const GamSettings& settings, double factor, const GamSum* sums,
              const std::int64_t* counts, const GamChance& chance, GamScratch& scratch, std::int32_t* steps) {
  std::fill(steps, steps + term.cells, 0);
  if (term.pair)
    pair_step(term, settings, factor, sums, counts, chance, scratch, steps);
  else
    column_step(term, settings, factor, sums, counts, chance, scratch, steps);
}

std::size_t CellSide::at(std::size_t row) const {
  if (!column.numeric()) {
    const std::int32_t code = column.code(row);
    const auto values = static_cast<std::size_t>(column.values);
    if (code == -1) return values;
    return code < 0 || code >= column.values ? values + 1 : static_cast<std::size_t>(code);
  }
  const double number = column.number(row);
  if (std::isnan(number)) return cuts.size() + 1;
  return numbers_below(cuts.data(), static_cast<std::int64_t>(cuts.size()), number);
}

void additive_scores(const std::vector<AdditiveTerm>& terms, std::span<const double> base, std::size_t rows,
                     double* scores, int threads, const StopFlag& stop) {
  constexpr std::size_t block = 4096;
  const std::size_t width = base.size();
  over_rows(rows, block, threads, stop, [&](std::size_t from, std::size_t to, int) {
    for (std::size_t r = from; r < to; ++r) std::copy(base.begin(), base.end(), scores + r * width);
    for (const AdditiveTerm& term : terms) {
      const std::size_t cells = term.points.size() / width;
      const std::size_t wide = term.sides.size() > 1 ? term.sides[1].cells() : 1;
      for (std::size_t r = from; r < to; ++r) {
        std::size_t cell = term.sides[0].at(r);
        if (term.sides.size() > 1) cell = cell * wide + term.sides[1].at(r);
        for (std::size_t s = 0; s < width; ++s) scores[r * width + s] += term.points[s * cells + cell];
      }
    }
  });
}

}  // namespace clearwood
