#include "core/rules/c45_rules.hpp"

#include <map>
#include <memory>
#include <numeric>
#include <tuple>

#include "core/rules/matching.hpp"

namespace clearwood {
namespace {

struct Counted {
  double covered = 0, wrong = 0;
};

// The rows that satisfy all conditions, and by condition those that fail that one alone.
Counted count_misses(const std::vector<const Word*>& conditions, const Bits& right, const RuleRows& rows,
                     std::vector<Counted>& alone) {
  Counted all;
  alone.assign(conditions.size(), {});
  const auto add = [&](Counted& to, Word word, std::size_t i) {
    to.covered += rows.weight(word, i);
    if (const Word wrong = word & ~right[i]) to.wrong += rows.weight(wrong, i);
  };
  each_miss(
      conditions, rows.all, [&](Word word, std::size_t i) { add(all, word, i); },
      [&](std::size_t c, Word word, std::size_t i) { add(alone[c], word, i); });
  return all;
}

// The share of errors to expect; 1 where no row speaks for the rule.
double pessimistic_share(double covered, double wrong, const Pessimism& pessimism) {
  return covered > 0 ? (wrong + extra_errors(covered, wrong, pessimism)) / covered : 1;
}

// Drops the condition without which the pessimistic error is lowest, while it does not rise. `rule` brings its class and
// conditions; holds [condition] are the rows that satisfy each.
void generalise(GeneralRule& rule, const std::vector<Bits>& holds, const RuleRows& rows, const Pessimism& pessimism) {
  std::vector<const Word*> conditions;
  for (const auto each : rule.conditions) conditions.push_back(holds[static_cast<std::size_t>(each)].data());
  const Bits& right = rows.of_class[static_cast<std::size_t>(rule.answer)];
  std::vector<Counted> alone;
  for (bool first = true;; first = false) {
    const Counted all = count_misses(conditions, right, rows, alone);
    rule.covered = all.covered;
    rule.wrong = all.wrong;
    if (first) rule.first_error = rule.error = pessimistic_share(all.covered, all.wrong, pessimism);
    double lowest = 2;
    std::size_t chosen = 0;
    for (std::size_t c = conditions.size(); c-- > 0;) {  // of equals the last on the path
      const double without = pessimistic_share(all.covered + alone[c].covered, all.wrong + alone[c].wrong, pessimism);
      if (below(without, lowest)) lowest = without, chosen = c;
    }
    if (conditions.empty() || below(rule.error, lowest)) return;
    const auto place = static_cast<std::ptrdiff_t>(chosen);
    rule.dropped.push_back({rule.conditions[chosen], lowest});
    rule.error = lowest;
    rule.conditions.erase(rule.conditions.begin() + place);
    conditions.erase(conditions.begin() + place);
  }
}

Bits covered_by(const std::vector<std::int32_t>& conditions, const std::vector<Bits>& holds, const RuleRows& rows) {
  Bits covered = rows.all;
  for (const auto each : conditions) {
    const Bits& held = holds[static_cast<std::size_t>(each)];
    for (std::size_t i = 0; i < rows.words; ++i) covered[i] &= held[i];
  }
  return covered;
}

// The order of rules: classes by false positives, the class of the rest, and, as a setting, no rule that harms. `cover` [rule]
// are the rows each takes.

constexpr double slight = 1e-9;  // of the number of rows: a loss smaller than this is a rounding

double weight_of(const RuleRows& rows, const Bits& bits, const Bits& within, const Bits* without = nullptr) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.words; ++i)
    sum += rows.weight(bits[i] & within[i] & (without ? ~(*without)[i] : ~Word{0}), i);
  return sum;
}

