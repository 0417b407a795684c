#include "core/c45_rules.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace clearwood {
namespace {

// The different conditions of a tree, and every leaf's way down in their numbers.
struct Ways {
  std::vector<std::int32_t> node;  // [condition] the first that asks it
  std::vector<std::int32_t> condition_of;  // [node]
  std::vector<std::int32_t> leaf;  // [rule]
  std::vector<std::vector<std::int32_t>> way;  // [rule] conditions from the top
};

Ways ways_of(const LeafRules& from) {
  const NodesView& nodes = from.nodes;
  using Key = std::tuple<std::int32_t, double, double, std::vector<std::int32_t>>;
  std::map<Key, std::int32_t> known;
  Ways ways;
  ways.condition_of.assign(static_cast<std::size_t>(nodes.size), -1);
  std::vector<std::int32_t> above;  // the nodes on the way down, without the root
  for (std::int32_t node = 1; node < nodes.size; ++node) {
    while (!above.empty() && nodes.end[above.back()] <= node) above.pop_back();
    above.push_back(node);
    Key key{nodes.attribute[node], nodes.low[node], nodes.high[node],
            {nodes.set_codes + nodes.set_start[node], nodes.set_codes + nodes.set_start[node + 1]}};
    const auto [found, is_new] = known.try_emplace(std::move(key), static_cast<std::int32_t>(ways.node.size()));
    if (is_new) ways.node.push_back(node);
    ways.condition_of[static_cast<std::size_t>(node)] = found->second;
    if (nodes.end[node] != node + 1 || from.said[node] < 0) continue;
    ways.leaf.push_back(node);
    auto& way = ways.way.emplace_back();
    for (const auto each : above) way.push_back(ways.condition_of[static_cast<std::size_t>(each)]);
  }
  return ways;
}

template <class Holds>
void mark(Bits& bits, std::size_t rows, Holds&& holds) {
  for (std::size_t i = 0; i < bits.size(); ++i) {
    Word word = 0;
    const std::size_t first = i * 64, stop = std::min(rows, first + 64);
    for (std::size_t row = first; row < stop; ++row) word |= Word{holds(row)} << (row - first);
    bits[i] = word;
  }
}

// The rows that satisfy a condition: never one whose cell is missing.
Bits holding(const NodesView& nodes, const Columns& columns, std::int32_t node, std::size_t rows) {
  Bits bits = no_rows(rows);
  const Column& column = *columns[static_cast<std::size_t>(nodes.attribute[node])];
  if (column.numeric()) {
    const double low = nodes.low[node], high = nodes.high[node];
    mark(bits, rows, [&](std::size_t row) {
      const double value = column.number(row);
      return value > low && value <= high;
    });
    return bits;
  }
  std::vector<char> takes(static_cast<std::size_t>(column.values), 0);
  for (auto i = nodes.set_start[node]; i < nodes.set_start[node + 1]; ++i) {
    const auto code = nodes.set_codes[i];
    if (code < 0 || code >= column.values) throw std::invalid_argument("A branch takes a code beyond its values.");
    takes[static_cast<std::size_t>(code)] = 1;
  }
  mark(bits, rows, [&](std::size_t row) {
    const auto code = column.code(row);
    return code >= 0 && code < column.values && takes[static_cast<std::size_t>(code)];
  });
  return bits;
}

// Which rules say the same: numbers the first of each, and leaves out those without conditions.
void find_doubles(C45Rules& found) {
  std::map<std::pair<std::int32_t, std::vector<std::int32_t>>, std::int32_t> known;
  for (std::size_t rule = 0; rule < found.rules.size(); ++rule) {
    auto conditions = found.rules[rule].conditions;
    std::sort(conditions.begin(), conditions.end());
    const auto number = static_cast<std::int32_t>(rule);
    found.same_as.push_back(
        conditions.empty() ? -1 : known.try_emplace({found.rules[rule].said, std::move(conditions)}, number).first->second);
  }
}

double weight_of(const RuleRows& rows, const Bits& bits, const Bits& within, const Bits* without = nullptr) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.words; ++i)
    sum += rows.weight(bits[i] & within[i] & (without ? ~(*without)[i] : ~Word{0}), i);
  return sum;
}

