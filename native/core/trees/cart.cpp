#include "core/trees/learners.hpp"

#include <numeric>

#include "core/trees/cuts.hpp"
#include "core/trees/groups.hpp"
#include "core/trees/target.hpp"
#include "core/trees/values.hpp"

namespace clearwood {
namespace {

// Surrogates: splits of other attributes that send rows as the chosen one does, for rows where it is missing.

// The branch the split itself gives each instance, in two bits so that a million fit a near cache: 0 where its attribute
// doesn't tell, 1 for branch 0, 2 for branch 1.
class Sides {
 public:
  Sides(const NodeView& node, const Candidate& choice) {
    const Pack& pack = node.pack;
    const std::uint32_t* list = pack.instances(node.range);
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < node.range.size; ++i) last = std::max(last, list[i]);
    words_.assign(last / 32 + 1, 0);
    if (pack.slot(choice.attribute) >= 0) {
      const Entry* entries = pack.entries(node.range, choice.attribute);
      const std::size_t known = pack.known(node.range, choice.attribute);
      for (std::size_t i = 0; i < known; ++i) put(instance_of(entries[i]), pack.rank(entries[i]) > choice.cut_rank);
      return;
    }
    for (std::size_t i = 0; i < node.range.size; ++i) {
      const std::int32_t code = pack.code(list[i], choice.attribute);
      const std::int32_t side = code < 0 ? -1 : choice.branch_of[static_cast<std::size_t>(code)];
      if (side >= 0) put(list[i], side);
    }
  }
  unsigned code(std::uint32_t instance) const {
    return static_cast<unsigned>(words_[instance / 32] >> (instance % 32 * 2)) & 3u;
  }
  int branch(std::uint32_t instance) const { return static_cast<int>(code(instance)) - 1; }

 private:
  void put(std::uint32_t instance, int branch) {
    words_[instance / 32] |= static_cast<std::uint64_t>(branch + 1) << (instance % 32 * 2);
  }
  std::vector<std::uint64_t> words_;
};

constexpr double least_sent = 2.0;  // rows a cut must send each way
constexpr std::size_t stretch = 256;

struct Offer {
  SurrogateChoice surrogate;
  bool valid = false;
};

// The weight of the rows that the split itself sends to each branch.
struct SplitWeights {
  double by_branch[2] = {0, 0};
  double all() const { return by_branch[0] + by_branch[1]; }
  double larger() const { return std::max(by_branch[0], by_branch[1]); }
};

// Sending low values to branch 0 agrees on total₁ + d rows, to branch 1 on total₀ − d, where d is the weight below the cut
// that the split sends to branch 0 less what it sends to branch 1: the largest and the smallest d are all there is to find.
template <bool Unit>
Offer by_cut(const NodeView& node, int attribute, const Sides& sides, const SplitWeights& weights) {
  Offer offer;
  const Pack& pack = node.pack;
  const Entry* entries = pack.entries(node.range, attribute);
  const std::size_t known = pack.known(node.range, attribute);
  double total[2] = {weights.by_branch[0], weights.by_branch[1]};
  for (std::size_t i = known; i < node.range.size; ++i) {
    const int side = sides.branch(instance_of(entries[i]));
    if (side >= 0) total[side] -= Unit ? 1.0 : pack.weight(instance_of(entries[i]));
  }
  const double all = weights.all(), most = total[0] + total[1] - least_sent + slack;
  struct Place {
    double agree = -1.0;
    std::size_t below = 0, above = 0;
  } straight, crossed;
  // What is to be beaten: the larger side, then the best so far.
  double highest = weights.larger() - total[1], lowest = total[0] - weights.larger();
  const double band = tie * all;
  double difference = 0.0, sent = 0.0;
  std::size_t last = known;  // the last row met that the split decides
  std::uint32_t last_rank = pack.missing_rank();
  auto walk = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t instance = instance_of(entries[i]);
      const unsigned code = sides.code(instance);
      if (code == 0) continue;
      const std::uint32_t rank = pack.rank(entries[i]);
      if (rank != last_rank && sent >= least_sent - slack && sent <= most) {
        if (difference > highest + band) {
          highest = difference;
          straight = {total[1] + difference, last, i};
        }
        if (difference < lowest - band) {
          lowest = difference;
          crossed = {total[0] - difference, last, i};
        }
      }
      const double weight = Unit ? 1.0 : pack.weight(instance);
      difference += code == 1 ? weight : -weight;
      sent += weight;
      last = i;
      last_rank = rank;
    }
  };
  if constexpr (!Unit) {
    walk(0, known);
  } else {
    // Most stretches beat nothing; whole numbers show so without looking at a single cut.
    for (std::size_t begin = 0; begin < known; begin += stretch) {
      const std::size_t end = std::min(known, begin + stretch);
      std::int32_t change = 0, most_up = 0, most_down = 0, met = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const auto code = static_cast<std::int32_t>(sides.code(instance_of(entries[i])));
        most_up = std::max(most_up, change);
        most_down = std::min(most_down, change);
        change += (code & 1) - (code >> 1);
        met += (code & 1) + (code >> 1);
      }
      if (difference + most_up > highest + band || difference + most_down < lowest - band) {
        walk(begin, end);
        continue;
      }
      difference += change;
      sent += met;
      for (std::size_t i = end; i-- > begin && met > 0;) {
        if (sides.code(instance_of(entries[i])) == 0) continue;
        last = i;
        last_rank = pack.rank(entries[i]);
        break;
      }
    }
  }
  // Of equals the lower cut, and at one cut the straight way.
  const bool turned = better(crossed.agree, straight.agree, all) ||
                      (!better(straight.agree, crossed.agree, all) && crossed.below < straight.below);
  const Place& best = turned ? crossed : straight;
  if (best.agree < 0.0) return offer;
  offer.valid = true;
  // Midway to the next value met by any row here, also by one that the split cannot place: such rows are what it is for.
  std::size_t above = best.below + 1;
  while (above < best.above && pack.rank(entries[above]) == pack.rank(entries[best.below])) ++above;
  offer.surrogate.limit = midpoint(pack.number(instance_of(entries[best.below]), attribute),
                                   pack.number(instance_of(entries[above]), attribute));
  offer.surrogate.branch = turned;
  offer.surrogate.agreement = best.agree / all;
  return offer;
}

