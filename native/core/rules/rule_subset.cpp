#include "core/rules/rule_subset.hpp"

namespace clearwood {

namespace {

struct Sums {
  double right = 0, wrong = 0;  // row weights of the class, and of the others
};

// What all searches share: the rows' sums and the value of a subset.
struct SubsetSearch {
  const RulesOfClass& rules;
  const RuleRows& rows;
  const DescriptionLength& length;
  const SubsetSettings& settings;
  Sums total{};

  std::size_t size() const { return rules.cover.size(); }

  void add(Sums& sums, Word word, std::size_t i) const {
    sums.right += rows.weight(word & rules.right[i], i);
    sums.wrong += rows.weight(word & ~rules.right[i], i);
  }

  Sums sums(const Word* one, const Word* two) const {
    Sums both;
    for (std::size_t i = 0; i < rows.words; ++i)
      if (const Word word = one[i] & two[i]) add(both, word, i);
    return both;
  }

  double value(std::size_t chosen, double bits, const Sums& covered) const {
    const double rest = total.right - covered.right;
    return settings.theory_weight * (bits - length.factorial_bits(static_cast<double>(chosen))) +
           length.exception_bits(covered.right + covered.wrong, covered.wrong,
                                 rest + total.wrong - covered.wrong, rest);
  }
};

// Every subset, in the order of the numbers whose bits they are; of equals the one of fewest rules.
void try_all(const SubsetSearch& search, RuleSubset& best) {
  const std::size_t size = search.size(), words = search.rows.words;
  std::vector<Bits> unions(size + 1, Bits(words, 0));  // [depth] of the rules taken so far, last rule first
  std::size_t fewest = 0;
  std::uint64_t best_mask = 0;
  bool first = true;
  const auto descend = [&](const auto& self, std::size_t left, std::uint64_t mask, std::size_t taken,
                           double bits) -> void {
    if (left == 0) {
      const double value = search.value(taken, bits, search.sums(unions[0].data(), search.rows.all.data()));
      const bool equal = !below(value, best.bits) && !below(best.bits, value);
      if (first || below(value, best.bits) || (equal && taken < fewest))
        best.bits = value, fewest = taken, best_mask = mask;
      first = false;
      return;
    }
    const std::size_t rule = left - 1;
    unions[rule] = unions[left];
    self(self, rule, mask, taken, bits);
    for (std::size_t i = 0; i < words; ++i) unions[rule][i] = unions[left][i] | search.rules.cover[rule][i];
    self(self, rule, mask | std::uint64_t{1} << rule, taken + 1, bits + search.rules.bits[rule]);
  };
  descend(descend, size, 0, 0, 0);
  for (std::size_t rule = 0; rule < size; ++rule) best.chosen[rule] = (best_mask >> rule & 1) != 0;
}

// A subset that takes in or leaves out one rule at a time; `gain` is kept as rows change hands.
class Climber {
 public:
  Climber(const SubsetSearch& search, bool from_all)
      : search_(search), chosen_(search.size(), from_all), times_(search.rows.rows, 0), free_(search.rows.all),
        once_(search.rows.words, 0), gain_(search.size()) {
    if (from_all)
      for (std::size_t rule = 0; rule < search.size(); ++rule) {
        bits_ += search.rules.bits[rule];
        for (std::size_t i = 0; i < search.rows.words; ++i)
          for_each_row(search.rules.cover[rule][i], i * 64, [&](std::size_t row) { pass(row, true); });
      }
    taken_ = from_all ? search.size() : 0;
    for (std::size_t rule = 0; rule < search.size(); ++rule) recount(rule);
    value_ = search.value(taken_, bits_, covered());
  }

  void climb(const StopFlag& stop) {
    while (step()) check(stop);
  }

  const std::vector<char>& chosen() const { return chosen_; }
  double value() const { return value_; }

