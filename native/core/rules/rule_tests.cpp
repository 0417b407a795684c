#include "core/rules/rule_tests.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace clearwood {

namespace {

constexpr std::size_t rules_a_job = 16;
constexpr std::int32_t classes_as_bits = 64;

void check_ranges(const ConditionRows& satisfied, const RuleMembers& rules, const ClassRows& truth) {
  if (rules.starts.empty() || rules.starts.front() != 0 ||
      static_cast<std::size_t>(rules.starts.back()) != rules.members.size() ||
      !std::is_sorted(rules.starts.begin(), rules.starts.end()))
    throw std::invalid_argument("The rules' starts must rise from 0 to the number of members.");
  for (const auto member : rules.members)
    if (member < 0 || static_cast<std::size_t>(member) >= satisfied.conditions)
      throw std::invalid_argument("A rule names a condition that is not there.");
  for (std::size_t row = 0; row < satisfied.rows; ++row)
    if (truth.target[row] < 0 || truth.target[row] >= truth.classes)
      throw std::invalid_argument("A row's class is out of range.");
}

// The rows of each class as bits, where that is how they are counted: without weights, and for few classes.
std::vector<Bits> bits_by_class(const ClassRows& truth, std::size_t rows) {
  if (truth.weights || truth.classes > classes_as_bits) return {};
  std::vector<Bits> of_class(static_cast<std::size_t>(truth.classes), no_rows(rows));
  for (std::size_t row = 0; row < rows; ++row) put(of_class[static_cast<std::size_t>(truth.target[row])], row);
  return of_class;
}

// How the rows of a set are counted by class, and what all rows come to.
class Counter {
 public:
  Counter(const ClassRows& truth, std::size_t rows)
      : truth_(truth), by_class_(bits_by_class(truth, rows)), all_(static_cast<std::size_t>(truth.classes), 0.0) {
    one_by_one(all_rows(rows), all_.data());
  }

  std::size_t width() const { return all_.size(); }
  const std::vector<double>& all() const { return all_; }

  // counts [class] begin as zeros
  void count(const Bits& chosen, double* counts) const {
    const auto filled = static_cast<std::size_t>(std::count_if(chosen.begin(), chosen.end(), [](Word w) { return w != 0; }));
    // A word costs a step for each class, a row one step: few rows are quicker one by one.
    if (by_class_.empty() || filled * 2 < chosen.size()) return one_by_one(chosen, counts);
    auto left = static_cast<double>(clearwood::count(chosen.data(), chosen.size()));
    for (std::size_t c = 0; c + 1 < by_class_.size(); ++c) {
      counts[c] = static_cast<double>(count_both(chosen.data(), by_class_[c].data(), chosen.size()));
      left -= counts[c];
    }
    counts[by_class_.size() - 1] = left;
  }

 private:
  void one_by_one(const Bits& chosen, double* counts) const {
    for_each_row(chosen, [&](std::size_t row) { counts[truth_.target[row]] += truth_.weights ? truth_.weights[row] : 1.0; });
  }

  const ClassRows& truth_;
  std::vector<Bits> by_class_;
  std::vector<double> all_;
};

struct CountingScratch {
  std::vector<Bits> before;  // [i]: the rows that satisfy every condition before the i-th
  Bits after, chosen;
};

// The only condition of a rule parts all rows: what does not satisfy it is the rest. Both sides' sums go in the order
// of the rows, so that a class all on one side leaves exactly 0 on the other.
void count_alone(const Word* here, std::size_t words, const Counter& counter, CountingScratch& scratch, double* counts) {
  scratch.chosen.assign(here, here + words);
  counter.count(scratch.chosen, counts);
  for (std::size_t c = 0; c < counter.width(); ++c) counts[counter.width() + c] = counter.all()[c] - counts[c];
}

void count_rule(const ConditionRows& satisfied, std::span<const std::int32_t> members, const Counter& counter,
                CountingScratch& scratch, double* counts) {
  const std::size_t words = words_for(satisfied.rows);
  const auto bits_of = [&](std::size_t i) { return satisfied.bits + static_cast<std::size_t>(members[i]) * words; };
  if (members.size() == 1) return count_alone(bits_of(0), words, counter, scratch, counts);
  if (scratch.before.size() < members.size()) scratch.before.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    scratch.before[i].resize(words);
    if (i == 0) {
      scratch.before[0] = all_rows(satisfied.rows);
      continue;
    }
    const Word* const last = bits_of(i - 1);
    for (std::size_t w = 0; w < words; ++w) scratch.before[i][w] = scratch.before[i - 1][w] & last[w];
  }
  scratch.after = all_rows(satisfied.rows);
  scratch.chosen.resize(words);
  for (std::size_t i = members.size(); i-- > 0;) {
    const Word* const here = bits_of(i);
    const Bits& before = scratch.before[i];
    double* const of_condition = counts + i * 2 * counter.width();
    for (std::size_t w = 0; w < words; ++w) scratch.chosen[w] = before[w] & scratch.after[w] & here[w];
    counter.count(scratch.chosen, of_condition);
    for (std::size_t w = 0; w < words; ++w) scratch.chosen[w] = before[w] & scratch.after[w] & ~here[w];
    counter.count(scratch.chosen, of_condition + counter.width());
    for (std::size_t w = 0; w < words; ++w) scratch.after[w] &= here[w];
  }
}

}  // namespace

void count_by_condition(const ConditionRows& satisfied, const RuleMembers& rules, const ClassRows& truth, double* counts,
                        int threads, const StopFlag& stop) {
  check_ranges(satisfied, rules, truth);
  const Counter counter(truth, satisfied.rows);
  const std::size_t count = rules.starts.size() - 1;
  std::vector<CountingScratch> scratches(static_cast<std::size_t>(std::max(threads, 1)));
  run_parallel((count + rules_a_job - 1) / rules_a_job, threads, [&](std::size_t job, int thread) {
    check(stop);
    for (std::size_t rule = job * rules_a_job; rule < std::min(count, (job + 1) * rules_a_job); ++rule) {
      const auto begin = static_cast<std::size_t>(rules.starts[rule]);
      const auto end = static_cast<std::size_t>(rules.starts[rule + 1]);
      count_rule(satisfied, rules.members.subspan(begin, end - begin), counter,
                 scratches[static_cast<std::size_t>(thread)], counts + begin * 2 * counter.width());
    }
  });
}

}  // namespace clearwood
