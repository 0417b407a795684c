#include "core/trees/joined_values.hpp"

#include <algorithm>
#include <numeric>

#include "core/trees/learner.hpp"
#include "core/trees/measure.hpp"

namespace clearwood {

std::vector<std::int32_t> join_values(const std::vector<double>& table, const std::vector<double>& weights,
                                      std::size_t classes, double missing, const StopFlag& stop) {
  const std::size_t values = weights.size();
  std::vector<double> counts(table), sizes(weights), bits(values), whole(classes, 0.0), pair(classes);
  std::vector<std::int32_t> group(values);
  std::iota(group.begin(), group.end(), 0);
  std::vector<std::size_t> alive(values);
  std::iota(alive.begin(), alive.end(), std::size_t{0});
  const double known = std::accumulate(weights.begin(), weights.end(), 0.0);
  auto bits_of = [&](const double* row, double weight) { return -purity(Measure::entropy, row, classes, weight); };
  double all_bits = 0.0, all_sizes = 0.0;
  for (std::size_t v = 0; v < values; ++v) {
    bits[v] = bits_of(counts.data() + v * classes, sizes[v]);
    all_bits += bits[v];
    all_sizes += xlog2x(sizes[v]);
    for (std::size_t c = 0; c < classes; ++c) whole[c] += counts[v * classes + c];
  }
  const double node_bits = bits_of(whole.data(), known);
  const double loose = xlog2x(known + missing) - xlog2x(missing);
  auto ratio = [&](double branch_bits, double branch_sizes) {
    const double split_bits = loose - branch_sizes;
    return split_bits > 1e-12 * known ? (node_bits - branch_bits) / split_bits : 0.0;
  };
  // What joining i and j adds to the bits and to the sizes; only the joined group's pairs change from step to step.
  struct Change {
    double bits, sizes;
  };
  std::vector<Change> changes(values * values);
  auto weigh = [&](std::size_t i, std::size_t j) {
    for (std::size_t c = 0; c < classes; ++c) pair[c] = counts[i * classes + c] + counts[j * classes + c];
    const double size = sizes[i] + sizes[j];
    changes[i * values + j] = {bits_of(pair.data(), size) - bits[i] - bits[j],
                               xlog2x(size) - xlog2x(sizes[i]) - xlog2x(sizes[j])};
  };
  for (std::size_t i = 0; i < values; ++i) {
    check(stop);
    for (std::size_t j = i + 1; j < values; ++j) weigh(i, j);
  }
  double current = ratio(all_bits, all_sizes);
  while (alive.size() > 2) {
    check(stop);
    double best = -1e300;
    for (std::size_t a = 0; a < alive.size(); ++a)
      for (std::size_t b = a + 1; b < alive.size(); ++b) {
        const Change& change = changes[alive[a] * values + alive[b]];
        best = std::max(best, ratio(all_bits + change.bits, all_sizes + change.sizes));
      }
    if (best < current - tie) break;
    // First of equals: the first pair within a tie of the best.
    std::size_t one = 0, two = 0;
    for (std::size_t a = 0; a < alive.size() && two == 0; ++a)
      for (std::size_t b = a + 1; b < alive.size() && two == 0; ++b) {
        const Change& change = changes[alive[a] * values + alive[b]];
        const double joined = ratio(all_bits + change.bits, all_sizes + change.sizes);
        if (joined < best - tie) continue;
        one = a;
        two = b;
        current = joined;
      }
    const std::size_t i = alive[one], j = alive[two];
    all_bits += changes[i * values + j].bits;
    all_sizes += changes[i * values + j].sizes;
    for (std::size_t c = 0; c < classes; ++c) counts[i * classes + c] += counts[j * classes + c];
    sizes[i] += sizes[j];
    bits[i] = bits_of(counts.data() + i * classes, sizes[i]);
    std::replace(group.begin(), group.end(), static_cast<std::int32_t>(j), static_cast<std::int32_t>(i));
    alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(two));
    for (const std::size_t other : alive)
      if (other != i) weigh(std::min(i, other), std::max(i, other));
  }
  for (std::size_t g = 0; g < alive.size(); ++g)
    std::replace(group.begin(), group.end(), static_cast<std::int32_t>(alive[g]), static_cast<std::int32_t>(g));
  return group;
}

}  // namespace clearwood
