#include "core/trees/target.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/trees/cuts.hpp"
#include "core/trees/learner.hpp"

namespace clearwood {
namespace {

// Absolute error around the median, kept up to date while rows move from one side of a cut to the other.

// A Fenwick tree over the node's distinct numbers: weight and weight × number up to any of them, in log time.
class Side {
 public:
  explicit Side(const std::vector<double>& numbers)
      : numbers_(numbers), weights_(numbers.size() + 1, 0.0), sums_(numbers.size() + 1, 0.0) {}

  void add(std::size_t index, double weight) {
    weight_ += weight;
    sum_ += weight * numbers_[index];
    for (std::size_t i = index + 1; i < weights_.size(); i += i & (~i + 1)) {
      weights_[i] += weight;
      sums_[i] += weight * numbers_[index];
    }
  }
  double weight() const { return weight_; }

  double error() const {
    if (!(weight_ > 0.0)) return 0.0;
    std::size_t at = 0;
    double weight = 0.0, sum = 0.0;
    for (std::size_t step = std::bit_floor(numbers_.size()); step > 0; step /= 2) {
      if (at + step < weights_.size() && weight + weights_[at + step] < weight_ / 2) {
        at += step;
        weight += weights_[at];
        sum += sums_[at];
      }
    }
    const double median = numbers_[std::min(at, numbers_.size() - 1)];
    return median * weight - sum + (sum_ - sum) - median * (weight_ - weight);
  }

 private:
  const std::vector<double>& numbers_;
  std::vector<double> weights_, sums_;
  double weight_ = 0.0, sum_ = 0.0;
};

// The distinct numbers of some entries' rows, less the node's value: small numbers keep the sums exact.
struct DistinctNumbers {
  DistinctNumbers(const NodeView& view, const Entry* all, std::size_t count) : node(view), entries(all), numbers(count) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = number(i);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  double number(std::size_t i) const { return node.pack.number_of(instance_of(entries[i])) - node.counts[1]; }
  std::size_t index(std::size_t i) const {
    return static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), number(i)) - numbers.begin());
  }

  const NodeView& node;
  const Entry* entries;
  std::vector<double> numbers;
};

// Σ w·|y − median| of the first `count` entries.
double absolute_error(const NodeView& node, const Entry* entries, std::size_t count) {
  const DistinctNumbers distinct(node, entries, count);
  Side all(distinct.numbers);
  for (std::size_t i = 0; i < count; ++i) all.add(distinct.index(i), node.pack.weight(instance_of(entries[i])));
  return all.error();
}

// `count` entries take part, the first `known` in order; the rest, whose value is missing, lie below every cut or above.
Cut best_cut_absolute(const NodeView& node, int attribute, std::size_t known, std::size_t count, bool rest_below,
                      const CutRules& rules) {
  const Pack& pack = node.pack;
  const Entry* entries = pack.entries(node.range, attribute);
  const DistinctNumbers distinct(node, entries, count);
  Side left(distinct.numbers), right(distinct.numbers);
  for (std::size_t i = 0; i < count; ++i)
    (i >= known && rest_below ? left : right).add(distinct.index(i), pack.weight(instance_of(entries[i])));
  Cut cut;
  double to_beat = rules.least;
  for (std::size_t i = 0; i + 1 < known; ++i) {
    const double weight = pack.weight(instance_of(entries[i]));
    left.add(distinct.index(i), weight);
    right.add(distinct.index(i), -weight);
    if (entries[i] >> 32 == entries[i + 1] >> 32) continue;
    if (left.weight() < rules.least_left - slack) continue;
    if (right.weight() < rules.least_right - slack) break;
    ++cut.admissible;
    const double purity = -(left.error() + right.error());
    if (purity > to_beat + rules.tolerance) {
      to_beat = purity;
      cut.valid = true;
      cut.position = i + 1;
      cut.purity = purity;
    }
  }
  return cut;
}

}  // namespace

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

TargetSums::TargetSums(const NodeView& node, int attribute, std::size_t known, Measure measure)
    : node_(node), attribute_(attribute), known_size_(known), measure_(measure) {
  const Pack& pack = node.pack;
  const Problem& problem = pack.problem();
  const bool numbers = problem.classes == 0;
  const std::size_t width = numbers ? 2 : static_cast<std::size_t>(problem.classes);
  const Entry* entries = pack.entries(node.range, attribute);
  nothing_.assign(width, 0.0);
  missing_.assign(width, 0.0);
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
  for (std::size_t i = known; i < node.range.size; ++i) add(i, missing_);
  all_.assign(width, 0.0);
  if (numbers) {
    // Counted afresh from the known rows: what rounding leaves of a difference would decide between cuts.
    for (std::size_t i = 0; i < known; ++i) add(i, all_);
    known_ = all_;
    for (std::size_t k = 0; k < width; ++k) all_[k] += missing_[k];
  } else {
    all_.assign(node.counts, node.counts + width);
    known_ = all_;
    for (std::size_t c = 0; c < width; ++c) known_[c] = std::max(0.0, known_[c] - missing_[c]);
  }
  impurity_ = clearwood::node_impurity(problem, measure, node.counts, node.weight);
  if (measure == Measure::absolute) {
    purity_known_ = -absolute_error(node, entries, known);
    purity_all_ = -absolute_error(node, entries, node.range.size);
  } else {
    purity_known_ = purity_of(known_);
    purity_all_ = purity_of(all_);
  }
}

double TargetSums::purity_of(const std::vector<double>& sums) const {
  if (node_.pack.problem().classes > 0)
    return purity(measure_, sums.data(), sums.size(), std::accumulate(sums.begin(), sums.end(), 0.0));
  return sums[0] > 0 ? sums[1] * sums[1] / sums[0] : 0.0;
}

double TargetSums::purity_missing() const {
  if (measure_ != Measure::absolute) return purity_of(missing_);
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
      const bool missing_above = &above == &all_, missing_below = &first == &missing_;
      return best_cut_absolute(node_, attribute_, known_size_, missing_above || missing_below ? with_missing : known_size_,
                               missing_below, rules);
    }
    default:
      return clearwood::best_cut(node_, attribute_, known_size_, above.data(), first.data(), rules, logs, scratch);
  }
}

}  // namespace clearwood
