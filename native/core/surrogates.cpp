#include "core/surrogates.hpp"

#include <algorithm>

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

struct Found {
  SurrogateChoice surrogate;
  bool valid = false;
};

Found by_cut(const NodeView& node, int attribute, const std::vector<std::int8_t>& sides) {
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
  double best = std::max(total[0], total[1]);
  double below[2] = {0, 0};
  std::size_t last = known;  // the last row met that the split tells about
  for (std::size_t i = 0; i < known; ++i) {
    const std::int8_t side = sides[instance_of(entries[i])];
    if (side < 0) continue;
    if (last < known && pack.rank(entries[last]) != pack.rank(entries[i])) {
      const double as_is = below[0] + (total[1] - below[1]);
      const double turned = below[1] + (total[0] - below[0]);
      const double agree = std::max(as_is, turned);
      if (better(agree, best, both)) {
        best = agree;
        found.valid = true;
        found.surrogate.limit = midpoint(pack.number(instance_of(entries[last]), attribute),
                                         pack.number(instance_of(entries[i]), attribute));
        found.surrogate.branch = as_is >= turned ? 0 : 1;
        found.surrogate.agreement = agree / both;
      }
    }
    below[side] += pack.weight(instance_of(entries[i]));
    last = i;
  }
  return found;
}

Found by_values(const NodeView& node, int attribute, const std::vector<std::int8_t>& sides) {
  Found found;
  const Pack& pack = node.pack;
  const Column& column = pack.problem().columns[static_cast<std::size_t>(attribute)];
  const std::uint32_t* list = pack.instances(node.range);
  std::vector<double> table(static_cast<std::size_t>(column.values) * 2, 0.0);
  double total[2] = {0, 0};
  for (std::size_t i = 0; i < node.range.size; ++i) {
    const std::int32_t code = pack.code(list[i], attribute);
    const std::int8_t side = sides[list[i]];
    if (code < 0 || side < 0) continue;
    table[static_cast<std::size_t>(code) * 2 + static_cast<std::size_t>(side)] += pack.weight(list[i]);
    total[side] += pack.weight(list[i]);
  }
  const double both = total[0] + total[1];
  double agree = 0.0;
  bool met[2] = {false, false};
  auto& side_of = found.surrogate.side_of;
  side_of.assign(static_cast<std::size_t>(column.values), -1);
  for (std::size_t v = 0; v < side_of.size(); ++v) {
    const double zero = table[v * 2], one = table[v * 2 + 1];
    if (!(zero + one > 0.0)) continue;
    side_of[v] = one > zero + slack ? 1 : 0;
    met[side_of[v]] = true;
    agree += std::max(zero, one);
  }
  if (!met[0] || !met[1] || !better(agree, std::max(total[0], total[1]), both)) return found;
  found.valid = true;
  found.surrogate.agreement = agree / both;
  return found;
}

}  // namespace

std::vector<SurrogateChoice> find_surrogates(const NodeView& node, const Candidate& choice, int count,
                                             std::vector<Scratch>&, int threads) {
  const auto sides = sides_of(node, choice);
  const std::size_t attributes = node.pack.problem().columns.size();
  std::vector<Found> found(attributes);
  run_parallel(attributes, threads, [&](std::size_t a, int) {
    const int attribute = static_cast<int>(a);
    if (attribute == choice.attribute) return;
    found[a] = node.pack.problem().columns[a].numeric() ? by_cut(node, attribute, sides)
                                                        : by_values(node, attribute, sides);
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