// The chosen rules: the classes by fewest false positives among the rows still free, their rules by pessimistic error.
// Returns the rows left over.
Bits put_in_order(LeafRules& leaf_rules, const std::vector<Bits>& cover, const RuleRows& rows) {
  const std::size_t classes = rows.of_class.size();
  std::vector<std::vector<std::int32_t>> of_class(classes);
  std::vector<Bits> together(classes, no_rows(rows.rows));
  for (std::size_t rule = 0; rule < leaf_rules.rules.size(); ++rule) {
    if (!leaf_rules.chosen[rule]) continue;
    const auto answer = static_cast<std::size_t>(leaf_rules.rules[rule].answer);
    of_class[answer].push_back(static_cast<std::int32_t>(rule));
    for (std::size_t i = 0; i < rows.words; ++i) together[answer][i] |= cover[rule][i];
  }
  Bits free = rows.all;
  for (;;) {
    std::size_t next = classes;
    double fewest = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      if (of_class[c].empty()) continue;
      const double wrong = weight_of(rows, together[c], free, &rows.of_class[c]);
      if (next == classes || below(wrong, fewest)) next = c, fewest = wrong;
    }
    if (next == classes) return free;
    auto& mine = of_class[next];
    std::stable_sort(mine.begin(), mine.end(), [&](std::int32_t one, std::int32_t two) {
      return leaf_rules.rules[static_cast<std::size_t>(one)].error < leaf_rules.rules[static_cast<std::size_t>(two)].error;
    });
    leaf_rules.order.insert(leaf_rules.order.end(), mine.begin(), mine.end());
    for (std::size_t i = 0; i < rows.words; ++i) free[i] &= ~together[next][i];
    mine.clear();
  }
}

// The class with most of the rows left over; of equals the more frequent.
std::int32_t most_left(const Bits& left, const RuleRows& rows) {
  std::size_t answer = 0;
  const auto in = [&](const Bits& bits, std::size_t c) { return weight_of(rows, bits, rows.of_class[c]); };
  for (std::size_t c = 1; c < rows.of_class.size(); ++c) {
    const double best = in(left, answer), here = in(left, c);
    const bool equal = !below(here, best) && !below(best, here);
    if (below(best, here) || (equal && below(in(rows.all, answer), in(rows.all, c)))) answer = c;
  }
  return static_cast<std::int32_t>(answer);
}

// [place] by how much more weight is answered right with the rule than without it.
std::vector<double> worth_of(const LeafRules& leaf_rules, const std::vector<Bits>& cover, const RuleRows& rows,
                             const std::vector<std::int32_t>& class_of) {
  const std::size_t size = leaf_rules.order.size();
  std::vector<std::size_t> first(rows.rows, size), second(rows.rows, size);  // [row] the places that take it
  for (std::size_t place = 0; place < size; ++place)
    for_each_row(cover[static_cast<std::size_t>(leaf_rules.order[place])], [&](std::size_t row) {
      if (first[row] == size) {
        first[row] = place;
      } else if (second[row] == size) {
        second[row] = place;
      }
    });
  const auto answer = [&](std::size_t place) {
    return place < size ? leaf_rules.rules[static_cast<std::size_t>(leaf_rules.order[place])].answer : leaf_rules.otherwise;
  };
  std::vector<double> worth(size, 0);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (first[row] == size) continue;
    const int right = (answer(first[row]) == class_of[row]) - (answer(second[row]) == class_of[row]);
    worth[first[row]] += right * (rows.weight_of ? rows.weight_of[row] : 1.0);
  }
  return worth;
}

// Takes out, one at a time, the rule without which most rows more are answered right, while there is one.
void take_out_harmful(LeafRules& leaf_rules, const std::vector<Bits>& cover, const RuleRows& rows,
                      const std::vector<std::int32_t>& class_of, const StopFlag& stop) {
  for (;;) {
    check(stop);
    const auto worth = worth_of(leaf_rules, cover, rows, class_of);
    double worst = -slight * static_cast<double>(rows.rows);
    std::size_t out = worth.size();
    for (std::size_t place = 0; place < worth.size(); ++place)
      if (below(worth[place], worst)) worst = worth[place], out = place;
    if (out == worth.size()) return;
    leaf_rules.order.erase(leaf_rules.order.begin() + static_cast<std::ptrdiff_t>(out));
  }
}

void count_answers(LeafRules& leaf_rules, const std::vector<Bits>& cover, const RuleRows& rows) {
  Bits free = rows.all, taken = rows.all;
  const auto take = [&](const Bits& bits) {
    for (const Bits& each : rows.of_class) leaf_rules.counts.push_back(weight_of(rows, bits, each));
  };
  for (const auto rule : leaf_rules.order) {
    const Bits& own = cover[static_cast<std::size_t>(rule)];
    for (std::size_t i = 0; i < rows.words; ++i) taken[i] = own[i] & free[i], free[i] ^= taken[i];
    take(taken);
  }
  take(free);
}

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

