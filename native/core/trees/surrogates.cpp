#include "core/trees/surrogates.hpp"

#include <algorithm>
#include <cmath>

#include "core/trees/target.hpp"

namespace clearwood {
namespace {

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

}  // namespace

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

}  // namespace clearwood
