#include "core/trees/mdl_cuts.hpp"

#include <cmath>
#include <utility>

#include "core/trees/learner.hpp"
#include "core/numeric/sorting.hpp"
#include "core/trees/measure.hpp"

namespace clearwood {
namespace {

// The rows in order of their value; a step is a run of equal values.
struct Ladder {
  std::vector<std::uint32_t> classes;  // [position]
  std::vector<double> weights;         // [position]; empty where every row weighs 1
  std::vector<std::uint32_t> steps;    // first position of each step, and the end
  std::vector<double> values;          // [step]

  double weight(std::size_t position) const { return weights.empty() ? 1.0 : weights[position]; }
};

Ladder ladder_of(const Column& column, const ClassedRows& table, const StopFlag& stop) {
  Ladder made;
  if (table.rows == 0) return made;
  Problem problem;
  problem.rows = table.rows;
  problem.columns = {column};
  std::vector<Entry> entries(table.rows);
  std::vector<std::vector<Entry>> room(1);
  const auto sorted = sort_columns(problem, {0}, 0, true, entries.data(), room, 1, stop);
  std::uint32_t before = 0;
  for (const Entry entry : entries) {
    const auto rank = static_cast<std::uint32_t>(entry >> 32);
    if (rank == 0xFFFFFFFFu) break;  // empty cells come last
    const std::uint32_t row = instance_of(entry);
    const double weight = table.weight_of ? table.weight_of[row] : 1.0;
    if (table.class_of[row] < 0 || !(weight > 0.0)) continue;
    if (made.steps.empty() || rank != before) {
      made.steps.push_back(static_cast<std::uint32_t>(made.classes.size()));
      made.values.push_back(sorted[0].values[rank]);
    }
    before = rank;
    made.classes.push_back(static_cast<std::uint32_t>(table.class_of[row]));
    if (table.weight_of) made.weights.push_back(weight);
  }
  made.steps.push_back(static_cast<std::uint32_t>(made.classes.size()));
  return made;
}

// A region's weight by class, as its entropy needs it.
struct Region {
  double weight = 0.0;
  double entropy = 0.0;
  int classes = 0;
};

Region region_of(const std::vector<double>& counts) {
  Region region;
  double sum = 0.0;
  for (const double each : counts) {
    if (!(each > 0.0)) continue;
    region.weight += each;
    sum += xlog2x(each);
    ++region.classes;
  }
  if (region.classes > 1) region.entropy = std::log2(region.weight) - sum / region.weight;
  return region;
}

constexpr std::uint32_t mixed = 0xFFFFFFFFu;

// The one class of a step's rows, or `mixed`.
std::uint32_t class_of_step(const Ladder& ladder, std::size_t step) {
  const std::uint32_t first = ladder.classes[ladder.steps[step]];
  for (std::size_t i = ladder.steps[step]; i < ladder.steps[step + 1]; ++i)
    if (ladder.classes[i] != first) return mixed;
  return first;
}

// The bits per row that describe where the cut is and which classes are on its sides.
double charge(const Region& all, const Region& low, const Region& high) {
  const double classes = all.classes;
  const double class_bits = classes * std::log2(3.0) + std::log2(1.0 - 2.0 * std::pow(3.0, -classes));
  const double delta = class_bits - (classes * all.entropy - low.classes * low.entropy - high.classes * high.entropy);
  return (std::log2(std::max(all.weight - 1.0, 1.0)) + delta) / all.weight;
}

// The first step of the upper side; 0 where no cut pays for itself.
std::size_t best_cut(const Ladder& ladder, std::size_t begin, std::size_t end, std::vector<double>& low,
                     std::vector<double>& high) {
  std::fill(low.begin(), low.end(), 0.0);
  std::fill(high.begin(), high.end(), 0.0);
  for (std::size_t i = ladder.steps[begin]; i < ladder.steps[end]; ++i) high[ladder.classes[i]] += ladder.weight(i);
  const Region all = region_of(high);
  if (all.classes < 2) return 0;
  // Weights that are no whole numbers leave crumbs when subtracted: the number of rows left shows when a class has none.
  std::vector<std::uint32_t> left(high.size(), 0);
  for (std::size_t i = ladder.steps[begin]; i < ladder.steps[end]; ++i) ++left[ladder.classes[i]];
  double best = -INFINITY, best_charge = 0.0;
  std::size_t chosen = 0;
  std::uint32_t before = class_of_step(ladder, begin);
  for (std::size_t step = begin; step + 1 < end; ++step) {
    for (std::size_t i = ladder.steps[step]; i < ladder.steps[step + 1]; ++i) {
      const std::uint32_t cls = ladder.classes[i];
      low[cls] += ladder.weight(i);
      high[cls] = --left[cls] ? high[cls] - ladder.weight(i) : 0.0;
    }
    const std::uint32_t next = class_of_step(ladder, step + 1);
    const bool boundary = next == mixed || next != before;  // no better cut lies within one class's rows
    before = next;
    if (!boundary) continue;
    const Region below = region_of(low), above = region_of(high);
    const double gain = all.entropy - (below.weight * below.entropy + above.weight * above.entropy) / all.weight;
    if (!better(gain, best, all.entropy)) continue;
    best = gain;
    best_charge = charge(all, below, above);
    chosen = step + 1;
  }
  return chosen && better(best, best_charge, all.entropy) ? chosen : 0;
}

// Halfway, but never so near the upper value that it would fall below the cut too.
double between(double low, double high) {
  const double middle = low / 2 + high / 2;
  return middle >= low && middle < high ? middle : low;
}

}  // namespace

std::vector<double> mdl_cuts(const Column& column, const ClassedRows& table, const StopFlag& stop) {
  const Ladder ladder = ladder_of(column, table, stop);
  std::vector<double> cuts;
  if (ladder.values.empty()) return cuts;
  std::vector<double> low(static_cast<std::size_t>(table.classes)), high(low.size());
  std::vector<std::pair<std::size_t, std::size_t>> waiting{{0, ladder.values.size()}};
  while (!waiting.empty()) {
    check(stop);
    const auto [begin, end] = waiting.back();
    waiting.pop_back();
    const std::size_t cut = best_cut(ladder, begin, end, low, high);
    if (cut == 0) continue;
    cuts.push_back(between(ladder.values[cut - 1], ladder.values[cut]));
    waiting.emplace_back(begin, cut);
    waiting.emplace_back(cut, end);
  }
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace clearwood
