#include "core/joined_values.hpp"

#include <algorithm>
#include <numeric>

#include "core/learner.hpp"
#include "core/measure.hpp"

namespace clearwood {

std::vector<std::int32_t> join_values(const std::vector<double>& table, const std::vector<double>& weights,
                                      std::size_t classes, double missing) {
  const std::size_t values = weights.size();
  std::vector<std::vector<double>> counts(values);
  std::vector<double> sizes(weights), bits(values);
  std::vector<std::vector<std::size_t>> members(values);
  std::vector<double> whole(classes, 0.0), pair(classes);
  const double known = std::accumulate(weights.begin(), weights.end(), 0.0);
  auto bits_of = [&](const std::vector<double>& row, double weight) {
    return -purity(Measure::entropy, row.data(), classes, weight);
  };
  double all_bits = 0.0, all_sizes = 0.0;
  for (std::size_t v = 0; v < values; ++v) {
    counts[v].assign(table.begin() + static_cast<std::ptrdiff_t>(v * classes),
                     table.begin() + static_cast<std::ptrdiff_t>((v + 1) * classes));
    members[v] = {v};
    bits[v] = bits_of(counts[v], sizes[v]);
    all_bits += bits[v];
    all_sizes += xlog2x(sizes[v]);
    for (std::size_t c = 0; c < classes; ++c) whole[c] += counts[v][c];
  }
  const double node_bits = bits_of(whole, known);
  const double loose = xlog2x(known + missing) - xlog2x(missing);
  auto ratio = [&](double branch_bits, double branch_sizes) {
    const double asked = loose - branch_sizes;
    return asked > 1e-12 * known ? (node_bits - branch_bits) / asked : 0.0;
  };
  double current = ratio(all_bits, all_sizes);
  while (counts.size() > 2) {
    // First of equals: the first pair within a tie of the best.
    std::vector<double> ratios;
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (std::size_t j = i + 1; j < counts.size(); ++j) {
        for (std::size_t c = 0; c < classes; ++c) pair[c] = counts[i][c] + counts[j][c];
        const double size = sizes[i] + sizes[j];
        ratios.push_back(ratio(all_bits - bits[i] - bits[j] + bits_of(pair, size),
                               all_sizes - xlog2x(sizes[i]) - xlog2x(sizes[j]) + xlog2x(size)));
      }
    const double best = *std::max_element(ratios.begin(), ratios.end());
    if (best < current - tie) break;
    std::size_t chosen = 0;
    while (ratios[chosen] < best - tie) ++chosen;
    current = ratios[chosen];
    std::size_t i = 0, row = counts.size() - 1;
    while (chosen >= row) chosen -= row--, ++i;
    const std::size_t j = i + 1 + chosen;
    for (std::size_t c = 0; c < classes; ++c) counts[i][c] += counts[j][c];
    all_bits -= bits[i] + bits[j];
    all_sizes -= xlog2x(sizes[i]) + xlog2x(sizes[j]);
    sizes[i] += sizes[j];
    bits[i] = bits_of(counts[i], sizes[i]);
    all_bits += bits[i];
    all_sizes += xlog2x(sizes[i]);
    members[i].insert(members[i].end(), members[j].begin(), members[j].end());
    const auto at = static_cast<std::ptrdiff_t>(j);
    counts.erase(counts.begin() + at);
    sizes.erase(sizes.begin() + at);
    bits.erase(bits.begin() + at);
    members.erase(members.begin() + at);
  }
  std::vector<std::int32_t> group(values);
  for (std::size_t g = 0; g < members.size(); ++g)
    for (const std::size_t v : members[g]) group[v] = static_cast<std::int32_t>(g);
  return group;
}

}  // namespace clearwood
