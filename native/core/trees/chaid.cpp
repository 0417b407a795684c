#include "core/trees/learners.hpp"

#include "core/trees/target.hpp"
#include "core/trees/values.hpp"

namespace clearwood {
namespace {

// Bonferroni: in how many ways could the categories have been merged into as many groups?

// A number of ways, and its logarithm for where the number itself is more than a double holds.
struct Ways {
  double number = 1.0;
  double log = 0.0;
};

constexpr double log_zero = -infinity;

double log_sum(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == log_zero ? a : a + std::log1p(std::exp(b - a));
}

double choose(std::size_t n, std::size_t k) {
  if (k > n) return 0.0;
  k = std::min(k, n - k);
  double product = 1.0;
  // Every partial product is itself a binomial coefficient, so the divisions come out even while they fit.
  for (std::size_t i = 1; i <= k; ++i)
    product = product * static_cast<double>(n - k + i) / static_cast<double>(i);
  return product;
}

double log_choose(std::size_t n, std::size_t k) {
  if (k > n) return log_zero;
  double sum = 0.0;
  for (std::size_t i = 1; i <= std::min(k, n - k); ++i)
    sum += std::log(static_cast<double>(n - std::min(k, n - k) + i)) - std::log(static_cast<double>(i));
  return sum;
}

// S(n, k) = k S(n − 1, k) + S(n − 1, k − 1), in the numbers or in their logarithms.
template <class Step>
double stirling(std::size_t n, std::size_t k, double zero, double one, Step step) {
  std::vector<double> row(k + 1, zero);
  row[0] = one;
  for (std::size_t m = 1; m <= n; ++m) {
    // Only entries from which S(n, k) can still be reached are needed.
    const std::size_t low = std::max<std::size_t>(1, k > n - m ? k - (n - m) : 1);
    for (std::size_t j = std::min(m, k); j >= low; --j) row[j] = step(j, row[j], row[j - 1]);
    if (m == 1) row[0] = zero;
  }
  return row[k];
}

// C(I − 1, r − 1)
Ways ways_ordinal(std::size_t categories, std::size_t groups) {
  return {choose(categories - 1, groups - 1), log_choose(categories - 1, groups - 1)};
}

// The Stirling number S(I, r).
Ways ways_nominal(std::size_t categories, std::size_t groups) {
  const double number = stirling(categories, groups, 0.0, 1.0, [](std::size_t j, double here, double left) {
    return static_cast<double>(j) * here + left;
  });
  if (std::isfinite(number)) return {number, std::log(number)};
  const double log = stirling(categories, groups, log_zero, 0.0, [](std::size_t j, double here, double left) {
    return log_sum(std::log(static_cast<double>(j)) + here, left);
  });
  return {number, log};
}

// C(I − 2, r − 2) + r C(I − 2, r − 1)
Ways ways_floating(std::size_t categories, std::size_t groups) {
  const auto r = static_cast<double>(groups);
  return {choose(categories - 2, groups - 2) + r * choose(categories - 2, groups - 1),
          log_sum(log_choose(categories - 2, groups - 2), std::log(r) + log_choose(categories - 2, groups - 1))};
}

// As SPSS counts them.
Ways ways_exhaustive(std::size_t categories, bool nominal) {
  const auto i = static_cast<double>(categories);
  const double number = nominal ? i * (i * i - 1) / 2 : i * (i - 1) / 2;
  return {number, std::log(number)};
}

Categories categories_of(ValueCounts& counts, ChaidTest test, std::size_t width, bool ordered) {
  Categories categories;
  categories.test = test;
  categories.width = width;
  categories.ordered = ordered;
  categories.has_missing = counts.missing_weight > 0.0;
  categories.rows = std::move(counts.table);
  categories.size = counts.codes.size();
  if (categories.has_missing) {
    categories.rows.insert(categories.rows.end(), counts.missing.begin(), counts.missing.end());
    ++categories.size;
  }
  return categories;
}

// A value without rows here goes to the nearest group of an ordered column, the lower if midway; else to the largest.
void place_absent(std::vector<std::int32_t>& branch_of, bool ordered, int largest) {
  if (!ordered) {
    std::replace(branch_of.begin(), branch_of.end(), -1, largest);
    return;
  }
  const auto size = static_cast<std::ptrdiff_t>(branch_of.size());
  std::ptrdiff_t below = -1;
  for (std::ptrdiff_t code = 0; code <= size; ++code) {
    if (code < size && branch_of[static_cast<std::size_t>(code)] < 0) continue;
    for (std::ptrdiff_t gap = below + 1; gap < code; ++gap) {
      const bool lower = below >= 0 && (code == size || gap - below <= code - gap);
      branch_of[static_cast<std::size_t>(gap)] = branch_of[static_cast<std::size_t>(lower ? below : code)];
    }
    // Gaps just filled are behind us; `below` is always a value that has rows.
    below = code;
  }
}

class Chaid : public LearnerOf<ChaidSettings> {
 public:
  using LearnerOf::LearnerOf;
  std::size_t scores_width() const override { return 3; }  // statistic, p, adjusted p
  bool may_split(const double* counts, double weight, int depth) const override {
    if (deep_enough(depth)) return false;
    if (weight < settings_.min_rows - slack || weight < 2 * settings_.min_leaf - slack) return false;
    return !is_pure(*problem_, counts);
  }
  Candidate ask(const NodeView& node, int attribute, Scratch& scratch) const override {
    Candidate offer;
    ValueCounts counts;
    const bool numbers = settings_.test == ChaidTest::anova;
    if (numbers) {
      measure_values(node, attribute, scratch, counts);
    } else {
      count_values(node, attribute, scratch, counts);
    }
    const bool ordered = settings_.ordered[static_cast<std::size_t>(attribute)] != 0;
    Categories categories = categories_of(counts, settings_.test, problem_->width(), ordered);
    categories.stop = &node.stop;
    if (categories.size < 2) return offer;
    Partition groups;
    try {
      groups = merge(categories, settings_.merging);
    } catch (const std::length_error&) {
      throw TooManyValues(attribute);
    }
    if (groups.size() < 2) return offer;
    const Verdict verdict = test_partition(categories, groups);
    if (more_alike(verdict.likeness, settings_.alpha_split)) return offer;
    const Verdict result = adjusted(categories, groups.size(), verdict);
    if (more_alike(result.likeness, settings_.alpha_split)) return offer;
    offer.valid = true;
    offer.score = result.likeness;
    offer.figures[0] = verdict.statistic;
    offer.figures[1] = verdict.p;
    offer.figures[2] = result.p;
    groups = absorb(categories, std::move(groups), settings_.min_leaf);
    offer.branches = static_cast<int>(groups.size());
    const auto rows = rows_of(categories, groups);
    double most = -1.0;
    offer.branch_of.assign(static_cast<std::size_t>(problem_->columns[static_cast<std::size_t>(attribute)].values), -1);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const double weight = group_weight(settings_.test, rows.data() + g * categories.width, categories.width);
      if (weight > most) {
        most = weight;
        offer.otherwise = static_cast<std::int32_t>(g);
      }
      for (const std::int32_t category : groups[g]) {
        if (static_cast<std::size_t>(category) < counts.codes.size()) {
          const auto code = static_cast<std::size_t>(counts.codes[static_cast<std::size_t>(category)]);
          offer.branch_of[code] = static_cast<std::int32_t>(g);
        } else {
          offer.missing_branch = static_cast<std::int32_t>(g);
          offer.missing_alone = groups[g].size() == 1;
        }
      }
    }
    // The missing alone cannot be nearest to anything; there is always a group with values beside them.
    place_absent(offer.branch_of, ordered, offer.otherwise);
    return offer;
  }
  int choose(const NodeView&, const std::vector<Candidate>& offers) const override {
    const Candidate* best = nullptr;
    for (const Candidate& offer : offers) {
      if (!offer.valid) continue;
      const bool stronger = best == nullptr || less_alike(offer.score, best->score);
      const bool tied = best != nullptr && !stronger && !less_alike(best->score, offer.score);
      if (stronger || (tied && better(offer.figures[0], best->figures[0], std::max(1.0, best->figures[0]))))
        best = &offer;
    }
    // One branch is left where the others were too small.
    return best == nullptr || best->branches < 2 ? -1 : best->attribute;
  }

 private:
  // p times the number of ways the categories could have been merged, at most 1.
  Verdict adjusted(const Categories& categories, std::size_t groups, const Verdict& verdict) const {
    if (!settings_.bonferroni) return verdict;
    Ways ways;
    if (settings_.merging.exhaustive) {
      ways = ways_exhaustive(categories.size, !categories.ordered);
    } else if (categories.floats()) {
      ways = ways_floating(categories.size, groups);
    } else {
      ways = categories.ordered ? ways_ordinal(categories.size, groups) : ways_nominal(categories.size, groups);
    }
    Verdict result = verdict;
    if (verdict.likeness > 0.0 && std::isfinite(ways.number)) {
      result.p = result.likeness = std::min(1.0, verdict.p * ways.number);
    } else {
      const double log = std::min(0.0, log_of(verdict.likeness) + ways.log);
      result.p = std::exp(log);
      result.likeness = likeness_of(result.p, log);
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<Learner> chaid_learner(const ChaidSettings& settings) { return std::make_unique<Chaid>(settings); }

}  // namespace clearwood
