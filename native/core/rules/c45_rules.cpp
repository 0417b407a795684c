#include "core/rules/c45_rules.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "core/rules/rule_order.hpp"

namespace clearwood {
namespace {

// The different conditions of a tree, and every leaf's way down in their numbers.
struct Ways {
  std::vector<std::int32_t> node;  // [condition] the first that asks it
  std::vector<std::int32_t> condition_of;  // [node]
  std::vector<std::int32_t> leaf;  // [rule]
  std::vector<std::vector<std::int32_t>> way;  // [rule] conditions from the top
};

Ways ways_of(const LabelledTree& from) {
  const NodesView& nodes = from.walk.nodes;
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
    const auto [place, is_new] = known.try_emplace(std::move(key), static_cast<std::int32_t>(ways.node.size()));
    if (is_new) ways.node.push_back(node);
    ways.condition_of[static_cast<std::size_t>(node)] = place->second;
    if (nodes.end[node] != node + 1 || from.answer[node] < 0) continue;
    ways.leaf.push_back(node);
    auto& way = ways.way.emplace_back();
    for (const auto each : above) way.push_back(ways.condition_of[static_cast<std::size_t>(each)]);
  }
  return ways;
}

// The rows leaf by leaf: those of one region then share words, and one condition decides most words whole.
std::vector<std::size_t> leaf_by_leaf(const Walk& walk, std::size_t rows, const StopFlag& stop) {
  std::vector<std::int32_t> leaf(rows);
  leaves_of(walk, static_cast<std::int64_t>(rows), leaf.data(), stop);
  std::vector<std::size_t> start(static_cast<std::size_t>(walk.nodes.size) + 1, 0), order(rows);
  for (const auto each : leaf) ++start[static_cast<std::size_t>(each) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (std::size_t row = 0; row < rows; ++row) order[start[static_cast<std::size_t>(leaf[row])]++] = row;
  return order;
}

// One column's cells in that order, close together.
struct OrderedCells {
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;  // −1 where missing or beyond the values
};

OrderedCells cells_of(const Column& column, const std::vector<std::size_t>& order) {
  OrderedCells cells;
  for (const auto row : order) {
    if (column.numeric()) {
      cells.numbers.push_back(column.number(row));
    } else {
      const auto code = column.code(row);
      cells.codes.push_back(code < column.values ? std::max(code, -1) : -1);
    }
  }
  return cells;
}

template <class Cell, class Holds>
Bits marked(const std::vector<Cell>& cells, Holds&& holds) {
  Bits bits = no_rows(cells.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    Word word = 0;
    const Cell* const cell = cells.data() + i * 64;
    const std::size_t size = std::min<std::size_t>(64, cells.size() - i * 64);
    for (std::size_t row = 0; row < size; ++row) word |= Word{holds(cell[row])} << row;
    bits[i] = word;
  }
  return bits;
}

// The rows that satisfy a condition: never one whose cell is missing.
Bits holding(const NodesView& nodes, const Columns& columns, const std::vector<OrderedCells>& cells, std::int32_t node) {
  const auto attribute = static_cast<std::size_t>(nodes.attribute[node]);
  if (columns[attribute]->numeric())
    return marked(cells[attribute].numbers, [low = nodes.low[node], high = nodes.high[node]](double value) {
      return bool((value > low) & (value <= high));
    });
  const auto values = columns[attribute]->values;
  std::vector<char> takes(static_cast<std::size_t>(values) + 1, 0);  // one on: −1 is missing
  for (auto i = nodes.set_start[node]; i < nodes.set_start[node + 1]; ++i) {
    const auto code = nodes.set_codes[i];
    if (code < 0 || code >= values) throw std::invalid_argument("A branch takes a code beyond its values.");
    takes[static_cast<std::size_t>(code) + 1] = 1;
  }
  return marked(cells[attribute].codes,
                [&](std::int32_t code) { return takes[static_cast<std::size_t>(code + 1)] != 0; });
}

// Which rules are the same: the number of the first of each; rules without conditions have none.
void find_doubles(LeafRules& leaf_rules) {
  std::map<std::pair<std::int32_t, std::vector<std::int32_t>>, std::int32_t> known;
  for (std::size_t rule = 0; rule < leaf_rules.rules.size(); ++rule) {
    auto conditions = leaf_rules.rules[rule].conditions;
    std::sort(conditions.begin(), conditions.end());
    const auto number = static_cast<std::int32_t>(rule);
    if (conditions.empty()) {
      leaf_rules.same_as.push_back(-1);
      continue;
    }
    const auto first = known.try_emplace({leaf_rules.rules[rule].answer, std::move(conditions)}, number).first;
    leaf_rules.same_as.push_back(first->second);
  }
}

}  // namespace

RuleSizes sizes_of(const LabelledTree& from) {
  const Ways ways = ways_of(from);
  return {ways.node.size(), ways.leaf.size()};
}

LeafRules c45_rules(const LabelledTree& from, const TargetRows& given, const C45RulesSettings& settings,
                    const StopFlag& stop) {
  const Ways ways = ways_of(from);
  const auto order = leaf_by_leaf(from.walk, given.rows, stop);
  const Columns& columns = from.walk.columns;
  std::vector<OrderedCells> cells(columns.size());
  run_parallel(columns.size(), thread_count(), [&](std::size_t i, int) {
    check(stop);
    if (columns[i]) cells[i] = cells_of(*columns[i], order);
  });
  std::vector<std::int32_t> class_of;
  std::vector<double> weights;
  for (const auto row : order) {
    class_of.push_back(given.class_of[row]);
    if (given.weight_of) weights.push_back(given.weight_of[row]);
  }
  const RuleRows rows(order.size(), from.classes, class_of.data(), given.weight_of ? weights.data() : nullptr);
  std::vector<Bits> holds(ways.node.size());
  run_parallel(holds.size(), thread_count(), [&](std::size_t condition, int) {
    check(stop);
    holds[condition] = holding(from.walk.nodes, columns, cells, ways.node[condition]);
  });

  LeafRules leaf_rules;
  leaf_rules.leaf = ways.leaf;
  const std::size_t size = ways.leaf.size(), classes = rows.of_class.size();
  leaf_rules.rules.resize(size);
  std::vector<Bits> cover(size);
  run_parallel(size, thread_count(), [&](std::size_t rule, int) {
    check(stop);
    auto& general = leaf_rules.rules[rule];
    general.answer = from.answer[ways.leaf[rule]];
    general.conditions = ways.way[rule];
    generalise(general, holds, rows, settings.pessimism);
  });
  find_doubles(leaf_rules);

  const DescriptionLength length(rows.rows, rows.weight_of == nullptr);
  leaf_rules.bits.assign(size, 0);
  leaf_rules.chosen.assign(size, 0);
  std::vector<std::vector<std::size_t>> of_class(classes);
  for (std::size_t rule = 0; rule < size; ++rule) {
    if (leaf_rules.same_as[rule] != static_cast<std::int32_t>(rule)) continue;
    const auto& general = leaf_rules.rules[rule];
    cover[rule] = covered_by(general.conditions, holds, rows);
    for (const auto each : general.conditions)
      leaf_rules.bits[rule] += from.bits[ways.node[static_cast<std::size_t>(each)]];
    leaf_rules.bits[rule] -= length.factorial_bits(static_cast<double>(general.conditions.size()));
    of_class[static_cast<std::size_t>(general.answer)].push_back(rule);
  }
  leaf_rules.class_bits.resize(classes * 3);
  run_parallel(classes, thread_count(), [&](std::size_t c, int) {
    RulesOfClass rules{rows.of_class[c], {}, {}};
    for (const auto rule : of_class[c]) {
      rules.cover.push_back(cover[rule].data());
      rules.bits.push_back(leaf_rules.bits[rule]);
    }
    const RuleSubset best = best_subset(rules, rows, length, settings.subset, stop);
    for (std::size_t i = 0; i < of_class[c].size(); ++i) leaf_rules.chosen[of_class[c][i]] = best.chosen[i];
    leaf_rules.class_bits[c * 3] = best.bits_of_none;
    leaf_rules.class_bits[c * 3 + 1] = best.bits_of_all;
    leaf_rules.class_bits[c * 3 + 2] = best.bits;
  });
  std::vector<ChosenRule> chosen;
  for (std::size_t rule = 0; rule < size; ++rule)
    if (leaf_rules.chosen[rule])
      chosen.push_back({static_cast<std::int32_t>(rule), leaf_rules.rules[rule].answer, leaf_rules.rules[rule].error,
                        cover[rule].data()});
  RuleOrder answers = in_order(std::move(chosen), rows, class_of, settings.drop_harmful, stop);
  for (const auto& rule : answers.rules) leaf_rules.order.push_back(rule.number);
  leaf_rules.counts = std::move(answers.counts);
  leaf_rules.otherwise = answers.otherwise;

  for (auto& rule : leaf_rules.rules) {
    for (auto& each : rule.conditions) each = ways.node[static_cast<std::size_t>(each)];
    for (auto& each : rule.dropped) each.condition = ways.node[static_cast<std::size_t>(each.condition)];
  }
  return leaf_rules;
}

}  // namespace clearwood
