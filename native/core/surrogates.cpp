#include "core/surrogates.hpp"

#include <algorithm>
#include <cmath>

#include "core/target.hpp"

namespace clearwood {
namespace {

// side[i]: the branch the split itself gives an instance, or −1 where its attribute doesn't tell.
std::vector<std::int8_t> sides_of(const NodeView& node, const Candidate& choice) {
  const Pack& pack = node.pack;
  const Column& column = pack.problem().columns[static_cast<std::size_t>(choice.attribute)];
  const std::uint32_t* list = pack.instances(node.range);
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < node.range.size; ++i) last = std::max(last, list[i]);
  std::vector<std::int8_t> sides(static_cast<std::size_t>(last) + 1, -1);
  if (column.numeric()) {
    const Entry* entries = pack.entries(node.range, choice.attribute);
    const std::size_t known = pack.known(node.range, choice.attribute);
    for (std::size_t i = 0; i < known; ++i) sides[instance_of(entries[i])] = pack.rank(entries[i]) > choice.cut_rank;
  } else {
    for (std::size_t i = 0; i < node.range.size; ++i) {
      const std::int32_t code = pack.code(list[i], choice.attribute);
      if (code >= 0) sides[list[i]] = static_cast<std::int8_t>(choice.branch_of[static_cast<std::size_t>(code)]);
    }
  }
  return sides;
}

constexpr double least_sent = 2.0;  // rows a surrogate must send each way

struct Found {
  SurrogateChoice surrogate;
  bool valid = false;
};

// The weight of the rows the split tells about, by branch.
struct Told {
  double by_branch[2] = {0, 0};
  double all() const { return by_branch[0] + by_branch[1]; }
  double larger() const { return std::max(by_branch[0], by_branch[1]); }
};

Found by_cut(const NodeView& node, int attribute, const std::vector<std::int8_t>& sides, const Told& told) {
  Found found;
  const Pack& pack = node.pack;
  const Entry* entries = pack.entries(node.range, attribute);
  const std::size_t known = pack.known(node.range, attribute);
  double total[2] = {0, 0};
  for (std::size_t i = 0; i < known; ++i) {
    const std::int8_t side = sides[instance_of(entries[i])];
    if (side >= 0) total[side] += pack.weight(instance_of(entries[i]));
  }
  const double both = total[0] + total[1];
  double best = -1.0;
  double below[2] = {0, 0};
  std::size_t last = known;  // the last row met that the split tells about
  for (std::size_t i = 0; i < known; ++i) {
    const std::int8_t side = sides[instance_of(entries[i])];
    if (side < 0) continue;
    const double sent = below[0] + below[1];
    if (last < known && pack.rank(entries[last]) != pack.rank(entries[i]) && sent >= least_sent - slack &&
        both - sent >= least_sent - slack) {
      const double straight = below[0] + (total[1] - below[1]);
      const double crossed = below[1] + (total[0] - below[0]);
      for (const int branch : {0, 1}) {
        const double agree = branch == 0 ? straight : crossed;
        if (!better(agree, best, told.all())) continue;
        best = agree;
        found.surrogate.limit = midpoint(pack.number(instance_of(entries[last]), attribute),
                                         pack.number(instance_of(entries[i]), attribute));
        found.surrogate.branch = branch;
        found.surrogate.agreement = agree / told.all();
      }
    }
    below[side] += pack.weight(instance_of(entries[i]));
    last = i;
  }
  found.valid = better(best, told.larger(), told.all());
  return found;
}

Found by_values(const NodeView& node, int attribute, const std::vector<std::int8_t>& sides, const Told& told) {
  Found found;
  const Pack& pack = node.pack;
  const Column& column = pack.problem().columns[static_cast<std::size_t>(attribute)];
  const std::uint32_t* list = pack.instances(node.range);
  std::vector<double> table(static_cast<std::size_t>(column.values) * 2, 0.0);
  for (std::size_t i = 0; i < node.range.size; ++i) {
    const std::int32_t code = pack.code(list[i], attribute);
    const std::int8_t side = sides[list[i]];
    if (code >= 0 && side >= 0)
      table[static_cast<std::size_t>(code) * 2 + static_cast<std::size_t>(side)] += pack.weight(list[i]);
  }
  const int larger = better(told.by_branch[1], told.by_branch[0], told.all());
  double agree = 0.0;
  double sent[2] = {0, 0};
  auto& side_of = found.surrogate.side_of;
  side_of.assign(static_cast<std::size_t>(column.values), -1);
  for (std::size_t v = 0; v < side_of.size(); ++v) {
    const double zero = table[v * 2], one = table[v * 2 + 1];
    if (!(zero + one > 0.0)) continue;
    side_of[v] = std::abs(zero - one) <= tie * (zero + one) ? larger : one > zero;
    sent[side_of[v]] += zero + one;
    agree += std::max(zero, one);
  }
  found.valid = std::min(sent[0], sent[1]) >= least_sent - slack && better(agree, told.larger(), told.all());
  found.surrogate.agreement = agree / told.all();
  return found;
}

}  // namespace

std::vector<SurrogateChoice> find_surrogates(const NodeView& node, const Candidate& choice, int count,
                                             std::vector<Scratch>&, int threads) {
  const auto sides = sides_of(node, choice);
  const std::size_t attributes = node.pack.problem().columns.size();
  std::vector<Found> found(attributes);
  Told told;
  const std::uint32_t* list = node.pack.instances(node.range);
  for (std::size_t i = 0; i < node.range.size; ++i)
    if (sides[list[i]] >= 0) told.by_branch[sides[list[i]]] += node.pack.weight(list[i]);
  run_parallel(attributes, threads, [&](std::size_t a, int) {
    const int attribute = static_cast<int>(a);
    if (attribute == choice.attribute) return;
    found[a] = node.pack.problem().columns[a].numeric() ? by_cut(node, attribute, sides, told)
                                                        : by_values(node, attribute, sides, told);
    found[a].surrogate.attribute = attribute;
  });
  std::vector<SurrogateChoice> kept;
  for (auto& each : found)
    if (each.valid) kept.push_back(std::move(each.surrogate));
  std::stable_sort(kept.begin(), kept.end(), [](const SurrogateChoice& a, const SurrogateChoice& b) {
    return better(a.agreement, b.agreement, 1.0);
  });
  if (kept.size() > static_cast<std::size_t>(count)) kept.resize(static_cast<std::size_t>(count));
  return kept;
}

}  // namespace clearwood
