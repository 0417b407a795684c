#include "core/ensembles/boosted_tree.hpp"

#include <cmath>

namespace clearwood {
namespace {

// As LightGBM: values are ordered by G / (H + smoothing), their split pays so much more L2, and has few values on one side.
constexpr double smoothing = 10, group_l2 = 10;
constexpr std::size_t most_values = 32;

double shrunk(double g, double l1) { return l1 == 0.0 ? g : g > l1 ? g - l1 : g < -l1 ? g + l1 : 0.0; }

// A division of the node, offered to the best so far.
class Offers {
 public:
  Offers(const SplitColumn& column, const Sum& missing, const Sum& total, const GainRules& rules, const Bounds& limits,
         BoostedSplit& best)
      : column_(column), missing_(missing), total_(total), rules_(rules), limits_(limits), best_(best),
        whole_(rules.gain(total, rules.l2, limits)) {}

  // Is the division with so much of what is known on the left the best so far? Missing cells go right, then left.
  bool offer(const Sum& known_left, double l2) {
    bool better = take(known_left, l2, false);
    if (!missing_.none()) better |= take(known_left + missing_, l2, true);
    return better;
  }
  // All that is known against the missing.
  bool offer_missing(const Sum& known) { return !missing_.none() && take(known, rules_.l2, false); }

 private:
  bool take(const Sum& left, double l2, bool missing_left) {
    const Sum right = total_ - left;
    if (left.none() || right.none()) return false;
    if (rules_.h(left) < rules_.min_child || rules_.h(right) < rules_.min_child) return false;
    if (column_.monotone != 0) {
      const double rise = rules_.step(right, l2, limits_) - rules_.step(left, l2, limits_);
      if (rise * column_.monotone < 0.0) return false;
    }
    const double gain = rules_.gain(left, l2, limits_) + rules_.gain(right, l2, limits_) - whole_;
    if (!(gain > best_.gain)) return false;
    best_.gain = gain;
    best_.column = column_.place;
    best_.left_sum = left;
    best_.missing_here = !missing_.none();
    // Where the node has none missing, these follow the side that weighs more.
    best_.missing_left = best_.missing_here ? missing_left : left.h >= right.h;
    return true;
  }

  const SplitColumn& column_;
  const Sum missing_, total_;
  const GainRules& rules_;
  const Bounds& limits_;
  BoostedSplit& best_;
  const double whole_;
};

void cuts(const SplitColumn& column, const std::vector<Bin>& bins, Offers& offers, const GainRules& rules,
          BoostedSplit& best) {
  Sum left;
  std::size_t after = bins.size();
  for (std::size_t i = 0; i + 1 < bins.size(); ++i) {
    left += bins[i].sum;
    if (offers.offer(left, rules.l2)) after = i;
  }
  if (!bins.empty()) left += bins.back().sum;
  const bool against_missing = offers.offer_missing(left);
  if (!against_missing && after == bins.size()) return;
  best.grouped = false;
  // Of the cuts between two neighbours that rows here have, the middle one.
  best.last = against_missing ? column.known - 1 : bins[after].code + (bins[after + 1].code - 1 - bins[after].code) / 2;
  best.left.clear();
  best.right.clear();
}

void keep_groups(const std::vector<Bin>& bins, std::size_t begin, std::size_t end, BoostedSplit& best) {
  best.grouped = true;
  best.left.clear();
  best.right.clear();
  for (std::size_t i = 0; i < bins.size(); ++i) (i >= begin && i < end ? best.left : best.right).push_back(bins[i].code);
  std::sort(best.left.begin(), best.left.end());
  std::sort(best.right.begin(), best.right.end());
}

void groups(const SplitColumn& column, std::vector<Bin>& bins, Offers& offers, const GainRules& rules, BoostedSplit& best) {
  Sum known;
  for (const Bin& bin : bins) known += bin.sum;
  std::size_t begin = 0, end = 0;
  const std::size_t size = bins.size();
  if (!column.grouped()) {
    for (std::size_t i = 0; size > 1 && i < size; ++i)
      if (offers.offer(bins[i].sum, rules.l2)) begin = i, end = i + 1;
  } else {
    const auto ratio = [&](const Bin& bin) { return rules.g(bin.sum) / (rules.h(bin.sum) + smoothing); };
    std::stable_sort(bins.begin(), bins.end(), [&](const Bin& a, const Bin& b) { return ratio(a) < ratio(b); });
    Sum left;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      left += bins[i].sum;
      if (i + 1 > most_values && size - (i + 1) > most_values) continue;
      if (offers.offer(left, rules.l2 + group_l2)) end = i + 1;
    }
  }
  if (offers.offer_missing(known)) begin = 0, end = size;
  if (end > begin) keep_groups(bins, begin, end, best);
}

// Values of few rows go where the missing go: each would be put on the side of its own few rows' chance. A value's rows are
// counted by its part of the second derivatives, as LightGBM does.
void set_rare_aside(std::vector<Bin>& bins, Sum& missing, const Sum& total, double weight, const GainRules& rules) {
  const double rows = weight / rules.h(total);
  std::size_t kept = 0;
  for (const Bin& bin : bins) {
    if (rules.h(bin.sum) * rows < rules.min_value) {
      missing += bin.sum;
    } else {
      bins[kept++] = bin;
    }
  }
  bins.resize(kept);
}

}  // namespace

double GainRules::step(const Sum& sum, double l2_here, const Bounds& limits) const {
  const double bend = h(sum) + l2_here;
  const double step = bend > 0.0 ? (0.0 - shrunk(g(sum), l1)) / bend : 0.0;
  return limited ? std::min(std::max(step, limits.low), limits.high) : step;
}

double GainRules::gain(const Sum& sum, double l2_here, const Bounds& limits) const {
  const double bend = h(sum) + l2_here;
  if (!(bend > 0.0)) return 0.0;
  if (!limited) {
    const double slope = shrunk(g(sum), l1);
    return slope * slope / bend;
  }
  const double w = step(sum, l2_here, limits);
  return -(2.0 * g(sum) * w + bend * w * w + 2.0 * l1 * std::abs(w));
}

void better_split(const SplitColumn& column, std::vector<Bin>& bins, Sum missing, const Sum& total, double weight,
                  const GainRules& rules, const Bounds& limits, BoostedSplit& best) {
  if (column.grouped() && rules.min_value > 0.0 && total.h > 0) set_rare_aside(bins, missing, total, weight, rules);
  Offers offers(column, missing, total, rules, limits, best);
  if (column.ordered) {
    cuts(column, bins, offers, rules, best);
  } else {
    groups(column, bins, offers, rules, best);
  }
}

}  // namespace clearwood
