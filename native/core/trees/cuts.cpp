#include "core/trees/cuts.hpp"

#include "core/numeric/wide.hpp"

namespace clearwood {
namespace {

constexpr std::size_t block = 512;

// score[i] = low[i]/(L+i) + high[i]/(K−L−i), the Gini purity of both sides, where edge[i] is 1. Returns the largest.
CLEARWOOD_WIDEST double score_block(const double* __restrict low, const double* __restrict high,
                                  const double* __restrict edge, double left, double all, std::size_t count,
                                  double* __restrict score) {
  double largest = -1.0;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const double l = left + static_cast<double>(i);
    const double r = all - l;
    const double s = (low[i] * r + high[i] * l) / (l * r) * edge[i];
    score[i] = s;
    largest = s > largest ? s : largest;
  }
  return largest;
}

// The same for two classes, from the running count of the second.
CLEARWOOD_WIDEST double score_block_of_two(const std::int32_t* __restrict ones, const double* __restrict edge, double first,
                                         double left, double all, double all_ones, std::size_t count,
                                         double* __restrict score) {
  double largest = -1.0;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const double l = left + static_cast<double>(i);
    const double r = all - l;
    const double l1 = first + static_cast<double>(ones[i]), l0 = l - l1;
    const double r1 = all_ones - l1, r0 = r - r1;
    const double s = ((l0 * l0 + l1 * l1) * r + (r0 * r0 + r1 * r1) * l) / (l * r) * edge[i];
    score[i] = s;
    largest = s > largest ? s : largest;
  }
  return largest;
}

// The same for rows of any weight, from the running weight below each cut.
CLEARWOOD_WIDEST double score_weighted(const double* __restrict low, const double* __restrict high,
                                     const double* __restrict edge, const double* __restrict left, double all,
                                     std::size_t count, double* __restrict score) {
  double largest = -1.0;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const double l = left[i], r = all - l;
    const double s = edge[i] != 0.0 ? low[i] / l + high[i] / r : 0.0;
    score[i] = s;
    largest = s > largest ? s : largest;
  }
  return largest;
}

// edge[i] = 1 where the value changes between entries i and i + 1.
CLEARWOOD_WIDEST void mark_edges(const Entry* __restrict entries, int shift, std::size_t count, double* __restrict edge) {
  for (std::size_t i = 0; i < count; ++i)
    edge[i] = (entries[i] ^ entries[i + 1]) >> shift != 0 ? 1.0 : 0.0;
}

struct Best {
  Cut cut;
  double to_beat;
  double tolerance;
  void offer(double score, std::size_t position) {
    if (score > to_beat + tolerance) {
      to_beat = score;
      cut.valid = true;
      cut.position = position;
      cut.purity = score;
    }
  }
};

// Offers the cuts behind the entries [at, end), a block at a time: fill(at, count, edge, score) writes a block's scores, 0 where
// there is no cut, and returns the largest.
template <class Fill>
void offer_blocks(const Entry* entries, int shift, std::size_t at, std::size_t end, Best& best, Fill&& fill) {
  double edge[block], score[block];
  for (std::size_t count; at < end; at += count) {
    count = std::min(block, end - at);
    mark_edges(entries + at, shift, count, edge);
    if (!(fill(at, count, edge, score) > best.to_beat + best.tolerance)) continue;
    for (std::size_t i = 0; i < count; ++i)
      if (edge[i] != 0.0) best.offer(score[i], at + i + 1);
  }
}

