#include "core/rules/ripper.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/numeric/chance.hpp"
#include "core/rules/ripper_grow.hpp"

namespace clearwood {
namespace {

// Bits to say which of `size` things are marked, to one who expects this rate.
double subset_bits(double size, double marked, double rate) {
  const double crumb = ripper_tie * size;
  constexpr double never = std::numeric_limits<double>::infinity();
  double bits = 0;
  if (marked > crumb) bits += rate > 0 ? -marked * std::log2(rate) : never;
  if (size - marked > crumb) bits += rate < 1 ? -(size - marked) * std::log2(1 - rate) : never;
  return bits;
}

// Bits for a whole number that could be any (Rissanen 1983).
double number_bits(double number) {
  double bits = 0;
  while (number > 1) bits += number = std::log2(number);
  return bits;
}

}  // namespace

double rule_bits(std::size_t tests, double possible) {
  if (tests == 0) return 0;
  const double k = static_cast<double>(tests);
  const double n = std::max(possible, k);
  return 0.5 * (number_bits(k) + subset_bits(n, k, k / n));
}

double exception_bits(double covered, double uncovered, double wrong, double missed, double share) {
  const double errors = wrong + missed;
  const double all = covered + uncovered;
  double bits = std::log2(all + 1);
  const bool more_covered = covered - uncovered > ripper_tie * all;
  if (covered > 0) bits += subset_bits(covered, wrong, (more_covered ? share * errors : wrong) / covered);
  if (uncovered > 0) bits += subset_bits(uncovered, missed, (more_covered ? missed : (1 - share) * errors) / uncovered);
  return bits;
}

namespace {

// Draws which rows a rule is grown on and which are held back: splitmix64 (Steele, Lea and Flood 2014), as in the Python
// definition.
class Dealer {
 public:
  explicit Dealer(std::uint64_t seed) : state_(seed) {}

  std::size_t below(std::size_t limit) {
    state_ += golden;
    return static_cast<std::size_t>((mixed(state_) >> 32) * limit >> 32);
  }

 private:
  std::uint64_t state_;
};

struct Covering {
  std::vector<RipperTest> tests;
  RowList rows;  // alive ones that satisfy the tests
};

constexpr double slack_bits = 64;  // how much longer than the shortest a description may get before covering stops

struct Weights {
  double positive = 0, others = 0;
  double all() const { return positive + others; }
};

// One class against the rest, on the rows no rule of a rarer class takes: cover, optimise, cover again, and delete what only
// lengthens the description.
class OneClass {
 public:
  OneClass(const std::vector<RuleColumn>& columns, const double* weights, const RipperSettings& settings, RuleGrower& grower,
           Dealer& dealer, std::vector<RipperStep>& steps, const Bits& alive, const Bits& positive, std::int32_t code)
      : columns_(columns), weights_(weights), settings_(settings), grower_(grower), dealer_(dealer), alive_(alive),
        positive_(positive), steps_(steps), code_(code), possible_(grower.possible()), times_(alive.size() * 64, 0) {
    for_each_row(alive, [&](std::size_t row) { alive_rows_.push_back(static_cast<std::uint32_t>(row)); });
    total_ = weigh(alive_rows_);
    grower_.begin(alive, positive);
  }

  std::vector<Covering> learn() {
    cover();
    if (!settings_.prune) return std::move(rules_);
    for (round_ = 1; round_ <= settings_.optimizations; ++round_) {
      optimize();
      cover();
    }
    return std::move(rules_);
  }

 private:
  void cover() {
    Bits left = alive_;
    std::fill(times_.begin(), times_.end(), 0);
    for (const auto& rule : rules_) take(rule, left);
    Weights covered = covered_once();
    double rules_bits = bits_of_rules();
    double length = rules_bits + exceptions(covered);
    double shortest = length;
    while (any_positive(left)) {
      auto [growing, pruning] = deal(left);
      RipperDraft draft;
      make(draft, {}, growing, pruning, false);
      Covering rule = covering(draft);
      Weights taken;
      bool any = false;
      for (const auto row : rule.rows)
        if (has(left, row)) {
          add(taken, row);
          any = any || has(positive_, row);
        }
      double after = length;
      if (draft.kept > 0)
        after = rules_bits + rule_bits(draft.kept, possible_) +
                exceptions({covered.positive + taken.positive, covered.others + taken.others});
      const RipperStep::Action action = verdict(draft, any, taken, after, shortest);
      const bool added = action == RipperStep::Action::added;
      note(action, rules_.size(), length, added ? after : length, {std::move(draft)});
      if (!added) break;
      rules_bits += rule_bits(rule.tests.size(), possible_);
      covered.positive += taken.positive;
      covered.others += taken.others;
      take(rule, left);
      rules_.push_back(std::move(rule));
      length = after;
      shortest = std::min(shortest, length);
    }
    if (settings_.prune) delete_rules();
  }

