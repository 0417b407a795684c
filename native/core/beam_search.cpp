#include "core/beam_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/target.hpp"

namespace clearwood {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr std::size_t worth_a_thread = 1 << 18;  // cells to count; below, starting one costs more than it saves

// A complex with one condition more: which, and what is thought of it.
struct Offer {
  std::size_t parent = 0;
  RuleTest test;            // the new condition alone
  std::int32_t last = -1;   // a cut's: the last rank of the low side
  RuleVerdict verdict;
};

struct BeamScratch {
  RowsByCode by_code;
  std::vector<std::uint32_t> rows;
  std::vector<double> counts, known, others;
  bool equal = true, negated = false;  // which conditions on the codes of this column are worth an offer
};

class Search {
 public:
  Search(const std::vector<RuleColumn>& columns, const Labels& labels, const RuleQuality& quality, bool negations)
      : columns_(columns), labels_(labels), quality_(quality), negations_(negations) {}

  void specialise(const Complex& one, std::size_t parent, std::size_t column, BeamScratch& scratch,
                  std::vector<Offer>& offers) const {
    const RuleColumn& cells = columns_[column];
    if (cells.numeric) {
      cut(one, parent, column, scratch, offers);
      return;
    }
    std::size_t excluded = 0;
    for (const RuleTest& test : one.tests) {
      if (static_cast<std::size_t>(test.column) != column) continue;
      if (!test.negated) return;
      ++excluded;
    }
    scratch.equal = excluded == 0;
    // Where two values are left, `≠` one is `=` the other.
    scratch.negated = negations_ && cells.size > excluded + 2;
    if (!scratch.equal && !scratch.negated) return;
    if (cells.size * labels_.size > 8 * one.rows.size() + 4096) {
      few_of_many_values(one, parent, column, scratch, offers);
    } else {
      every_value(one, parent, column, scratch, offers);
    }
  }

