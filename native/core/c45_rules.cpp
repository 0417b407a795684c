#include "core/c45_rules.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace clearwood {
namespace {

constexpr double slight = 1e-9;  // of the number of rows: a loss smaller than this is a rounding

// The different conditions of a tree, and every leaf's way down in their numbers.
struct Ways {
  std::vector<std::int32_t> node;  // [condition] the first that asks it
  std::vector<std::int32_t> condition_of;  // [node]
  std::vector<std::int32_t> leaf;  // [rule]
  std::vector<std::vector<std::int32_t>> way;  // [rule] conditions from the top
};

Ways ways_of(const LeafRules& from) {
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

// The rows leaf by leaf: those of one region then share words, and most words are told apart by one condition.
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
struct Cells {
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;  // −1 where missing or beyond the values
};

Cells cells_of(const Column& column, const std::vector<std::size_t>& order) {
  Cells cells;
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
Bits holding(const NodesView& nodes, const Columns& columns, const std::vector<Cells>& cells, std::int32_t node) {
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
// Returns the rows left over.
Bits put_in_order(C45Rules& found, const std::vector<Bits>& cover, const RuleRows& rows) {
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
      return found.rules[static_cast<std::size_t>(one)].error < found.rules[static_cast<std::size_t>(two)].error;
    });
    found.order.insert(found.order.end(), mine.begin(), mine.end());
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

// Takes out, one at a time, the rule without which most rows more are answered right, while there is one.
void drop_harmful(C45Rules& found, const std::vector<Bits>& cover, const std::vector<std::int32_t>& class_of,
                  const RuleRows& rows, const StopFlag& stop) {
  for (;;) {
    check(stop);
    const std::size_t size = found.order.size();
    std::vector<std::size_t> first(rows.rows, size), second(rows.rows, size);  // [row] the places that take it
    for (std::size_t place = 0; place < size; ++place)
      for_each_row(cover[static_cast<std::size_t>(found.order[place])], [&](std::size_t row) {
        if (first[row] == size) {
          first[row] = place;
        } else if (second[row] == size) {
          second[row] = place;
        }
      });
    const auto said = [&](std::size_t place) {
      return place < size ? found.rules[static_cast<std::size_t>(found.order[place])].said : found.otherwise;
    };
    std::vector<double> worth(size, 0);
    for (std::size_t row = 0; row < rows.rows; ++row) {
      if (first[row] == size) continue;
      const int right = (said(first[row]) == class_of[row]) - (said(second[row]) == class_of[row]);
      worth[first[row]] += right * (rows.weight_of ? rows.weight_of[row] : 1.0);
    }
    double worst = -slight * static_cast<double>(rows.rows);
    std::size_t out = size;
    for (std::size_t place = 0; place < size; ++place)
      if (below(worth[place], worst)) worst = worth[place], out = place;
    if (out == size) return;
    found.order.erase(found.order.begin() + static_cast<std::ptrdiff_t>(out));
  }
}

// [place + 1, class] the rows each rule answers, and those that none takes.
void count_answers(C45Rules& found, const std::vector<Bits>& cover, const RuleRows& rows) {
  Bits free = rows.all;
  const auto take = [&](const Bits& taken) {
    for (const Bits& each : rows.of_class) found.counts.push_back(weight_of(rows, taken, each));
  };
  for (const auto rule : found.order) {
    Bits taken = cover[static_cast<std::size_t>(rule)];
    for (std::size_t i = 0; i < rows.words; ++i) taken[i] &= free[i], free[i] ^= taken[i];
    take(taken);
  }
  take(free);
}

}  // namespace

RuleSizes sizes_of(const LeafRules& from) {
  const Ways ways = ways_of(from);
  return {ways.node.size(), ways.leaf.size()};
}

C45Rules c45_rules(const LeafRules& from, const TargetRows& given, const C45RulesSettings& settings, const StopFlag& stop) {
  const Ways ways = ways_of(from);
  const auto order = leaf_by_leaf(from.walk, given.rows, stop);
  const Columns& columns = from.walk.columns;
  std::vector<Cells> cells(columns.size());
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
    generalise(general, holds, rows, settings.pessimism);
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
    const RuleSubset best = best_subset(rules, rows, length, settings.subset, stop);
    for (std::size_t i = 0; i < of_class[c].size(); ++i) found.chosen[of_class[c][i]] = best.chosen[i];
    found.class_bits[c * 3] = best.bits_of_none;
    found.class_bits[c * 3 + 1] = best.bits_of_all;
    found.class_bits[c * 3 + 2] = best.bits;
  });
  found.otherwise = most_left(put_in_order(found, cover, rows), rows);
  if (settings.drop_harmful) drop_harmful(found, cover, class_of, rows, stop);
  count_answers(found, cover, rows);

  for (auto& rule : found.rules) {
    for (auto& each : rule.conditions) each = ways.node[static_cast<std::size_t>(each)];
    for (auto& each : rule.dropped) each.condition = ways.node[static_cast<std::size_t>(each.condition)];
  }
  return found;
}

}  // namespace clearwood