  RipperStep::Action verdict(const RipperDraft& draft, bool any, const Weights& taken, double length, double shortest) const {
    using Action = RipperStep::Action;
    if (draft.kept == 0) return Action::nothing_left;
    if (!any) return Action::covers_none;
    if (settings_.check_error && taken.others >= taken.positive - ripper_tie * taken.all()) return Action::half_wrong;
    if (settings_.prune && length > shortest + slack_bits + ripper_tie * shortest) return Action::too_long;
    return Action::added;
  }

  void optimize() {
    Bits left = alive_;
    count_times();
    std::vector<std::uint32_t> later = times_;  // [row] how many of the rules after this one take it
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      for (const auto row : rules_[i].rows) --later[row];
      if (any_positive(left)) improve(i, left, later);
      for (const auto row : rules_[i].rows) left[row / 64] &= ~(Word{1} << (row % 64));
    }
  }

  void improve(std::size_t i, const Bits& left, const std::vector<std::uint32_t>& later) {
    auto [growing, pruning] = deal(left);
    for (std::size_t w = 0; w < pruning.size(); ++w)
      for_each_row(pruning[w], w * 64, [&](std::size_t row) {
        if (later[row]) pruning[w] &= ~(Word{1} << (row % 64));
      });
    const double before = shortened(rules_, nullptr);
    double best = before;
    auto action = RipperStep::Action::kept;
    std::vector<RipperDraft> drafts(2);
    drafts[0].kind = RipperDraft::Kind::revision;
    drafts[1].kind = RipperDraft::Kind::replacement;
    const Covering old = rules_[i];
    Covering chosen = old;
    for (RipperDraft& draft : drafts) {
      const bool revision = draft.kind == RipperDraft::Kind::revision;
      make(draft, revision ? old.tests : std::vector<RipperTest>{}, growing, pruning, true);
      draft.length = std::numeric_limits<double>::infinity();
      if (draft.kept == 0) continue;
      Covering rule = covering(draft);
      exchange(i, rule);
      draft.length = shortened(rules_, nullptr);
      if (best - draft.length > ripper_tie * before) {
        best = draft.length;
        action = revision ? RipperStep::Action::revised : RipperStep::Action::replaced;
        chosen = std::move(rule);
      }
    }
    exchange(i, chosen);
    note(action, i, before, best, std::move(drafts));
  }

  // Puts another rule in the place of rule i, with `times_` kept up.
  void exchange(std::size_t i, const Covering& rule) {
    for (const auto row : rules_[i].rows) --times_[row];
    for (const auto row : rule.rows) ++times_[row];
    rules_[i] = rule;
  }

  void delete_rules() {
    count_times();
    std::vector<std::size_t> gone;
    double before = bits_of_rules() + exceptions(covered_once());
    shortened(rules_, &gone);
    for (const std::size_t i : gone) {  // from the last to the first
      for (const auto row : rules_[i].rows) --times_[row];
      rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(i));
      const double after = bits_of_rules() + exceptions(covered_once());
      note(RipperStep::Action::deleted, i, before, after, {});
      before = after;
    }
  }

  // The description's length when the rules that only lengthen it are deleted, from the last to the first; `times_` holds
  // how many rules take each row.
  double shortened(const std::vector<Covering>& rules, std::vector<std::size_t>* gone) {
    scratch_ = times_;
    Weights covered = covered_once();
    double rules_bits = bits_of_rules();
    double length = rules_bits + exceptions(covered);
    for (std::size_t i = rules.size(); i-- > 0;) {
      Weights alone;
      for (const auto row : rules[i].rows)
        if (scratch_[row] == 1) add(alone, row);
      const Weights rest{covered.positive - alone.positive, covered.others - alone.others};
      const double bits = rules_bits - rule_bits(rules[i].tests.size(), possible_);
      const double without = bits + exceptions(rest);
      if (!(length - without > -ripper_tie * length)) continue;
      for (const auto row : rules[i].rows) --scratch_[row];
      covered = rest;
      rules_bits = bits;
      length = without;
      if (gone) gone->push_back(i);
    }
    return length;
  }

