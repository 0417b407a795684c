#include "core/rules/covering.hpp"

#include <cmath>
#include <numeric>

#include "core/trees/learner.hpp"
#include "core/trees/target.hpp"

namespace clearwood {
namespace {

// Rule quality: how good is a complex, seen from the classes of the rows it covers and of all rows searched?

// The measure's figure and, among equals, the weight of the class that is answered.
struct RuleScore {
  double quality = -std::numeric_limits<double>::infinity();
  double right = 0.0;
  bool beats(const RuleScore& other) const {
    if (better(quality, other.quality, 1.0)) return true;
    return !better(other.quality, quality, 1.0) && better(right, other.right, other.right);
  }
};

// All there is to know of a complex: could it be a rule, and what might conditions still make of it?
struct RuleVerdict {
  RuleScore score, potential;
  bool enough = false, significant = false, likelier = false, pure = false;
  bool may_be_a_rule() const { return likelier && significant; }
};

class RuleQuality {
 public:
  // `goal` is the class that rules are sought for; below 0, a complex answers the majority of what it covers.
  RuleQuality(RuleMeasure measure, std::vector<double> before, int goal, double min_rows, double critical)
      : measure_(measure), before_(std::move(before)), goal_(goal), min_rows_(min_rows), critical_(critical) {
    total_ = std::accumulate(before_.begin(), before_.end(), 0.0);
  }

  int answer(const double* counts) const {
    if (goal_ >= 0) return goal_;
    std::size_t best = 0;
    for (std::size_t c = 1; c < before_.size(); ++c)
      if (better(counts[c], counts[best], counts[best])) best = c;
    return static_cast<int>(best);
  }

  RuleVerdict judge(const double* counts) const {
    RuleVerdict verdict;
    const double covered = std::accumulate(counts, counts + before_.size(), 0.0);
    verdict.enough = covered >= min_rows_ - 1e-9;
    if (!verdict.enough) return verdict;
    const auto cls = static_cast<std::size_t>(answer(counts));
    verdict.score = score(counts, cls, covered);
    verdict.potential = potential(counts);
    verdict.significant = std::isinf(critical_) || likelihood_ratio(counts, covered) >= critical_ * (1 - tie);
    verdict.likelier = better(counts[cls], expected(cls, covered), covered);
    verdict.pure = !better(covered, *std::max_element(counts, counts + before_.size()), covered);
    return verdict;
  }

 private:
  double expected(std::size_t answer, double covered) const { return covered * before_[answer] / total_; }

  RuleScore score(const double* counts, std::size_t cls, double covered) const {
    const double right = counts[cls];
    switch (measure_) {
      case RuleMeasure::laplace:
        return {(right + 1) / (covered + static_cast<double>(before_.size())), right};
      case RuleMeasure::wracc:
        return {(right - expected(cls, covered)) / total_, right};
      case RuleMeasure::entropy:
        break;
    }
    double negated = 0.0;
    for (std::size_t c = 0; c < before_.size(); ++c)
      if (counts[c] > 0) negated += counts[c] / covered * std::log2(counts[c] / covered);
    // The purer of others the worse.
    if (goal_ >= 0 && better(covered, 2 * right, covered)) negated = -2 - negated;
    return {negated, right};
  }

  RuleScore potential(const double* counts) const {
    const std::size_t first = goal_ < 0 ? 0 : static_cast<std::size_t>(goal_);
    const std::size_t end = goal_ < 0 ? before_.size() : first + 1;
    const double right = *std::max_element(counts + first, counts + end);
    switch (measure_) {
      case RuleMeasure::laplace:
        return {(right + 1) / (right + static_cast<double>(before_.size())), right};
      case RuleMeasure::entropy:
        return {0.0, right};
      case RuleMeasure::wracc:
        break;
    }
    double gain = 0.0;
    for (std::size_t c = first; c < end; ++c) gain = std::max(gain, counts[c] * (1 - before_[c] / total_) / total_);
    return {gain, right};
  }