Offer by_values(const NodeView& node, int attribute, const Sides& sides, const SplitWeights& weights) {
  Offer offer;
  const Pack& pack = node.pack;
  const Column& column = pack.problem().columns[static_cast<std::size_t>(attribute)];
  const std::uint32_t* list = pack.instances(node.range);
  std::vector<double> table(static_cast<std::size_t>(column.values) * 2, 0.0);
  for (std::size_t i = 0; i < node.range.size; ++i) {
    const std::int32_t code = pack.code(list[i], attribute);
    const int side = sides.branch(list[i]);
    if (code >= 0 && side >= 0)
      table[static_cast<std::size_t>(code) * 2 + static_cast<std::size_t>(side)] += pack.weight(list[i]);
  }
  const int larger = better(weights.by_branch[1], weights.by_branch[0], weights.all());
  double agree = 0.0;
  auto& side_of = offer.surrogate.side_of;
  side_of.assign(static_cast<std::size_t>(column.values), -1);
  for (std::size_t v = 0; v < side_of.size(); ++v) {
    const double zero = table[v * 2], one = table[v * 2 + 1];
    if (!(zero + one > 0.0)) continue;
    side_of[v] = std::abs(zero - one) <= tie * (zero + one) ? larger : one > zero;
    agree += std::max(zero, one);
  }
  offer.valid = better(agree, weights.larger(), weights.all());
  offer.surrogate.agreement = agree / weights.all();
  return offer;
}