  void make(RipperDraft& draft, const std::vector<RipperTest>& start, const Bits& growing, const Bits& pruning, bool whole) {
    draft.start = start.size();
    draft.grown = start;
    if (start.empty()) {
      grower_.grow(growing, draft);
    } else {
      Bits satisfying = growing;
      for (const RipperTest& test : start) keep(satisfying, test);
      grower_.grow(satisfying, draft);
    }
    draft.kept = draft.grown.size();
    if (settings_.prune && draft.kept > 0) prune(draft, pruning, whole);
  }

  // Cuts the rule after the tests with which it does best on the rows held back; the shortest of equals. Within a whole rule
  // list the best is the one with fewest errors of the list.
  void prune(RipperDraft& draft, Bits rows, bool whole) {
    const Weights all = weigh(rows);
    double scale = whole ? all.all() : 1.0;
    double value = value_of(all, whole);
    draft.value = value;
    draft.kept = 0;
    for (std::size_t i = 0; i < draft.grown.size(); ++i) {
      keep(rows, draft.grown[i]);
      value = value_of(weigh(rows), whole);
      if (value > draft.value + ripper_tie * std::max(scale, 1e-300)) {
        draft.value = value;
        draft.kept = i + 1;
      }
    }
    draft.value_grown = value;
  }

  static double value_of(const Weights& w, bool whole) {
    return whole ? w.positive - w.others : (w.positive + 1) / (w.all() + 2);
  }

  // Of the positive rows one in so many is held back, and then of the others; each choice is equally likely.
  std::pair<Bits, Bits> deal(const Bits& rows) {
    std::pair<Bits, Bits> dealt{rows, Bits(rows.size(), 0)};
    if (!settings_.prune) return dealt;
    for (const bool positive : {true, false}) {
      Bits kind = rows;
      for (std::size_t w = 0; w < kind.size(); ++w) kind[w] &= positive ? positive_[w] : ~positive_[w];
      std::size_t to_come = count(kind.data(), kind.size());
      std::size_t to_hold_back = to_come / static_cast<std::size_t>(settings_.folds);
      for_each_row(kind, [&](std::size_t row) {
        if (dealer_.below(to_come--) >= to_hold_back) return;
        put(dealt.second, row);
        --to_hold_back;
      });
    }
    for (std::size_t w = 0; w < rows.size(); ++w) dealt.first[w] &= ~dealt.second[w];
    return dealt;
  }

  Covering covering(const RipperDraft& draft) const {
    Covering rule;
    rule.tests.assign(draft.grown.begin(), draft.grown.begin() + static_cast<std::ptrdiff_t>(draft.kept));
    if (rule.tests.empty()) return rule;
    rule.rows = alive_rows_;
    for (const RipperTest& test : rule.tests) {
      const RuleColumn& column = columns_[static_cast<std::size_t>(test.column)];
      const CodeInterval interval = interval_of(column, test);
      std::size_t size = 0;
      for (const auto row : rule.rows) {
        rule.rows[size] = row;
        size += interval.takes(column.codes[row]);
      }
      rule.rows.resize(size);
    }
    return rule;
  }

  void keep(Bits& rows, const RipperTest& test) const {
    const RuleColumn& column = columns_[static_cast<std::size_t>(test.column)];
    const CodeInterval interval = interval_of(column, test);
    for (std::size_t w = 0; w < rows.size(); ++w) {
      Word stays = 0;
      for_each_row(rows[w], w * 64, [&](std::size_t row) {
        stays |= static_cast<Word>(interval.takes(column.codes[row])) << (row % 64);
      });
      rows[w] = stays;
    }
  }

  void take(const Covering& rule, Bits& left) {
    for (const auto row : rule.rows) {
      ++times_[row];
      left[row / 64] &= ~(Word{1} << (row % 64));
    }
  }

  void count_times() {
    std::fill(times_.begin(), times_.end(), 0);
    for (const auto& rule : rules_)
      for (const auto row : rule.rows) ++times_[row];
  }