  double likelihood_ratio(const double* counts, double covered) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < before_.size(); ++c)
      if (counts[c] > 0) sum += counts[c] * std::log(counts[c] / expected(c, covered));
    return 2 * sum;
  }

  RuleMeasure measure_;
  std::vector<double> before_;
  double total_ = 0.0;
  int goal_;
  double min_rows_;
  double critical_;
};

// Beam search: the best complex of conditions among some rows, from general to special, a few at a time.

struct Complex {
  std::vector<RuleTest> tests;  // in the order of their columns' first; of a column one, or several `≠`
  RowList rows;
};

constexpr std::size_t worth_a_thread = 1 << 18;  // cells to count; below, starting one costs more than it saves

// A complex with one condition more: which, and what is thought of it.
struct Offer {
  std::size_t parent = 0;
  RuleTest test;            // the new condition alone
  std::int32_t last = -1;   // a cut's: the last rank of the low side
  RuleVerdict verdict;
};

// A code that occurs, and in how many rows.
struct Value {
  std::int32_t code;
  std::size_t rows;
};

struct BeamScratch {
  RowsByCode by_code;
  std::vector<Value> values;
  std::vector<double> counts;  // [value, class]
  std::vector<std::uint32_t> rows;
  std::vector<double> weights, known, others, side;
};

class Search {
 public:
  Search(const std::vector<RuleColumn>& columns, const Labels& labels, const RuleQuality& quality, bool negations)
      : columns_(columns), labels_(labels), quality_(quality), negations_(negations) {}

  void specialise(const Complex& one, std::size_t parent, std::size_t column, BeamScratch& scratch,
                  std::vector<Offer>& offers) const {
    const RuleColumn& cells = columns_[column];
    bool already_tested = false;
    for (const RuleTest& test : one.tests) {
      if (static_cast<std::size_t>(test.column) != column) continue;
      if (!cells.numeric && !test.negated) return;
      already_tested = true;
    }
    scratch.values.clear();
    scratch.counts.clear();
    if (cells.size * labels_.size > 8 * one.rows.size() + 4096) {
      count_few_of_many_values(one, cells, scratch);
    } else {
      count_every_value(one, cells, scratch);
    }
    if (cells.numeric) {
      offer_cuts(parent, column, scratch, offers);
    } else {
      offer_values(one, parent, column, already_tested, scratch, offers);
    }
  }

  Complex made(const Complex& parent, const Offer& offer) const {
    Complex child{with(parent, offer.test), {}};
    const auto& codes = columns_[static_cast<std::size_t>(offer.test.column)].codes;
    if (offer.test.code >= 0) {
      for (const Row row : parent.rows)
        if (codes[row] >= 0 && (codes[row] == offer.test.code) != offer.test.negated) child.rows.push_back(row);
    } else if (offer.test.high < infinity) {
      for (const Row row : parent.rows)
        if (codes[row] >= 0 && codes[row] <= offer.last) child.rows.push_back(row);
    } else {
      for (const Row row : parent.rows)
        if (codes[row] > offer.last) child.rows.push_back(row);
    }
    return child;
  }

  static std::vector<RuleTest> with(const Complex& parent, const RuleTest& more) {
    std::vector<RuleTest> tests = parent.tests;
    for (RuleTest& test : tests)
      if (test.column == more.column && more.code < 0) {
        test.low = std::max(test.low, more.low);
        test.high = std::min(test.high, more.high);
        return tests;
      }
    tests.push_back(more);
    return tests;
  }

 private:
  // `=` every value that occurs, and then `≠`, which of two values is but the `=` of the other.
  void offer_values(const Complex& one, std::size_t parent, std::size_t column, bool already_tested, BeamScratch& scratch,
                    std::vector<Offer>& offers) const {
    const std::size_t width = labels_.size;
    const auto offer = [&](std::int32_t code, bool negated, const double* counts) {
      const Offer made{parent, {static_cast<std::int32_t>(column), code, 0.0, 0.0, negated}, -1, quality_.judge(counts)};
      if (made.verdict.enough) offers.push_back(made);
    };
    for (std::size_t i = 0; !already_tested && i < scratch.values.size(); ++i)
      if (scratch.values[i].rows < one.rows.size()) offer(scratch.values[i].code, false, &scratch.counts[i * width]);
    if (!negations_ || scratch.values.size() < 3) return;
    count_known(one, columns_[column], scratch);
    scratch.others.resize(width);
    for (std::size_t i = 0; i < scratch.values.size(); ++i) {
      for (std::size_t c = 0; c < width; ++c) scratch.others[c] = scratch.known[c] - scratch.counts[i * width + c];
      offer(scratch.values[i].code, true, scratch.others.data());
    }
  }