 private:
  // The single change that shortens the description most, the first of equals.
  bool step() {
    const Sums now = covered();
    double best = value_;
    std::size_t change = chosen_.size();
    for (std::size_t rule = 0; rule < chosen_.size(); ++rule) {
      const double sign = chosen_[rule] ? -1 : 1;
      const Sums then{now.right + sign * gain_[rule].right, now.wrong + sign * gain_[rule].wrong};
      const double value =
          search_.value(chosen_[rule] ? taken_ - 1 : taken_ + 1, bits_ + sign * search_.rules.bits[rule], then);
      if (below(value, best)) best = value, change = rule;
    }
    if (change == chosen_.size()) return false;
    value_ = best;
    toggle(change);
    return true;
  }

  void toggle(std::size_t rule) {
    const bool takes = !chosen_[rule];
    chosen_[rule] = takes;
    taken_ += takes ? 1 : static_cast<std::size_t>(-1);
    bits_ += takes ? search_.rules.bits[rule] : -search_.rules.bits[rule];
    changed_.clear();
    for (std::size_t i = 0; i < search_.rows.words; ++i) {
      const Word free = free_[i], once = once_[i];
      for_each_row(search_.rules.cover[rule][i], i * 64, [&](std::size_t row) { pass(row, takes); });
      if (free != free_[i] || once != once_[i]) changed_.push_back({i, free, once});
    }
    recount(rule);
    for (std::size_t other = 0; other < chosen_.size(); ++other)
      if (other != rule) update(other);
  }

  // Only words whose rows changed hands can change another rule's gain.
  void update(std::size_t rule) {
    const Word* cover = search_.rules.cover[rule];
    Sums& gain = gain_[rule];
    for (const Changed& was : changed_) {
      const Word before = cover[was.word] & (chosen_[rule] ? was.once : was.free);
      const Word after = cover[was.word] & (chosen_[rule] ? once_[was.word] : free_[was.word]);
      if (before == after) continue;
      if (search_.rows.weight_of) {  // sums of weights are counted again, so that roundings do not pile up
        recount(rule);
        return;
      }
      Sums lost;
      if (const Word gone = before & ~after) search_.add(lost, gone, was.word);
      if (const Word come = after & ~before) search_.add(gain, come, was.word);
      gain.right -= lost.right;
      gain.wrong -= lost.wrong;
    }
  }

  void recount(std::size_t rule) {
    gain_[rule] = search_.sums(search_.rules.cover[rule], (chosen_[rule] ? once_ : free_).data());
  }

  // One more chosen rule takes the row, or one less.
  void pass(std::size_t row, bool takes) {
    const Word bit = Word{1} << (row % 64);
    Word &free = free_[row / 64], &once = once_[row / 64];
    const auto times = times_[row] += takes ? 1 : -1;
    free = times == 0 ? free | bit : free & ~bit;
    once = times == 1 ? once | bit : once & ~bit;
  }

  Sums covered() const {
    const Sums rest = search_.sums(free_.data(), search_.rows.all.data());
    return {search_.total.right - rest.right, search_.total.wrong - rest.wrong};
  }

  struct Changed {
    std::size_t word;
    Word free, once;  // before
  };

  const SubsetSearch& search_;
  std::vector<char> chosen_;
  std::vector<std::int32_t> times_;  // [row] how many chosen rules take it
  Bits free_, once_;                 // rows that none takes, and that one takes
  std::vector<Sums> gain_;           // [rule] rows it would add, or, chosen, that go with it
  std::vector<Changed> changed_;
  std::size_t taken_ = 0;
  double bits_ = 0, value_ = 0;
};

}  // namespace

RuleSubset best_subset(const RulesOfClass& rules, const RuleRows& rows, const DescriptionLength& length,
                       const SubsetSettings& settings, const StopFlag& stop) {
  SubsetSearch search{rules, rows, length, settings};
  search.total = search.sums(rows.all.data(), rows.all.data());
  RuleSubset best;
  best.chosen.assign(search.size(), 0);
  Climber from_none(search, false), from_all(search, true);
  best.bits_of_none = from_none.value();
  best.bits_of_all = from_all.value();
  if (search.size() <= settings.exhaustive) {
    try_all(search, best);
    return best;
  }
  from_none.climb(stop);
  from_all.climb(stop);
  const Climber& better = below(from_all.value(), from_none.value()) ? from_all : from_none;
  best.chosen = better.chosen();
  best.bits = better.value();
  return best;
}

}  // namespace clearwood