// Gini, every row weighs 1: counts are exact, and scores come a block at a time.
Cut gini_unit(const NodeView& node, const Entry* entries, std::size_t known, const double* known_counts,
              const double* first, const CutRules& rules, Scratch& scratch) {
  const Pack& pack = node.pack;
  const auto classes = static_cast<std::size_t>(pack.problem().classes);
  // Rows whose value is missing may lie before the first entry (`ahead`) or behind the last.
  double ahead = 0, behind = -static_cast<double>(known);
  for (std::size_t c = 0; c < classes; ++c) {
    ahead += first[c];
    behind += known_counts[c];
  }
  const double all = static_cast<double>(known) + ahead + behind;
  Best best{{}, rules.least, rules.tolerance};
  if (known < 2) return best.cut;
  // Position p: p entries lie below the cut. Allowed: both sides heavy enough.
  const auto lowest = static_cast<std::size_t>(std::max(1.0, std::ceil(rules.least_left - ahead - slack)));
  const double most = static_cast<double>(known) - std::max(1.0, std::ceil(rules.least_right - behind - slack));
  if (most < static_cast<double>(lowest)) return best.cut;
  const auto highest = static_cast<std::size_t>(most);
  const EntryClass class_of(pack);
  const int shift = 32 + pack.class_bits();
  if (classes == 2 && class_of.packed()) {
    const double all_ones = known_counts[1] + first[1];
    std::int32_t running[block];
    std::int32_t ones = 0;
    for (std::size_t i = 0; i + 1 < lowest; ++i) ones += static_cast<std::int32_t>(entries[i] >> 32) & 1;
    offer_blocks(entries, shift, lowest - 1, highest, best,
                 [&](std::size_t at, std::size_t count, const double* edge, double* score) {
      for (std::size_t i = 0; i < count; ++i) {
        ones += static_cast<std::int32_t>(entries[at + i] >> 32) & 1;
        running[i] = ones;
      }
      return score_block_of_two(running, edge, first[1], ahead + static_cast<double>(at + 1), all, all_ones, count, score);
    });
    return best.cut;
  }
  auto& left = scratch.left;
  auto& right = scratch.right;
  left.assign(first, first + classes);
  right.assign(known_counts, known_counts + classes);
  double squares_left = 0, squares_right = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    squares_left += left[c] * left[c];
    squares_right += right[c] * right[c];
  }
  auto move = [&](Entry entry) {
    const std::uint32_t c = class_of(entry);
    squares_left += 2.0 * left[c] + 1.0;
    squares_right -= 2.0 * right[c] - 1.0;
    left[c] += 1.0;
    right[c] -= 1.0;
  };
  double low[block], high[block];
  for (std::size_t i = 0; i + 1 < lowest; ++i) move(entries[i]);
  offer_blocks(entries, shift, lowest - 1, highest, best,
               [&](std::size_t at, std::size_t count, const double* edge, double* score) {
    for (std::size_t i = 0; i < count; ++i) {
      move(entries[at + i]);
      low[i] = squares_left;
      high[i] = squares_right;
    }
    return score_block(low, high, edge, ahead + static_cast<double>(at + 1), all, count, score);
  });
  return best.cut;
}

// Gini, rows of any weight: squares of running sums, scored a block at a time. Limits are in rows, without the priors' factors.
// The right side's squares are added up anew whenever it has lost three quarters of its weight: run down row by row they keep the
// rounding of the whole node's, which in a side of a millionth of its weight is more than a cut gains.
Cut gini_weighted(const NodeView& node, const Entry* entries, std::size_t known, const double* known_counts,
                  const double* first, const CutRules& rules, Scratch& scratch) {
  const Pack& pack = node.pack;
  const auto classes = static_cast<std::size_t>(pack.problem().classes);
  const std::vector<double>& factors = pack.problem().factors;
  auto& left = scratch.left;
  auto& right = scratch.right;
  left.assign(first, first + classes);
  right.assign(known_counts, known_counts + classes);
  double weight = 0, all = 0, rows = 0, all_rows = 0, squares_left = 0, squares_right = 0;
  auto rows_of = [&](std::size_t c, double w) { return factors.empty() ? w : w / factors[c]; };
  for (std::size_t c = 0; c < classes; ++c) {
    weight += left[c];
    all += left[c] + right[c];
    rows += rows_of(c, left[c]);
    all_rows += rows_of(c, left[c] + right[c]);
    squares_left += left[c] * left[c];
    squares_right += right[c] * right[c];
  }
  double renewed_below = 0.25 * (all - weight);
  double low[block], high[block], running[block];
  const EntryClass class_of(pack);
  Best best{{}, rules.least, rules.tolerance};
  offer_blocks(entries, 32 + pack.class_bits(), 0, std::max<std::size_t>(known, 1) - 1, best,
               [&](std::size_t at, std::size_t count, double* edge, double* score) {
    for (std::size_t i = 0; i < count; ++i) {
      const Entry entry = entries[at + i];
      const std::size_t c = class_of(entry);
      const double w = pack.weights()[instance_of(entry)];
      squares_left += w * (2.0 * left[c] + w);
      squares_right -= w * (2.0 * right[c] - w);
      left[c] += w;
      right[c] -= w;
      weight += w;
      rows += rows_of(c, w);
      if (all - weight < renewed_below) {
        renewed_below = 0.25 * (all - weight);
        squares_right = 0;
        for (std::size_t k = 0; k < classes; ++k) squares_right += right[k] * right[k];
      }
      low[i] = squares_left;
      high[i] = squares_right;
      running[i] = weight;
      if (rows < rules.least_left - slack || all_rows - rows < rules.least_right - slack || all - weight <= tie * all)
        edge[i] = 0.0;
    }
    return score_weighted(low, high, edge, running, all, count, score);
  });
  return best.cut;
}