// At most `count`, best first. A surrogate is kept if it agrees with the split on more weight than sending every row to the
// larger side would, counted over the rows the split decides (its own empty cells count against it), and if it sends at
// least two rows each way.
std::vector<SurrogateChoice> find_surrogates(const NodeView& node, const Candidate& choice, int count, int threads) {
  const Sides sides(node, choice);
  const std::size_t attributes = node.pack.problem().columns.size();
  std::vector<Offer> offers(attributes);
  SplitWeights weights;
  const std::uint32_t* list = node.pack.instances(node.range);
  for (std::size_t i = 0; i < node.range.size; ++i)
    if (const int branch = sides.branch(list[i]); branch >= 0) weights.by_branch[branch] += node.pack.weight(list[i]);
  run_parallel(attributes, threads, [&](std::size_t a, int) {
    const int attribute = static_cast<int>(a);
    if (attribute == choice.attribute || sign_of(node.pack.problem(), attribute) != 0) return;
    if (node.pack.slot(attribute) < 0) {
      offers[a] = by_values(node, attribute, sides, weights);
    } else {
      offers[a] = node.pack.unit() ? by_cut<true>(node, attribute, sides, weights)
                                  : by_cut<false>(node, attribute, sides, weights);
    }
    offers[a].surrogate.attribute = attribute;
  });
  std::vector<SurrogateChoice> kept;
  for (auto& each : offers)
    if (each.valid) kept.push_back(std::move(each.surrogate));
  std::stable_sort(kept.begin(), kept.end(), [](const SurrogateChoice& a, const SurrogateChoice& b) {
    return better(a.agreement, b.agreement, 1.0);
  });
  if (kept.size() > static_cast<std::size_t>(count)) kept.resize(static_cast<std::size_t>(count));
  return kept;
}

class Cart : public LearnerOf<CartSettings> {
 public:
  using LearnerOf::LearnerOf;
  std::size_t scores_width() const override { return 1; }
  void begin(const Pack& pack) override {
    LearnerOf::begin(pack);
    nothing_.assign(static_cast<std::size_t>(problem_->classes), 0.0);
    if (settings_.measure == Measure::entropy && pack.unit()) logs_.fill(problem_->rows);
  }
  bool may_split(const double* counts, double weight, int depth) const override {
    if (deep_enough(depth)) return false;
    const double rows = raw_weight(*problem_, counts, weight);
    if (rows < settings_.min_rows - slack || rows < 2 * settings_.min_leaf - slack) return false;
    return !is_pure(*problem_, counts);
  }
  Candidate ask(const NodeView& node, int attribute, Scratch& scratch) const override {
    return problem_->columns[static_cast<std::size_t>(attribute)].numeric() ? ask_cut(node, attribute, scratch)
                                                                            : ask_groups(node, attribute, scratch);
  }
  int choose(const NodeView& node, const std::vector<Candidate>& offers) const override {
    int best = -1;
    const double scale = node_impurity(*problem_, settings_.measure, node.counts, node.weight);
    for (std::size_t a = 0; a < offers.size(); ++a)
      if (offers[a].valid &&
          (best < 0 || better(offers[a].score, offers[static_cast<std::size_t>(best)].score, scale)))
        best = static_cast<int>(a);
    if (best < 0) return -1;
    const double decrease = node.weight / node.total * offers[static_cast<std::size_t>(best)].score;
    return decrease < settings_.min_decrease - tie * scale ? -1 : best;
  }
  void score(const NodeView& node, Candidate& choice, const std::vector<double>& own) const override {
    choice.figures[0] = split_gain(settings_.measure, own, static_cast<std::size_t>(problem_->classes), node.weight);
  }
  void settle(const NodeView& node, Candidate& choice, int threads) const override {
    choice.threshold = choice.above == infinity ? infinity : midpoint(choice.below, choice.above);
    // Sought only where an attribute has gaps at all: elsewhere they would cost as much as the splits themselves.
    if (!settings_.missing_by_direction && settings_.surrogates > 0 && node.pack.any_missing(choice.attribute))
      choice.surrogates = find_surrogates(node, choice, settings_.surrogates, threads);
    choice.otherwise = larger_branch(node, choice);
  }

