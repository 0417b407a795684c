#include "core/trees/learners.hpp"

#include <numeric>

#include "core/trees/cuts.hpp"
#include "core/trees/target.hpp"
#include "core/trees/values.hpp"

namespace clearwood {
namespace {

// Values joined while the gain ratio does not fall: fewer branches than values.

// table [value][class] → [value] the group each goes to; groups are numbered by their lowest value. From one group per
// value, the pair whose joining gives the best gain ratio is joined (first of equals), as long as it is no lower than before
// and two groups remain.
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

// C4.5's best cut: by gain, with a dead band, counting the cuts that were allowed.

struct GainCutRules {
  double least_side = 2;   // weight each side must have
  double min_gap = 1e-5;   // values no farther apart count as equal
  double dead_band = 1e-6; // bits per row by which a cut must beat the best so far
  Limits limits;
};

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

  const EntryClass class_of(pack);
  const int shift = 32 + pack.class_bits();
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
    const std::size_t c = class_of(entries[i]);
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

// `purity` of the result is that of the two sides (entropy). `known_counts` [class] are the rows whose value is known.
Cut best_gain_cut(const NodeView& node, int attribute, std::size_t known, const double* known_counts,
                  const GainCutRules& rules, const LogTable& logs, Scratch& scratch) {
  const Entry* entries = node.pack.entries(node.range, attribute);
  const double* values = node.pack.values(attribute).data();
  if (node.pack.unit() && logs.size() > 0)
    return walk<true>(node, entries, known, known_counts, rules, values, FromTable{logs.data()}, scratch);
  if (node.pack.unit()) return walk<true>(node, entries, known, known_counts, rules, values, Computed{}, scratch);
  return walk<false>(node, entries, known, known_counts, rules, values, Computed{}, scratch);
}

// Gains and gain ratios closer than this are equal, and weights this much short are enough: as in WEKA's J48.
constexpr double small = 1e-6;
constexpr double below_average = 1e-3;

class C45 : public LearnerOf<C45Settings> {
 public:
  using LearnerOf::LearnerOf;
  std::size_t scores_width() const override { return 2; }
  bool keep_values() const override { return true; }
  void begin(const Pack& pack) override {
    LearnerOf::begin(pack);
    if (pack.unit()) logs_.fill(problem_->rows);
    double weight = 0.0;
    for (std::size_t row = 0; row < problem_->rows; ++row)
      weight += problem_->weight_of != nullptr ? problem_->weight_of[row] : 1.0;
    for (const Column& column : problem_->columns)
      many_values_.push_back(!column.numeric() && column.values >= 0.3 * weight - small);
    all_many_ = std::all_of(many_values_.begin(), many_values_.end(), [](char many) { return many != 0; });
  }
  bool may_split(const double* counts, double weight, int depth) const override {
    if (deep_enough(depth)) return false;
    if (weight < 2 * settings_.min_rows - small) return false;
    return *std::max_element(counts, counts + problem_->classes) < weight - small;
  }
  Candidate ask(const NodeView& node, int attribute, Scratch& scratch) const override {
    if (problem_->columns[static_cast<std::size_t>(attribute)].numeric()) return ask_cut(node, attribute, scratch);
    // Below a split on it the known rows have one value: it cannot be split on again.
    if (node.used[static_cast<std::size_t>(attribute)] && !settings_.group_values) return {};
    return ask_values(node, attribute, scratch);
  }
  int choose(const NodeView&, const std::vector<Candidate>& offers) const override {
    double sum = 0.0;
    int offered = 0;
    for (std::size_t a = 0; a < offers.size(); ++a) {
      if (!offers[a].valid || (many_values_[a] && !all_many_)) continue;
      sum += offers[a].figures[0];
      ++offered;
    }
    if (offered == 0) return -1;
    const double average = sum / offered;
    int best = -1;
    double to_beat = 0.0;
    for (std::size_t a = 0; a < offers.size(); ++a)
      if (offers[a].valid && offers[a].figures[0] >= average - below_average && offers[a].score > to_beat + small) {
        best = static_cast<int>(a);
        to_beat = offers[a].score;
      }
    return best;
  }
  void score(const NodeView& node, Candidate& choice, const std::vector<double>& own) const override {
    const auto classes = static_cast<std::size_t>(problem_->classes);
    double gain = split_gain(Measure::entropy, own, classes, node.weight);
    if (problem_->columns[static_cast<std::size_t>(choice.attribute)].numeric())
      gain -= std::log2(static_cast<double>(choice.admissible)) / node.weight;
    const double bits = split_bits(own, classes, node.weight);
    choice.figures[0] = gain;
    choice.figures[1] = bits > 1e-12 ? gain / bits : 0.0;
  }
  void settle(const NodeView& node, Candidate& choice, int) const override {
    const Column& column = problem_->columns[static_cast<std::size_t>(choice.attribute)];
    if (!column.numeric()) {
      if (!settings_.group_values) choice.branch_of = one_branch_each(column.values);
      return;
    }
    choice.threshold = midpoint(choice.below, choice.above);
    if (settings_.threshold_from_data) {
      // The largest value of the whole training set that does not exceed the midpoint.
      const auto& values = node.pack.values(choice.attribute);
      choice.threshold = *(std::upper_bound(values.begin(), values.end(), half_way(choice.below, choice.above)) - 1);
    }
  }