  Weights covered_once() const {
    Weights sum;
    for (const auto row : alive_rows_)
      if (times_[row]) add(sum, row);
    return sum;
  }

  double bits_of_rules() const {
    double bits = 0;
    for (const auto& rule : rules_) bits += rule_bits(rule.tests.size(), possible_);
    return bits;
  }

  double exceptions(const Weights& covered) const {
    return exception_bits(covered.all(), total_.all() - covered.all(), covered.others, total_.positive - covered.positive,
                          total_.positive / total_.all());
  }

  bool any_positive(const Bits& rows) const {
    for (std::size_t w = 0; w < rows.size(); ++w)
      if (rows[w] & positive_[w]) return true;
    return false;
  }

  void add(Weights& sum, std::size_t row) const {
    (has(positive_, row) ? sum.positive : sum.others) += weights_ ? weights_[row] : 1.0;
  }

  Weights weigh(const RowList& rows) const {
    Weights sum;
    for (const auto row : rows) add(sum, row);
    return sum;
  }

  Weights weigh(const Bits& rows) const {
    Weights sum;
    if (weights_) {
      for_each_row(rows, [&](std::size_t row) { add(sum, row); });
    } else {
      sum.positive = static_cast<double>(count_both(rows.data(), positive_.data(), rows.size()));
      sum.others = static_cast<double>(count(rows.data(), rows.size())) - sum.positive;
    }
    return sum;
  }

  void note(RipperStep::Action action, std::size_t position, double before, double after, std::vector<RipperDraft> drafts) {
    steps_.push_back({action, code_, round_, position, before, after, std::move(drafts)});
  }

  const std::vector<RuleColumn>& columns_;
  const double* weights_;
  const RipperSettings& settings_;
  RuleGrower& grower_;
  Dealer& dealer_;
  const Bits& alive_;
  const Bits& positive_;
  std::vector<RipperStep>& steps_;
  std::int32_t code_;
  double possible_;
  Weights total_;
  RowList alive_rows_;
  std::vector<Covering> rules_;
  std::vector<std::uint32_t> times_, scratch_;  // [row] how many rules take it
  int round_ = 0;
};

// From the rarest class to the most common, of equals the last first; classes without rows are left out.
std::vector<std::int32_t> class_order(const Problem& problem) {
  std::vector<double> weight(static_cast<std::size_t>(problem.classes), 0);
  for (std::size_t row = 0; row < problem.rows; ++row)
    weight[static_cast<std::size_t>(problem.class_of[row])] += problem.weight_of ? problem.weight_of[row] : 1.0;
  std::vector<std::int32_t> order;
  for (std::int32_t code = problem.classes; code-- > 0;)
    if (weight[static_cast<std::size_t>(code)] > 0) order.push_back(code);
  // Shares in steps of the tie, so that rounding does not order equal classes.
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  for (double& each : weight) each = std::floor(each / total / ripper_tie + 0.5);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return weight[static_cast<std::size_t>(a)] < weight[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace

RipperRules ripper(const Problem& problem, const RipperSettings& settings, int threads, const StopFlag& stop) {
  RipperRules learned;
  learned.taken.assign(problem.rows, -1);
  const auto order = class_order(problem);
  if (order.empty()) return learned;
  learned.otherwise = order.back();
  const auto columns = rule_columns(problem, threads, stop);
  RuleGrower grower(columns, problem.weight_of, settings.min_rows, threads, stop);
  Dealer dealer(settings.seed);
  Bits alive = all_rows(problem.rows);
  for (std::size_t c = 0; c + 1 < order.size(); ++c) {
    Bits positive = no_rows(problem.rows);
    for (std::size_t row = 0; row < problem.rows; ++row)
      if (problem.class_of[row] == order[c]) put(positive, row);
    OneClass one(columns, problem.weight_of, settings, grower, dealer, learned.steps, alive, positive, order[c]);
    for (Covering& rule : one.learn()) {
      for (const auto row : rule.rows) {
        if (!has(alive, row)) continue;
        learned.taken[row] = static_cast<std::int32_t>(learned.rules.size());
        alive[row / 64] &= ~(Word{1} << (row % 64));
      }
      learned.rules.push_back({order[c], std::move(rule.tests)});
    }
  }
  return learned;
}

}  // namespace clearwood