// Any measure, any weights: one cut after the other. `move` takes an entry's row below the cut, `rows` are those on both sides,
// `admitted` says whether limits allow the cut, and `purity` is that of the two sides together.
template <class Move, class Rows, class Admitted, class Purity>
Cut walk(const Entry* entries, std::size_t known, int shift, const CutRules& rules, Move move, Rows rows, Admitted admitted,
         Purity purity) {
  Best best{{}, rules.least, rules.tolerance};
  for (std::size_t i = 0; i + 1 < known; ++i) {
    move(entries[i]);
    if (entries[i] >> shift == entries[i + 1] >> shift) continue;
    const auto [below, above] = rows();
    if (below < rules.least_left - slack) continue;
    if (above < rules.least_right - slack) break;
    if (!admitted()) continue;
    ++best.cut.admissible;
    best.offer(purity(), i + 1);
  }
  return best.cut;
}

template <bool Unit, class PurityOf>
Cut walk_classes(const NodeView& node, const Entry* entries, std::size_t known, const double* known_counts,
                 const double* first, const CutRules& rules, Scratch& scratch, PurityOf purity_of) {
  const Pack& pack = node.pack;
  const auto classes = static_cast<std::size_t>(pack.problem().classes);
  auto& left = scratch.left;
  auto& right = scratch.right;
  left.assign(first, first + classes);
  right.assign(known_counts, known_counts + classes);
  double weight_left = 0, weight_right = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    weight_left += left[c];
    weight_right += right[c];
  }
  const EntryClass class_of(pack);
  // Limits are in rows: a side's weight without the priors' factors.
  const std::vector<double>& factors = pack.problem().factors;
  auto rows_in = [&](const std::vector<double>& counts, double weight) {
    if (Unit || factors.empty()) return weight;
    double rows = 0;
    for (std::size_t c = 0; c < classes; ++c) rows += counts[c] / factors[c];
    return rows;
  };
  return walk(
      entries, known, 32 + pack.class_bits(), rules,
      [&](Entry entry) {
        const std::uint32_t c = class_of(entry);
        const double w = Unit ? 1.0 : pack.weight(instance_of(entry));
        left[c] += w;
        right[c] -= w;
        weight_left += w;
        weight_right -= w;
      },
      [&] { return std::pair(rows_in(left, weight_left), rows_in(right, weight_right)); },
      [&] {
        return !rules.limits.apply || rules.limits.admit(left[classes - 1] / weight_left, right[classes - 1] / weight_right);
      },
      [&] { return purity_of(left.data(), weight_left) + purity_of(right.data(), weight_right); });
}

}  // namespace

std::size_t known_to_cut(const NodeView& node, int attribute) {
  const Pack& pack = node.pack;
  const std::size_t known = pack.known(node.range, attribute);
  if (known < 2) return 0;
  const Entry* entries = pack.entries(node.range, attribute);
  return pack.rank(entries[0]) == pack.rank(entries[known - 1]) ? 0 : known;
}