  // [class] the rows with a value. Weights in their order: where one value has all of a class, no crumb is left.
  void count_known(const Complex& one, const RuleColumn& cells, BeamScratch& scratch) const {
    scratch.known.assign(labels_.size, 0.0);
    if (labels_.weights) {
      for (const Row row : one.rows)
        if (cells.codes[row] >= 0) labels_.add(row, scratch.known.data());
    } else {
      for (std::size_t i = 0; i < scratch.counts.size(); ++i) scratch.known[i % labels_.size] += scratch.counts[i];
    }
  }

  void count_every_value(const Complex& one, const RuleColumn& cells, BeamScratch& scratch) const {
    const std::size_t width = labels_.size;
    // Code −1 has a place too, the first.
    scratch.rows.assign((cells.size + 1) * width, 0);
    std::uint32_t* const rows = scratch.rows.data() + width;
    const auto place = [&](Row row) {
      return static_cast<std::ptrdiff_t>(cells.codes[row]) * static_cast<std::ptrdiff_t>(width) + labels_.of[row];
    };
    for (const Row row : one.rows) ++rows[place(row)];
    scratch.weights.assign(scratch.rows.begin(), scratch.rows.end());
    double* const weights = scratch.weights.data() + width;
    if (labels_.weights) {
      std::fill(scratch.weights.begin(), scratch.weights.end(), 0.0);
      for (const Row row : one.rows) weights[place(row)] += labels_.weights[row];
    }
    for (std::size_t code = 0; code < cells.size; ++code) {
      const auto here = std::accumulate(rows + code * width, rows + (code + 1) * width, std::size_t{0});
      if (here == 0) continue;
      scratch.values.push_back({static_cast<std::int32_t>(code), here});
      scratch.counts.insert(scratch.counts.end(), weights + code * width, weights + (code + 1) * width);
    }
  }

  void count_few_of_many_values(const Complex& one, const RuleColumn& cells, BeamScratch& scratch) const {
    const auto& sorted = scratch.by_code.sort(cells, one.rows);
    for (std::size_t begin = 0, end; begin < sorted.size(); begin = end) {
      scratch.counts.resize(scratch.counts.size() + labels_.size, 0.0);
      double* const counts = &scratch.counts[scratch.counts.size() - labels_.size];
      for (end = begin; end < sorted.size() && sorted[end].first == sorted[begin].first; ++end)
        labels_.add(sorted[end].second, counts);
      scratch.values.push_back({sorted[begin].first, end - begin});
    }
  }