// The classes by fewest false positives among the rows still free, their rules by pessimistic error.
void put_in_order(C45Rules& found, const std::vector<Bits>& cover, const RuleRows& rows) {
  const std::size_t classes = rows.of_class.size();
  std::vector<std::vector<std::int32_t>> of_class(classes);
  std::vector<Bits> together(classes, no_rows(rows.rows));
  for (std::size_t rule = 0; rule < found.rules.size(); ++rule) {
    if (!found.chosen[rule]) continue;
    const auto said = static_cast<std::size_t>(found.rules[rule].said);
    of_class[said].push_back(static_cast<std::int32_t>(rule));
    for (std::size_t i = 0; i < rows.words; ++i) together[said][i] |= cover[rule][i];
  }
  Bits free = rows.all;
  const auto take = [&](const Bits& taken) {
    for (std::size_t c = 0; c < classes; ++c) found.counts.push_back(weight_of(rows, taken, rows.of_class[c]));
  };
  for (;;) {
    std::size_t next = classes;
    double fewest = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      if (of_class[c].empty()) continue;
      const double wrong = weight_of(rows, together[c], free, &rows.of_class[c]);
      if (next == classes || below(wrong, fewest)) next = c, fewest = wrong;
    }
    if (next == classes) break;
    auto& mine = of_class[next];
    std::stable_sort(mine.begin(), mine.end(), [&](std::int32_t one, std::int32_t two) {
      return found.rules[static_cast<std::size_t>(one)].error < found.rules[static_cast<std::size_t>(two)].error;
    });
    for (const auto rule : mine) {
      Bits taken = cover[static_cast<std::size_t>(rule)];
      for (std::size_t i = 0; i < rows.words; ++i) taken[i] &= free[i], free[i] ^= taken[i];
      take(taken);
      found.order.push_back(rule);
    }
    mine.clear();
  }
  take(free);
  const double* left = found.counts.data() + found.counts.size() - classes;
  std::size_t answer = 0;
  for (std::size_t c = 1; c < classes; ++c) {
    const bool equal = !below(left[c], left[answer]) && !below(left[answer], left[c]);
    const auto all = [&](std::size_t each) { return weight_of(rows, rows.all, rows.of_class[each]); };
    if (below(left[answer], left[c]) || (equal && below(all(answer), all(c)))) answer = c;
  }
  found.otherwise = static_cast<std::int32_t>(answer);
}

}  // namespace

RuleSizes sizes_of(const LeafRules& from) {
  const Ways ways = ways_of(from);
  return {ways.node.size(), ways.leaf.size()};
}

C45Rules c45_rules(const LeafRules& from, const RuleRows& rows, const Pessimism& pessimism,
                   const SubsetSettings& settings, const StopFlag& stop) {
  const Ways ways = ways_of(from);
  std::vector<Bits> holds(ways.node.size());
  run_parallel(holds.size(), thread_count(), [&](std::size_t condition, int) {
    check(stop);
    holds[condition] = holding(from.nodes, from.columns, ways.node[condition], rows.rows);
  });

  C45Rules found;
  found.leaf = ways.leaf;
  const std::size_t size = ways.leaf.size(), classes = rows.of_class.size();
  found.rules.resize(size);
  std::vector<Bits> cover(size);
  run_parallel(size, thread_count(), [&](std::size_t rule, int) {
    check(stop);
    auto& general = found.rules[rule];
    general.said = from.said[ways.leaf[rule]];
    general.conditions = ways.way[rule];
    generalise(general, holds, rows, pessimism);
  });
  find_doubles(found);

  const DescriptionLength length(rows.rows, rows.weight_of == nullptr);
  found.bits.assign(size, 0);
  found.chosen.assign(size, 0);
  std::vector<std::vector<std::size_t>> of_class(classes);
  for (std::size_t rule = 0; rule < size; ++rule) {
    if (found.same_as[rule] != static_cast<std::int32_t>(rule)) continue;
    const auto& general = found.rules[rule];
    cover[rule] = covered_by(general.conditions, holds, rows);
    for (const auto each : general.conditions)
      found.bits[rule] += from.bits[ways.node[static_cast<std::size_t>(each)]];
    found.bits[rule] -= length.factorial_bits(static_cast<double>(general.conditions.size()));
    of_class[static_cast<std::size_t>(general.said)].push_back(rule);
  }
  found.class_bits.resize(classes * 3);
  run_parallel(classes, thread_count(), [&](std::size_t c, int) {
    RulesOfClass rules{rows.of_class[c], {}, {}};
    for (const auto rule : of_class[c]) {
      rules.cover.push_back(cover[rule].data());
      rules.bits.push_back(found.bits[rule]);
    }
    const RuleSubset best = best_subset(rules, rows, length, settings, stop);
    for (std::size_t i = 0; i < of_class[c].size(); ++i) found.chosen[of_class[c][i]] = best.chosen[i];
    found.class_bits[c * 3] = best.bits_of_none;
    found.class_bits[c * 3 + 1] = best.bits_of_all;
    found.class_bits[c * 3 + 2] = best.bits;
  });
  put_in_order(found, cover, rows);

  for (auto& rule : found.rules) {
    for (auto& each : rule.conditions) each = ways.node[static_cast<std::size_t>(each)];
    for (auto& each : rule.dropped) each.condition = ways.node[static_cast<std::size_t>(each.condition)];
  }
  return found;
}

}  // namespace clearwood