  Complex made(const Complex& parent, const Offer& offer) const {
    Complex child{with(parent, offer.test), {}};
    const auto& codes = columns_[static_cast<std::size_t>(offer.test.column)].codes;
    if (offer.test.code >= 0) {
      for (const Row row : parent.rows)
        if (codes[row] >= 0 && (codes[row] == offer.test.code) != offer.test.negated) child.rows.push_back(row);
    } else if (offer.test.high < inf) {
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
  // `=` and `≠` this code, which `here` of the `known` rows have.
  void offer_value(const Complex& one, std::size_t parent, std::size_t column, std::int32_t code, std::size_t here,
                   std::size_t known, const double* counts, BeamScratch& scratch, std::vector<Offer>& offers) const {
    if (here == 0) return;
    const auto offer = [&](bool negated, const double* found) {
      Offer made{parent, {static_cast<std::int32_t>(column), code, 0.0, 0.0, negated}, -1, quality_.judge(found)};
      if (made.verdict.enough) offers.push_back(std::move(made));
    };
    if (scratch.equal && here < one.rows.size()) offer(false, counts);
    if (!scratch.negated || here == known) return;
    scratch.others.resize(labels_.size);
    for (std::size_t c = 0; c < labels_.size; ++c) scratch.others[c] = scratch.known[c] - counts[c];
    offer(true, scratch.others.data());
  }

  // [class] the rows with a value, added up in their order: where one value has all of a class, no crumb is left.
  std::size_t count_known(const Complex& one, const RuleColumn& cells, BeamScratch& scratch) const {
    std::size_t known = 0;
    scratch.known.assign(labels_.size, 0.0);
    for (const Row row : one.rows)
      if (cells.codes[row] >= 0) {
        labels_.add(row, scratch.known.data());
        ++known;
      }
    return known;
  }

  void every_value(const Complex& one, std::size_t parent, std::size_t column, BeamScratch& scratch,
                   std::vector<Offer>& offers) const {
    const RuleColumn& cells = columns_[column];
    const std::size_t width = labels_.size;
    // Code −1 has a place too, the first.
    scratch.rows.assign((cells.size + 1) * width, 0);
    std::uint32_t* const rows = scratch.rows.data() + width;
    const auto place = [&](Row row) {
      return static_cast<std::ptrdiff_t>(cells.codes[row]) * static_cast<std::ptrdiff_t>(width) + labels_.of[row];
    };
    for (const Row row : one.rows) ++rows[place(row)];
    scratch.counts.assign(scratch.rows.begin(), scratch.rows.end());
    double* const counts = scratch.counts.data() + width;
    if (labels_.weights) {
      std::fill(scratch.counts.begin(), scratch.counts.end(), 0.0);
      for (const Row row : one.rows) counts[place(row)] += labels_.weights[row];
    }
    const std::size_t known = count_known(one, cells, scratch);
    for (std::size_t code = 0; code < cells.size; ++code) {
      const auto here = std::accumulate(rows + code * width, rows + (code + 1) * width, std::size_t{0});
      offer_value(one, parent, column, static_cast<std::int32_t>(code), here, known, counts + code * width, scratch,
                  offers);
    }
  }

  void few_of_many_values(const Complex& one, std::size_t parent, std::size_t column, BeamScratch& scratch,
                          std::vector<Offer>& offers) const {
    const auto& sorted = scratch.by_code.sort(columns_[column], one.rows);
    const std::size_t known = count_known(one, columns_[column], scratch);
    for (std::size_t begin = 0, end; begin < sorted.size(); begin = end) {
      scratch.counts.assign(labels_.size, 0.0);
      for (end = begin; end < sorted.size() && sorted[end].first == sorted[begin].first; ++end)
        labels_.add(sorted[end].second, scratch.counts.data());
      offer_value(one, parent, column, sorted[begin].first, end - begin, known, scratch.counts.data(), scratch, offers);
    }
  }

  // The best `≤` and the best `>`, each side summed from its own end: a difference of sums would leave crumbs.
  void cut(const Complex& one, std::size_t parent, std::size_t column, BeamScratch& scratch,
           std::vector<Offer>& offers) const {
    const auto& sorted = scratch.by_code.sort(columns_[column], one.rows);
    if (sorted.empty()) return;
    const auto number = static_cast<std::int32_t>(column);
    Offer low{parent, {number, -1, -inf, 0.0}, -1, {}}, high{parent, {number, -1, 0.0, inf}, -1, {}};
    scratch.counts.assign(labels_.size, 0.0);
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
      labels_.add(sorted[i].second, scratch.counts.data());
      if (sorted[i].first == sorted[i + 1].first) continue;
      const RuleVerdict verdict = quality_.judge(scratch.counts.data());
      if (verdict.enough && (low.last < 0 || better_cut(verdict, low.verdict))) {
        low.verdict = verdict;
        low.last = sorted[i].first;
        low.test.high = limit(columns_[column], sorted[i].first, sorted[i + 1].first);
      }
    }
    scratch.counts.assign(labels_.size, 0.0);
    for (std::size_t i = sorted.size() - 1; i > 0; --i) {
      labels_.add(sorted[i].second, scratch.counts.data());
      if (sorted[i].first == sorted[i - 1].first) continue;
      const RuleVerdict verdict = quality_.judge(scratch.counts.data());
      // The sweep is downward and the smaller of equal thresholds wins: what is not worse takes the place.
      if (verdict.enough && (high.last < 0 || !better_cut(high.verdict, verdict))) {
        high.verdict = verdict;
        high.last = sorted[i - 1].first;
        high.test.low = limit(columns_[column], sorted[i - 1].first, sorted[i].first);
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

// The same conditions, in whatever order they were asked.
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

}  // namespace

bool beam_search(const std::vector<RuleColumn>& columns, const Labels& labels, const RowList& rows,
                 const RuleQuality& quality, const BeamSettings& settings, int threads, const StopFlag& stop,
                 Complex& best) {
  const Search search(columns, labels, quality, settings.negations);
  std::vector<Complex> kept{{{}, rows}};
  Offer champion;
  bool any = false;
  std::vector<BeamScratch> scratch(static_cast<std::size_t>(std::max(1, threads)));
  for (int step = 0; !kept.empty() && step != settings.max_conditions; ++step) {
    check(stop);
    std::size_t cells = 0;
    for (const Complex& one : kept) cells += one.rows.size() * columns.size();
    std::vector<std::vector<Offer>> found(kept.size() * columns.size());
    run_parallel(found.size(), cells < worth_a_thread ? 1 : threads, [&](std::size_t job, int thread) {
      check(stop);
      const std::size_t one = job / columns.size();
      search.specialise(kept[one], one, job % columns.size(), scratch[static_cast<std::size_t>(thread)], found[job]);
    });
    std::vector<Offer> offers;
    for (const auto& each : found) offers.insert(offers.end(), each.begin(), each.end());
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

}  // namespace clearwood