  // The best `≤` and the best `>`, each side summed from its own end: a difference of sums would leave crumbs.
  void offer_cuts(std::size_t parent, std::size_t column, BeamScratch& scratch, std::vector<Offer>& offers) const {
    const std::vector<Value>& values = scratch.values;
    const auto number = static_cast<std::int32_t>(column);
    Offer low{parent, {number, -1, -infinity, 0.0}, -1, {}}, high{parent, {number, -1, 0.0, infinity}, -1, {}};
    const auto add = [&](std::size_t value) {
      for (std::size_t c = 0; c < labels_.size; ++c) scratch.side[c] += scratch.counts[value * labels_.size + c];
    };
    scratch.side.assign(labels_.size, 0.0);
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      add(i);
      const RuleVerdict verdict = quality_.judge(scratch.side.data());
      if (verdict.enough && (low.last < 0 || better_cut(verdict, low.verdict))) {
        low.verdict = verdict;
        low.last = values[i].code;
        low.test.high = limit(columns_[column], values[i].code, values[i + 1].code);
      }
    }
    scratch.side.assign(labels_.size, 0.0);
    for (std::size_t i = values.size(); i-- > 1;) {
      add(i);
      const RuleVerdict verdict = quality_.judge(scratch.side.data());
      // The sweep is downward and the smaller of equal thresholds wins: what is not worse takes the place.
      if (verdict.enough && (high.last < 0 || !better_cut(high.verdict, verdict))) {
        high.verdict = verdict;
        high.last = values[i - 1].code;
        high.test.low = limit(columns_[column], values[i - 1].code, values[i].code);
      }
    }
    if (low.last >= 0) offers.push_back(low);
    if (high.last >= 0) offers.push_back(high);
  }

  static bool better_cut(const RuleVerdict& one, const RuleVerdict& other) {
    if (one.may_be_a_rule() != other.may_be_a_rule()) return one.may_be_a_rule();
    return one.score.beats(other.score);
  }

  static double limit(const RuleColumn& column, std::int32_t below, std::int32_t above) {
    const double middle =
        midpoint(column.values[static_cast<std::size_t>(below)], column.values[static_cast<std::size_t>(above)]);
    return column.stepped ? std::floor(middle) : middle;
  }

  const std::vector<RuleColumn>& columns_;
  const Labels& labels_;
  const RuleQuality& quality_;
  bool negations_;
};

// The same conditions, in whatever order.
bool same_tests(const std::vector<RuleTest>& one, const std::vector<RuleTest>& other) {
  return one.size() == other.size() && std::all_of(one.begin(), one.end(), [&](const RuleTest& test) {
           return std::find(other.begin(), other.end(), test) != other.end();
         });
}

// Those worth going on with, best first: not pure, of enough promise, each set of conditions once.
std::vector<Complex> best_few(const Search& search, const std::vector<Complex>& parents, const std::vector<Offer>& offers,
                              const Offer* best, std::size_t beam) {
  std::vector<const Offer*> left;
  for (const Offer& offer : offers)
    if (!offer.verdict.pure && (!best || offer.verdict.potential.beats(best->verdict.score))) left.push_back(&offer);
  std::vector<Complex> kept;
  while (!left.empty() && kept.size() < beam) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < left.size(); ++i)
      if (left[i]->verdict.score.beats(left[first]->verdict.score)) first = i;
    const Offer& chosen = *left[first];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(first));
    const auto tests = Search::with(parents[chosen.parent], chosen.test);
    if (std::none_of(kept.begin(), kept.end(), [&](const Complex& each) { return same_tests(each.tests, tests); }))
      kept.push_back(search.made(parents[chosen.parent], chosen));
  }
  return kept;
}

// False where no complex may be a rule. Threads only share the counting; the choice is made in one order.
bool beam_search(const std::vector<RuleColumn>& columns, const Labels& labels, const RowList& rows,
                 const RuleQuality& quality, const Cn2Settings& settings, int threads, const StopFlag& stop, Complex& best) {
  const Search search(columns, labels, quality, settings.negations);
  std::vector<Complex> kept{{{}, rows}};
  Offer champion;
  bool any = false;
  std::vector<BeamScratch> scratch(static_cast<std::size_t>(std::max(1, threads)));
  for (int step = 0; !kept.empty() && step != settings.max_conditions; ++step) {
    check(stop);
    std::size_t cells = 0;
    for (const Complex& one : kept) cells += one.rows.size() * columns.size();
    std::vector<std::vector<Offer>> offers_by_job(kept.size() * columns.size());
    run_parallel(offers_by_job.size(), cells < worth_a_thread ? 1 : threads, [&](std::size_t job, int thread) {
      check(stop);
      const std::size_t one = job / columns.size();
      search.specialise(kept[one], one, job % columns.size(), scratch[static_cast<std::size_t>(thread)],
                        offers_by_job[job]);
    });
    std::vector<Offer> offers;
    for (const auto& each : offers_by_job) offers.insert(offers.end(), each.begin(), each.end());
    const Offer* leader = nullptr;
    for (const Offer& offer : offers) {
      const RuleVerdict& verdict = offer.verdict;
      if (!verdict.may_be_a_rule() || (any && !verdict.score.beats(champion.verdict.score))) continue;
      champion = offer;
      leader = &offer;
      any = true;
    }
    if (leader) best = search.made(kept[leader->parent], *leader);
    kept = best_few(search, kept, offers, any ? &champion : nullptr, static_cast<std::size_t>(settings.beam));
  }
  return any;
}