 private:
  // for a leaf
  bool heavy_enough(const std::vector<double>& sums) const {
    const double weight = problem_->classes > 0 ? std::accumulate(sums.begin(), sums.end(), 0.0) : sums[0];
    return raw_weight(*problem_, sums.data(), weight) >= settings_.min_leaf - slack;
  }
  // what is known, and what is missing
  bool may_stand_apart(const NodeView& node, const TargetSums& sums) const {
    const Limits limits{true, 0, node.bounds, problem_->margin};
    auto value = [&](const std::vector<double>& side) {
      return problem_->classes > 0 ? limited_value(*problem_, side.data()) : node.counts[1] + side[1] / side[0];
    };
    return limits.admit(value(sums.known), value(sums.missing));
  }
  Candidate ask_cut(const NodeView& node, int attribute, Scratch& scratch) const {
    Candidate offer;
    const Pack& pack = node.pack;
    const bool can_cut = known_to_cut(node, attribute) > 0;
    const std::size_t known = pack.known(node.range, attribute);
    const bool may_part = settings_.missing_by_direction && known > 0 && known < node.range.size;
    if (!can_cut && !may_part) return offer;
    const Entry* entries = pack.entries(node.range, attribute);
    CutRules rules;
    rules.measure = settings_.measure;
    rules.least_left = rules.least_right = settings_.min_leaf;
    rules.tolerance = tie * node_impurity(*problem_, settings_.measure, node.counts, node.weight) * node.weight;
    rules.limits = limits_of(*problem_, attribute, node.bounds);
    Cut best;
    bool left = false, apart = false;
    double before = 0.0;
    const bool whole = known == node.range.size;
    if (whole && problem_->classes > 0) {
      // The usual case, without a sum of its own: deep trees come here a million times.
      before = purity(settings_.measure, node.counts, nothing_.size(), node.weight);
      best = best_cut(node, attribute, known, node.counts, nothing_.data(), rules, logs_, scratch);
    } else if (problem_->classes > 0 && !settings_.missing_by_direction) {
      auto& counts = scratch.numbers;
      double weight = node.weight;
      counts.assign(node.counts, node.counts + nothing_.size());
      for (std::size_t i = known; i < node.range.size; ++i) {
        const std::uint32_t instance = instance_of(entries[i]);
        counts[static_cast<std::size_t>(pack.class_of(instance))] -= pack.weight(instance);
        weight -= pack.weight(instance);
      }
      for (double& count : counts) count = std::max(0.0, count);
      before = purity(settings_.measure, counts.data(), counts.size(), weight);
      best = best_cut(node, attribute, known, counts.data(), nothing_.data(), rules, logs_, scratch);
    } else if (const TargetSums sums(node, attribute, known, settings_.measure);
               may_part) {
      // The missing rows are tried below the cut and above it, with equal scores they go above; then by themselves.
      if (can_cut) {
        const Cut above = sums.best_cut(sums.all, sums.nothing, rules, logs_, scratch);
        CutRules stricter = rules;
        if (above.valid) stricter.least = above.purity;
        const Cut below = sums.best_cut(sums.known, sums.missing, stricter, logs_, scratch);
        best = below.valid ? below : above;
        left = below.valid;
      }
      const double purity_apart = sums.purity_known + sums.purity_missing();
      if (heavy_enough(sums.known) && heavy_enough(sums.missing) && may_stand_apart(node, sums) &&
          (!best.valid || purity_apart > best.purity + rules.tolerance)) {
        best = {true, known, purity_apart, 1};
        apart = true;
        left = false;
      }
      before = sums.purity_all;
    } else {
      before = sums.purity_known;
      best = sums.best_cut(sums.known, sums.nothing, rules, logs_, scratch);
    }
    if (!best.valid) return offer;
    offer.valid = true;
    offer.branches = 2;
    offer.score = offer.figures[0] = (best.purity - before) / node.weight;
    offer.cut_rank = pack.rank(entries[best.position - 1]);
    offer.below = pack.number(instance_of(entries[best.position - 1]), attribute);
    offer.above = apart ? infinity : pack.number(instance_of(entries[best.position]), attribute);
    if (may_part) offer.missing_branch = left ? 0 : 1;
    return offer;
  }
  Candidate ask_groups(const NodeView& node, int attribute, Scratch& scratch) const {
    Candidate offer;
    const GroupRules rules{settings_.measure, settings_.min_leaf, settings_.missing_by_direction,
                           limits_of(*problem_, attribute, node.bounds), settings_.min_value};
    const Groups best = best_two_groups(node, attribute, rules, scratch);
    if (!best.valid) return offer;
    offer.valid = true;
    offer.branches = 2;
    offer.score = offer.figures[0] = best.decrease;
    offer.branch_of.assign(
        static_cast<std::size_t>(problem_->columns[static_cast<std::size_t>(attribute)].values), -1);
    for (std::size_t i = 0; i < best.codes.size(); ++i)
      offer.branch_of[static_cast<std::size_t>(best.codes[i])] = best.group[i];
    offer.missing_branch = best.missing_branch;
    return offer;
  }

  LogTable logs_;
  std::vector<double> nothing_;  // [class] zeros
};

}  // namespace

std::unique_ptr<Learner> cart_learner(const CartSettings& settings) { return std::make_unique<Cart>(settings); }

}  // namespace clearwood
