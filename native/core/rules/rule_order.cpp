#include "core/rules/rule_order.hpp"

#include <algorithm>
#include <utility>

namespace clearwood {
namespace {

constexpr double slight = 1e-9;  // of the number of rows: a loss smaller than this is a rounding

double weight_of(const RuleRows& rows, const Bits& bits, const Bits& within, const Bits* without = nullptr) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.words; ++i)
    sum += rows.weight(bits[i] & within[i] & (without ? ~(*without)[i] : ~Word{0}), i);
  return sum;
}

// The classes by fewest false positives among the rows still free, their rules by pessimistic error.
// Returns the rows left over.
Bits put_in_order(std::vector<ChosenRule>& rules, const RuleRows& rows) {
  const std::size_t classes = rows.of_class.size();
  std::vector<std::vector<ChosenRule>> of_class(classes);
  std::vector<Bits> together(classes, no_rows(rows.rows));
  for (const auto& rule : rules) {
    const auto answer = static_cast<std::size_t>(rule.answer);
    of_class[answer].push_back(rule);
    for (std::size_t i = 0; i < rows.words; ++i) together[answer][i] |= rule.cover[i];
  }
  rules.clear();
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
    std::stable_sort(mine.begin(), mine.end(),
                     [](const ChosenRule& one, const ChosenRule& two) { return one.error < two.error; });
    rules.insert(rules.end(), mine.begin(), mine.end());
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
std::vector<double> worth_of(const RuleOrder& order, const RuleRows& rows, const std::vector<std::int32_t>& class_of) {
  const std::size_t size = order.rules.size();
  std::vector<std::size_t> first(rows.rows, size), second(rows.rows, size);  // [row] the places that take it
  for (std::size_t place = 0; place < size; ++place)
    for (std::size_t i = 0; i < rows.words; ++i)
      for_each_row(order.rules[place].cover[i], i * 64, [&](std::size_t row) {
        if (first[row] == size) {
          first[row] = place;
        } else if (second[row] == size) {
          second[row] = place;
        }
      });
  const auto answer = [&](std::size_t place) { return place < size ? order.rules[place].answer : order.otherwise; };
  std::vector<double> worth(size, 0);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (first[row] == size) continue;
    const int right = (answer(first[row]) == class_of[row]) - (answer(second[row]) == class_of[row]);
    worth[first[row]] += right * (rows.weight_of ? rows.weight_of[row] : 1.0);
  }
  return worth;
}

// Takes out, one at a time, the rule without which most rows more are answered right, while there is one.
void take_out_harmful(RuleOrder& order, const RuleRows& rows, const std::vector<std::int32_t>& class_of,
                      const StopFlag& stop) {
  for (;;) {
    check(stop);
    const auto worth = worth_of(order, rows, class_of);
    double worst = -slight * static_cast<double>(rows.rows);
    std::size_t out = worth.size();
    for (std::size_t place = 0; place < worth.size(); ++place)
      if (below(worth[place], worst)) worst = worth[place], out = place;
    if (out == worth.size()) return;
    order.rules.erase(order.rules.begin() + static_cast<std::ptrdiff_t>(out));
  }
}

void count_answers(RuleOrder& order, const RuleRows& rows) {
  Bits free = rows.all, taken = rows.all;
  const auto take = [&](const Bits& bits) {
    for (const Bits& each : rows.of_class) order.counts.push_back(weight_of(rows, bits, each));
  };
  for (const auto& rule : order.rules) {
    for (std::size_t i = 0; i < rows.words; ++i) taken[i] = rule.cover[i] & free[i], free[i] ^= taken[i];
    take(taken);
  }
  take(free);
}

}  // namespace

RuleOrder in_order(std::vector<ChosenRule> rules, const RuleRows& rows, const std::vector<std::int32_t>& class_of,
                   bool drop_harmful, const StopFlag& stop) {
  RuleOrder order{std::move(rules), 0, {}};
  order.otherwise = most_left(put_in_order(order.rules, rows), rows);
  if (drop_harmful) take_out_harmful(order, rows, class_of, stop);
  count_answers(order, rows);
  return order;
}

}  // namespace clearwood