 private:
  Candidate ask_cut(const NodeView& node, int attribute, Scratch& scratch) const {
    Candidate offer;
    const Pack& pack = node.pack;
    const std::size_t known = known_to_cut(node, attribute);
    if (known == 0) return offer;
    const Entry* entries = pack.entries(node.range, attribute);
    const auto classes = static_cast<std::size_t>(problem_->classes);
    auto& counts = scratch.numbers;
    counts.assign(node.counts, node.counts + classes);
    double missing = 0.0;
    if (known < node.range.size) {
      counts.assign(classes, 0.0);
      for (std::size_t i = 0; i < known; ++i) {
        const std::uint32_t instance = instance_of(entries[i]);
        counts[static_cast<std::size_t>(pack.class_of(instance))] += pack.weight(instance);
      }
      for (std::size_t i = known; i < node.range.size; ++i) missing += pack.weight(instance_of(entries[i]));
    }
    const double weight = std::accumulate(counts.begin(), counts.end(), 0.0);
    double least = 0.1 * weight / static_cast<double>(classes);
    if (least <= settings_.min_rows + small) {
      least = settings_.min_rows;
    } else {
      least = std::min(least, 25.0);
    }
    if (weight < 2 * least - small) return offer;
    const Limits limits = limits_of(*problem_, attribute, node.bounds);
    const double missing_last = node.counts[classes - 1] - counts[classes - 1];
    const GainCutRules rules{least - small, settings_.min_gap, small,
                             missing > 0.0 ? limits.before_spread(missing_last, missing, weight) : limits};
    const Cut cut = best_gain_cut(node, attribute, known, counts.data(), rules, logs_, scratch);
    if (!cut.valid) return offer;
    const double before = purity(Measure::entropy, counts.data(), classes, weight);
    // The more places there are to cut, the likelier one of them looks good by chance.
    const double gain =
        (cut.purity - before) / node.weight - std::log2(static_cast<double>(cut.admissible)) / node.weight;
    if (gain <= small) return offer;
    double below = 0.0;
    for (std::size_t i = 0; i < cut.position; ++i) below += pack.weight(instance_of(entries[i]));
    const double information =
        (xlog2x(node.weight) - xlog2x(below) - xlog2x(weight - below) - xlog2x(missing)) / node.weight;
    offer.valid = true;
    offer.branches = 2;
    offer.figures[0] = gain;
    offer.score = offer.figures[1] = information > 1e-12 ? gain / information : 0.0;
    offer.admissible = static_cast<std::int64_t>(cut.admissible);
    offer.cut_rank = pack.rank(entries[cut.position - 1]);
    const auto& values = pack.values(attribute);
    offer.below = values[offer.cut_rank];
    offer.above = values[pack.rank(entries[cut.position])];
    return offer;
  }
  Candidate ask_values(const NodeView& node, int attribute, Scratch& scratch) const {
    Candidate offer;
    const auto classes = static_cast<std::size_t>(problem_->classes);
    ValueCounts& counts = scratch.values;
    count_values(node, attribute, scratch, counts);
    const auto values = static_cast<std::size_t>(problem_->columns[static_cast<std::size_t>(attribute)].values);
    if (counts.codes.size() < 2) return offer;
    // One branch per value, or per group of values.
    std::size_t branches = values;
    auto& table = counts.table;
    auto& weights = counts.weights;
    if (settings_.group_values) {
      const auto group = join_values(table, weights, classes, counts.missing_weight, node.stop);
      offer.branch_of.assign(values, -1);
      branches = static_cast<std::size_t>(*std::max_element(group.begin(), group.end())) + 1;
      std::vector<double> joined(branches * classes, 0.0), joined_weights(branches, 0.0);
      for (std::size_t v = 0; v < group.size(); ++v) {
        const auto g = static_cast<std::size_t>(group[v]);
        offer.branch_of[static_cast<std::size_t>(counts.codes[v])] = group[v];
        joined_weights[g] += weights[v];
        for (std::size_t c = 0; c < classes; ++c) joined[g * classes + c] += table[v * classes + c];
      }
      table = std::move(joined);
      weights = std::move(joined_weights);
    }
    const auto heavy = std::count_if(weights.begin(), weights.end(),
                                     [&](double w) { return w >= settings_.min_rows - small; });
    if (heavy < 2) return offer;
    if (Limits limits = limits_of(*problem_, attribute, node.bounds); limits.apply) {
      if (counts.missing_weight > 0.0)
        limits = limits.before_spread(counts.missing[classes - 1], counts.missing_weight, counts.known);
      for (std::size_t v = 0; v < weights.size(); ++v)
        if (weights[v] > 0.0 && !limits.inside(limited_value(*problem_, table.data() + v * classes))) return offer;
    }
    auto& whole = scratch.numbers;
    whole.assign(classes, 0.0);
    double after = 0.0, sizes = 0.0;
    for (std::size_t v = 0; v < weights.size(); ++v) {
      after += purity(Measure::entropy, table.data() + v * classes, classes, weights[v]);
      sizes += xlog2x(weights[v]);
      for (std::size_t c = 0; c < classes; ++c) whole[c] += table[v * classes + c];
    }
    const double before = purity(Measure::entropy, whole.data(), classes, counts.known);
    const double gain = (after - before) / node.weight;
    const double information = (xlog2x(node.weight) - sizes - xlog2x(counts.missing_weight)) / node.weight;
    offer.valid = true;
    offer.branches = static_cast<int>(branches);
    offer.figures[0] = gain;
    offer.score = offer.figures[1] = information > 1e-12 ? gain / information : 0.0;
    return offer;
  }

  LogTable logs_;
  std::vector<char> many_values_;  // [attribute] nearly a value per row
  bool all_many_ = false;
};

}  // namespace

std::unique_ptr<Learner> c45_learner(const C45Settings& settings) { return std::make_unique<C45>(settings); }

}  // namespace clearwood
