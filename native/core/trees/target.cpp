#include "core/trees/target.hpp"

#include <charconv>
#include <numeric>

namespace clearwood {

bool is_pure(const Problem& problem, const double* counts) {
  if (problem.classes == 0) return counts[2] <= 0.0;  // exactly 0 where all numbers are equal
  int present = 0;
  for (std::int32_t c = 0; c < problem.classes; ++c) present += counts[c] > 0.0;
  return present < 2;
}

double raw_weight(const Problem& problem, const double* counts, double weight) {
  if (problem.factors.empty()) return weight;
  double sum = 0.0;
  for (std::int32_t c = 0; c < problem.classes; ++c) sum += counts[c] / problem.factors[static_cast<std::size_t>(c)];
  return sum;
}

double node_impurity(const Problem& problem, Measure measure, const double* counts, double weight) {
  if (problem.classes == 0) return weight > 0 ? counts[2] / weight : 0.0;
  return impurity(measure, counts, static_cast<std::size_t>(problem.classes), weight);
}

double half_way(double below, double above) {
  const double middle = below / 2 + above / 2;
  return middle < above ? middle : below;
}

double midpoint(double below, double above) {
  const double middle = half_way(below, above);
  // Half-way between 24.05 and 24.07 is 24.06, not 24.060000000000002: to fifteen digits, where that still parts the two.
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, middle, std::chars_format::general, 15);
  double tidy = middle;
  std::from_chars(text, written.ptr, tidy);
  return below <= tidy && tidy < above ? tidy : middle;
}

int larger_branch(const NodeView& node, const Candidate& choice) {
  const Pack& pack = node.pack;
  const Column& column = pack.problem().columns[static_cast<std::size_t>(choice.attribute)];
  double taken[2] = {0, 0};
  if (column.numeric()) {
    const Entry* entries = pack.entries(node.range, choice.attribute);
    const std::size_t known = pack.known(node.range, choice.attribute);
    if (pack.unit()) {
      const auto below = std::partition_point(entries, entries + known,
                                              [&](Entry e) { return pack.rank(e) <= choice.cut_rank; }) - entries;
      return known - static_cast<std::size_t>(below) > static_cast<std::size_t>(below) ? 1 : 0;
    }
    for (std::size_t i = 0; i < known; ++i)
      taken[pack.rank(entries[i]) > choice.cut_rank] += pack.weight(instance_of(entries[i]));
  } else {
    const std::uint32_t* list = pack.instances(node.range);
    for (std::size_t i = 0; i < node.range.size; ++i) {
      const std::int32_t code = pack.code(list[i], choice.attribute);
      if (code < 0) continue;
      const std::int32_t branch = choice.branch_of[static_cast<std::size_t>(code)];
      if (branch >= 0) taken[branch] += pack.weight(list[i]);
    }
  }
  return taken[1] > taken[0] + slack ? 1 : 0;
}

TargetSums::TargetSums(const NodeView& node, int attribute, std::size_t known_entries, Measure measure)
    : node_(node), attribute_(attribute), known_size_(known_entries), measure_(measure) {
  const Pack& pack = node.pack;
  const Problem& problem = pack.problem();
  const bool numbers = problem.classes == 0;
  const std::size_t width = numbers ? 2 : static_cast<std::size_t>(problem.classes);
  const Entry* entries = pack.entries(node.range, attribute);
  nothing.assign(width, 0.0);
  missing.assign(width, 0.0);
  const auto add = [&](std::size_t i, std::vector<double>& sums) {
    const std::uint32_t instance = instance_of(entries[i]);
    const double weight = pack.weight(instance);
    if (numbers) {
      sums[0] += weight;
      sums[1] += weight * (pack.number_of(instance) - node.counts[1]);
    } else {
      sums[static_cast<std::size_t>(pack.class_of(instance))] += weight;
    }
  };
  for (std::size_t i = known_entries; i < node.range.size; ++i) add(i, missing);
  all.assign(width, 0.0);
  if (numbers) {
    // Counted afresh from the known rows: what rounding leaves of a difference would decide between cuts.
    for (std::size_t i = 0; i < known_entries; ++i) add(i, all);
    known = all;
    for (std::size_t k = 0; k < width; ++k) all[k] += missing[k];
  } else {
    all.assign(node.counts, node.counts + width);
    known = all;
    for (std::size_t c = 0; c < width; ++c) known[c] = std::max(0.0, known[c] - missing[c]);
  }
  impurity = node_impurity(problem, measure, node.counts, node.weight);
  if (measure == Measure::absolute) {
    purity_known = -absolute_error(node, entries, known_entries);
    purity_all = -absolute_error(node, entries, node.range.size);
  } else {
    purity_known = purity_of(known);
    purity_all = purity_of(all);
  }
}

double TargetSums::purity_of(const std::vector<double>& sums) const {
  if (node_.pack.problem().classes > 0)
    return purity(measure_, sums.data(), sums.size(), std::accumulate(sums.begin(), sums.end(), 0.0));
  return sums[0] > 0 ? sums[1] * sums[1] / sums[0] : 0.0;
}

double TargetSums::purity_missing() const {
  if (measure_ != Measure::absolute) return purity_of(missing);
  const Entry* entries = node_.pack.entries(node_.range, attribute_);
  return -absolute_error(node_, entries + known_size_, node_.range.size - known_size_);
}

Cut TargetSums::best_cut(const std::vector<double>& above, const std::vector<double>& first, const CutRules& rules,
                         const LogTable& logs, Scratch& scratch) const {
  switch (measure_) {
    case Measure::squared:
      return best_cut_squared(node_, attribute_, known_size_, above[0], above[1], node_.counts[1], first[0], first[1],
                              rules);
    case Measure::absolute: {
      const std::size_t with_missing = node_.range.size;
      const bool missing_above = &above == &all, missing_below = &first == &missing;
      return best_cut_absolute(node_, attribute_, known_size_, missing_above || missing_below ? with_missing : known_size_,
                               missing_below, rules);
    }
    default:
      return clearwood::best_cut(node_, attribute_, known_size_, above.data(), first.data(), rules, logs, scratch);
  }
}

}  // namespace clearwood