Cut best_cut(const NodeView& node, int attribute, std::size_t known, const double* known_counts, const double* first,
             const CutRules& rules, const LogTable& logs, Scratch& scratch) {
  const Entry* entries = node.pack.entries(node.range, attribute);
  const auto classes = static_cast<std::size_t>(node.pack.problem().classes);
  const bool unit = node.pack.unit();
  if (rules.measure == Measure::gini && !rules.limits.apply)
    return unit ? gini_unit(node, entries, known, known_counts, first, rules, scratch)
                : gini_weighted(node, entries, known, known_counts, first, rules, scratch);
  if (rules.measure == Measure::entropy && unit && logs.size() > 0) {
    const double* f = logs.data();
    auto of = [f, classes](const double* counts, double weight) {
      double sum = 0;
      for (std::size_t c = 0; c < classes; ++c) sum += f[static_cast<std::int64_t>(counts[c])];
      return sum - f[static_cast<std::int64_t>(weight)];
    };
    return walk_classes<true>(node, entries, known, known_counts, first, rules, scratch, of);
  }
  auto of = [&rules, classes](const double* counts, double weight) {
    return purity(rules.measure, counts, classes, weight);
  };
  if (unit) return walk_classes<true>(node, entries, known, known_counts, first, rules, scratch, of);
  return walk_classes<false>(node, entries, known, known_counts, first, rules, scratch, of);
}

Cut best_cut_squared(const NodeView& node, int attribute, std::size_t known, double weight, double sum, double centre,
                     double first_weight, double first_sum, const CutRules& rules) {
  const Pack& pack = node.pack;
  double weight_left = first_weight, sum_left = first_sum;
  double weight_right = weight, sum_right = sum;
  return walk(
      pack.entries(node.range, attribute), known, 32, rules,
      [&](Entry entry) {
        const double w = pack.weight(instance_of(entry)), wy = w * (pack.number_of(instance_of(entry)) - centre);
        weight_left += w;
        sum_left += wy;
        weight_right -= w;
        sum_right -= wy;
      },
      [&] { return std::pair(weight_left, weight_right <= tie * weight ? -infinity : weight_right); },
      [&] {
        return !rules.limits.apply || rules.limits.admit(centre + sum_left / weight_left, centre + sum_right / weight_right);
      },
      [&] { return sum_left * sum_left / weight_left + sum_right * sum_right / weight_right; });
}

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
  DistinctNumbers(const NodeView& view, const Entry* entries, std::size_t count) : node(view), numbers(count) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = number(entries[i]);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  double number(Entry entry) const { return node.pack.number_of(instance_of(entry)) - node.counts[1]; }
  std::size_t index(Entry entry) const {
    return static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), number(entry)) - numbers.begin());
  }

  const NodeView& node;
  std::vector<double> numbers;
};

}  // namespace

double absolute_error(const NodeView& node, const Entry* entries, std::size_t count) {
  const DistinctNumbers distinct(node, entries, count);
  Side all(distinct.numbers);
  for (std::size_t i = 0; i < count; ++i) all.add(distinct.index(entries[i]), node.pack.weight(instance_of(entries[i])));
  return all.error();
}

Cut best_cut_absolute(const NodeView& node, int attribute, std::size_t known, std::size_t count, bool rest_below,
                      const CutRules& rules) {
  const Pack& pack = node.pack;
  const Entry* entries = pack.entries(node.range, attribute);
  const DistinctNumbers distinct(node, entries, count);
  Side left(distinct.numbers), right(distinct.numbers);
  for (std::size_t i = 0; i < count; ++i)
    (i >= known && rest_below ? left : right).add(distinct.index(entries[i]), pack.weight(instance_of(entries[i])));
  return walk(
      entries, known, 32, rules,
      [&](Entry entry) {
        const double weight = pack.weight(instance_of(entry));
        left.add(distinct.index(entry), weight);
        right.add(distinct.index(entry), -weight);
      },
      [&] { return std::pair(left.weight(), right.weight()); }, [] { return true; },
      [&] { return -(left.error() + right.error()); });
}

}  // namespace clearwood