class Cn2Covering {
 public:
  Cn2Covering(const Problem& problem, const Cn2Settings& settings, int threads, const StopFlag& stop)
      : columns_(rule_columns(problem, threads, stop)), settings_(settings), threads_(threads), stop_(stop) {
    classes_.of.assign(problem.class_of, problem.class_of + problem.rows);
    classes_.size = static_cast<std::size_t>(problem.classes);
    classes_.weights = problem.weight_of;
    every_.resize(problem.rows);
    std::iota(every_.begin(), every_.end(), Row{0});
  }

  LearnedRules run() {
    if (settings_.ordered) {
      ordered();
    } else {
      for (std::size_t goal = 0; goal < classes_.size; ++goal) for_one_class(static_cast<std::int32_t>(goal));
      rules_.otherwise = classes_.count(every_);
    }
    return std::move(rules_);
  }

 private:
  bool search(const Labels& labels, const RowList& rows, const RuleQuality& quality, Complex& best) const {
    return beam_search(columns_, labels, rows, quality, settings_, threads_, stop_, best);
  }

  // Each rule takes its rows away from those that follow.
  void ordered() {
    RowList left = every_;
    Complex best;
    while (!left.empty()) {
      const RuleQuality quality(settings_.measure, classes_.count(left), -1, settings_.min_rows, settings_.critical);
      if (!search(classes_, left, quality, best)) break;
      const auto counts = classes_.count(best.rows);
      rules_.add(best.tests, quality.answer(counts.data()), counts);
      RowList rest;
      std::set_difference(left.begin(), left.end(), best.rows.begin(), best.rows.end(), std::back_inserter(rest));
      left = std::move(rest);
    }
    rules_.otherwise = classes_.count(left.empty() ? every_ : left);
  }

  // Each rule takes away the rows of its own class only: those of others must stay to be avoided.
  void for_one_class(std::int32_t goal) {
    Labels versus{{}, 2, classes_.weights};
    for (const std::int32_t each : classes_.of) versus.of.push_back(each == goal);
    RowList left = every_;
    auto of_goal = [&](Row row) { return versus.of[row] == 1; };
    Complex best;
    while (std::any_of(left.begin(), left.end(), of_goal)) {
      const RuleQuality quality(settings_.measure, versus.count(left), 1, settings_.min_rows, settings_.critical);
      if (!search(versus, left, quality, best)) break;
      rules_.add(best.tests, goal, classes_.count(covered(best)));
      best.rows.erase(std::remove_if(best.rows.begin(), best.rows.end(), [&](Row row) { return !of_goal(row); }),
                      best.rows.end());
      RowList rest;
      std::set_difference(left.begin(), left.end(), best.rows.begin(), best.rows.end(), std::back_inserter(rest));
      left = std::move(rest);
    }
  }

  RowList covered(const Complex& rule) const {
    RowList rows;
    for (const Row row : every_)
      if (std::all_of(rule.tests.begin(), rule.tests.end(), [&](const RuleTest& test) {
            return satisfies(test, columns_[static_cast<std::size_t>(test.column)], row);
          }))
        rows.push_back(row);
    return rows;
  }

  std::vector<RuleColumn> columns_;
  const Cn2Settings& settings_;
  int threads_;
  const StopFlag& stop_;
  Labels classes_;
  RowList every_;
  LearnedRules rules_;
};

}  // namespace

LearnedRules learn_cn2(const Problem& problem, const Cn2Settings& settings, int threads, const StopFlag& stop) {
  return Cn2Covering(problem, settings, threads, stop).run();
}

}  // namespace clearwood