// The columns' cells in that order, close together, as columns of their own.
struct OrderedColumns {
  std::vector<std::vector<double>> numbers;
  std::vector<std::vector<std::int32_t>> codes;
  Columns columns;

  OrderedColumns(const Columns& given, const std::vector<std::size_t>& order, const StopFlag& stop)
      : numbers(given.size()), codes(given.size()), columns(given.size()) {
    run_parallel(given.size(), thread_count(), [&](std::size_t c, int) {
      check(stop);
      if (!given[c]) return;
      const Column& from = *given[c];
      Column& to = columns[c].emplace();
      to.values = from.values;
      if (from.numeric()) {
        for (const auto row : order) numbers[c].push_back(from.number(row));
        to.type = Column::Type::float64;
        to.data = reinterpret_cast<const std::byte*>(numbers[c].data());
        to.stride = sizeof(double);
      } else {
        for (const auto row : order) codes[c].push_back(from.code(row));
        to.data = reinterpret_cast<const std::byte*>(codes[c].data());
        to.stride = sizeof(std::int32_t);
      }
    });
  }
};

// [condition] The rows that satisfy it: never one whose cell is missing.
std::vector<Bits> holding(const NodesView& nodes, const std::vector<std::int32_t>& asked, const Columns& columns,
                          std::size_t rows, const StopFlag& stop) {
  std::vector<std::int32_t> attribute, codes;
  std::vector<double> low, high;
  std::vector<std::int64_t> start{0};
  for (const std::int32_t node : asked) {
    attribute.push_back(nodes.attribute[node]);
    low.push_back(nodes.low[node]);
    high.push_back(nodes.high[node]);
    codes.insert(codes.end(), nodes.set_codes + nodes.set_start[node], nodes.set_codes + nodes.set_start[node + 1]);
    std::sort(codes.begin() + start.back(), codes.end());
    start.push_back(static_cast<std::int64_t>(codes.size()));
  }
  const auto or_missing = std::make_unique<bool[]>(asked.size());
  const Conditions conditions({asked.size(), attribute.data(), low.data(), high.data(), or_missing.get(), start.data(),
                               codes.data(), codes.size()}, columns);
  std::vector<Bits> holds(asked.size());
  run_parallel(holds.size(), thread_count(), [&](std::size_t condition, int) {
    check(stop);
    holds[condition] = no_rows(rows);
    conditions.answer(condition, 0, rows, holds[condition].data());
  });
  return holds;
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

LeafRules c45_rules(const LabelledTree& from, const ClassedRows& given, const C45RulesSettings& settings,
                    const StopFlag& stop) {
  const Ways ways = ways_of(from);
  const auto order = leaf_by_leaf(from.walk, given.rows, stop);
  const OrderedColumns ordered(from.walk.columns, order, stop);
  std::vector<std::int32_t> class_of;
  std::vector<double> weights;
  for (const auto row : order) {
    class_of.push_back(given.class_of[row]);
    if (given.weight_of) weights.push_back(given.weight_of[row]);
  }
  const RuleRows rows(order.size(), static_cast<std::size_t>(given.classes), class_of.data(), given.weight_of ? weights.data() : nullptr);
  const std::vector<Bits> holds = holding(from.walk.nodes, ways.node, ordered.columns, order.size(), stop);

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
  leaf_rules.otherwise = most_left(put_in_order(leaf_rules, cover, rows), rows);
  if (settings.drop_harmful) take_out_harmful(leaf_rules, cover, rows, class_of, stop);
  count_answers(leaf_rules, cover, rows);

  for (auto& rule : leaf_rules.rules) {
    for (auto& each : rule.conditions) each = ways.node[static_cast<std::size_t>(each)];
    for (auto& each : rule.dropped) each.condition = ways.node[static_cast<std::size_t>(each.condition)];
  }
  return leaf_rules;
}

}  // namespace clearwood
