#include "core/trees/gain_cuts.hpp"

#include <algorithm>

namespace clearwood {
namespace {

// Reads x·log2 x from the table where x is whole.
struct FromTable {
  const double* table;
  double operator()(double x) const { return table[static_cast<std::int64_t>(x)]; }
};
struct Computed {
  double operator()(double x) const { return xlog2x(x); }
};

// A cut whose score is put off: between two cuts with rows of one class only, the gain is convex, so it can beat
// neither end. Only if the far end beats the best are those in between looked at, in order.
struct PutOff {
  std::size_t position;
  double of_class, weight;  // below the cut: the class that grows, and all
};

template <bool Unit, class Log>
Cut walk(const NodeView& node, const Entry* entries, std::size_t known, const double* known_counts,
         const GainCutRules& rules, const double* values, Log log, Scratch& scratch) {
  const Pack& pack = node.pack;
  const auto classes = static_cast<std::size_t>(pack.problem().classes);
  auto& left = scratch.left;
  left.assign(classes, 0.0);
  double all = 0.0, before = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    all += known_counts[c];
    before += log(known_counts[c]);
  }
  before -= log(all);
  const double band = rules.dead_band * node.weight;
  Cut best;
  best.purity = before;

  const std::uint32_t class_mask = (1u << pack.class_bits()) - 1;
  const bool packed = pack.class_bits() > 0 || classes == 1;
  const int shift = 32 + pack.class_bits();
  auto class_at = [&](std::size_t i) {
    return packed ? static_cast<std::uint32_t>(entries[i] >> 32) & class_mask
                  : static_cast<std::uint32_t>(pack.class_of(instance_of(entries[i])));
  };
  // The purity of both sides; class c has `of_class` below the cut, the others as in `left`.
  auto score = [&](std::size_t c, double of_class, double weight) {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double below = k == c ? of_class : left[k];
      sum += log(below) + log(std::max(0.0, known_counts[k] - below));
    }
    return sum - log(weight) - log(std::max(0.0, all - weight));
  };
  auto offer = [&](double purity, std::size_t position) {
    if (purity > best.purity + band) {
      best.purity = purity;
      best.valid = true;
      best.position = position;
    }
  };

  std::vector<PutOff> waiting;
  std::size_t waiting_class = 0;
  auto settle = [&] {
    const PutOff& last = waiting.back();
    if (score(waiting_class, last.of_class, last.weight) > best.purity + band)
      for (const PutOff& each : waiting) offer(score(waiting_class, each.of_class, each.weight), each.position);
    waiting.clear();
  };
  constexpr std::size_t none = static_cast<std::size_t>(-1), mixed = none - 1;
  std::size_t since = mixed;  // the one class met since the last cut that was scored; at first, score at once
  double weight = 0.0;
  for (std::size_t i = 0; i + 1 < known; ++i) {
    const std::size_t c = class_at(i);
    if (c != since) {
      if (!waiting.empty()) {
        // Rows of the old class after the last cut share their value with what comes: the next stretch is mixed.
        const bool at_cut = waiting.back().position == i;
        settle();
        since = at_cut ? none : mixed;
      }
      since = since == none ? c : mixed;
    }
    const double w = Unit ? 1.0 : pack.weight(instance_of(entries[i]));
    left[c] += w;
    weight += w;
    const auto here = entries[i] >> shift, next = entries[i + 1] >> shift;
    if (here == next || weight < rules.least_side) continue;
    if (all - weight < rules.least_side) break;
    if (!(values[here] + rules.min_gap < values[next])) continue;
    if (rules.limits.apply) {
      const double last = left[classes - 1];
      if (!rules.limits.admit(last / weight, (known_counts[classes - 1] - last) / (all - weight))) continue;
    }
    ++best.admissible;
    // Where cuts are left out, an end that is admitted need not be near: none is put off.
    if (since < mixed && !rules.limits.apply) {
      waiting.push_back({i + 1, left[c], weight});
      waiting_class = c;
    } else {
      offer(score(c, left[c], weight), i + 1);
      since = none;
    }
  }
  if (!waiting.empty()) settle();
  return best;
}

}  // namespace

Cut best_gain_cut(const NodeView& node, int attribute, std::size_t known, const double* known_counts,
                  const GainCutRules& rules, const LogTable& logs, Scratch& scratch) {
  const Entry* entries = node.pack.entries(node.range, attribute);
  const double* values = node.pack.values(attribute).data();
  if (node.pack.unit() && logs.size() > 0)
    return walk<true>(node, entries, known, known_counts, rules, values, FromTable{logs.data()}, scratch);
  if (node.pack.unit()) return walk<true>(node, entries, known, known_counts, rules, values, Computed{}, scratch);
  return walk<false>(node, entries, known, known_counts, rules, values, Computed{}, scratch);
}

}  // namespace clearwood
