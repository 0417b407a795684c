#include "core/trees/chaid_merge.hpp"

#include "core/numeric/special.hpp"

namespace clearwood {
namespace {

// Row effects: do the rows differ in where on an ordered scale they lie?

// Newton's method for the tilts of the rows and the logarithms of the base shares; row 0 and class 0 are the reference.
class Model {
 public:
  Model(std::vector<double> counts, std::vector<double> place, std::size_t rows)
      : counts_(std::move(counts)), place_(std::move(place)), rows_(rows), classes_(place_.size()),
        weight_(rows, 0.0), column_(classes_, 0.0) {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < classes_; ++j) {
        weight_[i] += counts_[i * classes_ + j];
        column_[j] += counts_[i * classes_ + j];
      }
    for (const double w : weight_) total_ += w;
  }

  double independent() const {
    double sum = 0.0;
    for (const double c : column_) sum += c * std::log(c / total_);
    return sum;
  }

  double best() {
    std::vector<double> tilt(rows_, 0.0), base(classes_), new_tilt(rows_), new_base(classes_);
    for (std::size_t j = 0; j < classes_; ++j) base[j] = std::log(column_[j]);
    std::vector<double> shares(counts_.size()), new_shares(counts_.size());
    double best = likelihood(tilt, base, shares);
    for (int round = 0; round < 200; ++round) {
      step(shares);
      double fraction = 1.0, candidate = -std::numeric_limits<double>::infinity();
      while (fraction > 1e-6 && !(candidate >= best)) {
        for (std::size_t i = 0; i < rows_; ++i) new_tilt[i] = tilt[i] + fraction * tilt_step_[i];
        for (std::size_t j = 0; j < classes_; ++j) new_base[j] = base[j] + fraction * base_step_[j];
        candidate = likelihood(new_tilt, new_base, new_shares);
        fraction /= 2;
      }
      if (!(candidate >= best)) break;
      const double rise = candidate - best;
      best = candidate;
      tilt.swap(new_tilt);
      base.swap(new_base);
      shares.swap(new_shares);
      if (rise <= 1e-14 * (1 + std::abs(best))) break;
    }
    return best;
  }

 private:
  double likelihood(const std::vector<double>& tilt, const std::vector<double>& base,
                    std::vector<double>& shares) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      double* row = shares.data() + i * classes_;
      for (std::size_t j = 0; j < classes_; ++j) row[j] = base[j] + tilt[i] * place_[j];
      const double top = *std::max_element(row, row + classes_);
      double all = 0.0;
      for (std::size_t j = 0; j < classes_; ++j) all += std::exp(row[j] - top);
      const double log_all = std::log(all) + top;
      for (std::size_t j = 0; j < classes_; ++j) {
        const double log_share = row[j] - log_all;
        if (counts_[i * classes_ + j] > 0) sum += counts_[i * classes_ + j] * log_share;
        row[j] = std::exp(log_share);
      }
    }
    return sum;
  }

  // The curvature is diagonal in the tilts, so that they are eliminated first and the cost is linear in the rows.
  void step(const std::vector<double>& shares) {
    const std::size_t free = classes_ - 1;
    // A row wholly at one end would tilt without end on a flat curve: a hair of ridge bounds the step.
    const double ridge = 1e-12 * total_;
    std::vector<double> slope(rows_), curve(rows_), mixed(rows_ * free);
    std::vector<double> system(free * free, 0.0), right(free);
    for (std::size_t j = 0; j < free; ++j) right[j] = column_[j + 1];
    for (std::size_t i = 0; i < rows_; ++i) {
      const double* share = shares.data() + i * classes_;
      const double* count = counts_.data() + i * classes_;
      double mean = 0.0, square = 0.0, seen = 0.0;
      for (std::size_t j = 0; j < classes_; ++j) {
        mean += share[j] * place_[j];
        square += share[j] * place_[j] * place_[j];
        seen += count[j] * place_[j];
      }
      slope[i] = seen - weight_[i] * mean;
      curve[i] = weight_[i] * (square - mean * mean) + ridge;
      for (std::size_t j = 0; j < free; ++j) {
        mixed[i * free + j] = weight_[i] * share[j + 1] * (place_[j + 1] - mean);
        right[j] -= weight_[i] * share[j + 1];
        system[j * free + j] += weight_[i] * share[j + 1];
        for (std::size_t k = 0; k < free; ++k) system[j * free + k] -= weight_[i] * share[j + 1] * share[k + 1];
      }
    }
    for (std::size_t j = 0; j < free; ++j) system[j * free + j] += ridge;
    for (std::size_t i = 1; i < rows_; ++i)
      for (std::size_t j = 0; j < free; ++j) {
        const double part = mixed[i * free + j] / curve[i];
        right[j] -= part * slope[i];
        for (std::size_t k = 0; k < free; ++k) system[j * free + k] -= part * mixed[i * free + k];
      }
    solve(system, right);
    base_step_.assign(classes_, 0.0);
    tilt_step_.assign(rows_, 0.0);
    for (std::size_t j = 0; j < free; ++j) base_step_[j + 1] = right[j];
    for (std::size_t i = 1; i < rows_; ++i) {
      double rest = slope[i];
      for (std::size_t j = 0; j < free; ++j) rest -= mixed[i * free + j] * right[j];
      tilt_step_[i] = rest / curve[i];
    }
  }

  // Gauss with the largest pivot of each column; the solution is left in `right`.
  static void solve(std::vector<double>& system, std::vector<double>& right) {
    const std::size_t n = right.size();
    for (std::size_t c = 0; c < n; ++c) {
      std::size_t pivot = c;
      for (std::size_t r = c + 1; r < n; ++r)
        if (std::abs(system[r * n + c]) > std::abs(system[pivot * n + c])) pivot = r;
      for (std::size_t k = 0; k < n; ++k) std::swap(system[c * n + k], system[pivot * n + k]);
      std::swap(right[c], right[pivot]);
      for (std::size_t r = c + 1; r < n; ++r) {
        const double part = system[r * n + c] / system[c * n + c];
        for (std::size_t k = c; k < n; ++k) system[r * n + k] -= part * system[c * n + k];
        right[r] -= part * right[c];
      }
    }
    for (std::size_t c = n; c-- > 0;) {
      for (std::size_t k = c + 1; k < n; ++k) right[c] -= system[c * n + k] * right[k];
      right[c] /= system[c * n + c];
    }
  }

  std::vector<double> counts_;  // [row][class]
  std::vector<double> place_;   // [class] on the scale
  std::size_t rows_, classes_;
  std::vector<double> weight_, column_;
  double total_ = 0.0;
  std::vector<double> tilt_step_, base_step_;
};

// The likelihood ratio of the model "row i has the shares ∝ b_j · exp(g_i · j)" against independence.
// Every row has weight; classes without any are left out. 0 where fewer than two rows or classes remain.
double row_effects_statistic(std::span<const double* const> rows, std::size_t classes) {
  std::vector<std::size_t> met;
  for (std::size_t j = 0; j < classes; ++j)
    if (std::any_of(rows.begin(), rows.end(), [&](const double* row) { return row[j] > 0; })) met.push_back(j);
  if (rows.size() < 2 || met.size() < 2) return 0.0;
  std::vector<double> counts, place;
  for (const double* row : rows)
    for (const std::size_t j : met) counts.push_back(row[j]);
  double total = 0.0, mean = 0.0;
  for (const double c : counts) total += c;
  for (const std::size_t j : met) mean += static_cast<double>(j) / static_cast<double>(met.size());
  for (const std::size_t j : met)
    place.push_back((static_cast<double>(j) - mean) / static_cast<double>(met.back() - met.front()));
  Model model(std::move(counts), std::move(place), rows.size());
  const double statistic = 2 * (model.best() - model.independent());
  // What is left of a statistic that should be 0 is rounding.
  return statistic > 1e-12 * total ? statistic : 0.0;
}

constexpr double faint = 1e-290;

// Two groups by Pearson's chi-square: Σ (aB − bA)² ÷ (A B (a + b)), the same number with one division a class.
Finding find_in_two(const double* a, const double* b, std::size_t classes) {
  double all_a = 0.0, all_b = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    all_a += a[c];
    all_b += b[c];
  }
  double sum = 0.0;
  int met = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    const double column = a[c] + b[c];
    if (!(column > 0.0)) continue;
    ++met;
    const double off = a[c] * all_b - b[c] * all_a;
    sum += off * off / column;
  }
  return {sum / (all_a * all_b), static_cast<double>(std::max(0, met - 1)), 0.0};
}

// Pearson's chi-square, or the likelihood ratio; classes without weight have no part in the degrees of freedom.
Finding find_in_counts(bool pearson, std::span<const double* const> groups, std::size_t classes) {
  double total = 0.0;
  double room[64];
  std::vector<double> more(groups.size() > 64 ? groups.size() : 0);
  double* weight = more.empty() ? room : more.data();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    weight[i] = 0.0;
    for (std::size_t c = 0; c < classes; ++c) weight[i] += groups[i][c];
    total += weight[i];
  }
  double statistic = 0.0;
  int met = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    double column = 0.0;
    for (const double* group : groups) column += group[c];
    if (!(column > 0.0)) continue;
    ++met;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const double seen = groups[i][c], expected = weight[i] * column / total;
      if (pearson) {
        statistic += (seen - expected) * (seen - expected) / expected;
      } else if (seen > 0.0) {
        statistic += 2 * seen * std::log(seen / expected);
      }
    }
  }
  // Rounding leaves a hair where rows and columns are independent.
  if (!pearson && statistic <= 1e-13 * total) statistic = 0.0;
  return {statistic, (static_cast<double>(groups.size()) - 1) * std::max(0, met - 1), 0.0};
}

Finding find_in_ordered(std::span<const double* const> groups, std::size_t classes) {
  std::size_t met = 0;
  for (std::size_t c = 0; c < classes; ++c)
    met += std::any_of(groups.begin(), groups.end(), [&](const double* group) { return group[c] > 0.0; });
  if (met < 2) return {};
  // With two classes a tilt per row leaves nothing unexplained: the model is that of the likelihood ratio.
  if (met == 2) return find_in_counts(false, groups, classes);
  return {row_effects_statistic(groups, classes), static_cast<double>(groups.size()) - 1, 0.0};
}

Finding find_in_means(std::span<const double* const> groups) {
  double weight = 0.0, mean = 0.0, between = 0.0, within = 0.0;
  for (const double* group : groups) {
    const double sum = weight + group[0], off = group[1] - mean;
    between += weight * group[0] / sum * off * off;
    mean += off * group[0] / sum;
    weight = sum;
    within += group[2];
  }
  // What is left of a sum of squares that should be 0 is rounding, not scatter.
  const double rounding = std::max(1e-14 * (between + within), 1e-28 * weight * mean * mean);
  if (!(within > rounding)) within = 0.0;
  const double df = static_cast<double>(groups.size()) - 1, rest = weight - static_cast<double>(groups.size());
  if (!(between > rounding) || df <= 0 || rest <= 0) return {};
  return {within > 0.0 ? (between / df) / (within / rest) : infinity, df, rest};
}

}  // namespace

Finding find(ChaidTest test, std::span<const double* const> groups, std::size_t width) {
  if (groups.size() < 2) return {};
  switch (test) {
    case ChaidTest::pearson:
      return groups.size() == 2 ? find_in_two(groups[0], groups[1], width) : find_in_counts(true, groups, width);
    case ChaidTest::likelihood_ratio:
      return find_in_counts(false, groups, width);
    case ChaidTest::row_effects:
      return find_in_ordered(groups, width);
    case ChaidTest::anova:
      return find_in_means(groups);
  }
  return {};
}

Verdict judge(ChaidTest test, const Finding& finding) {
  const auto [statistic, df, rest] = finding;
  if (test == ChaidTest::anova) {
    const double p = f_sf(statistic, df, rest);
    return {statistic, p, p >= faint ? p : likeness_of(p, f_log_sf(statistic, df, rest))};
  }
  const double p = chi2_sf(statistic, df);
  return {statistic, p, p >= faint ? p : likeness_of(p, chi2_log_sf(statistic, df))};
}

void add_group(ChaidTest test, double* into, const double* other, std::size_t width) {
  if (test != ChaidTest::anova) {
    for (std::size_t c = 0; c < width; ++c) into[c] += other[c];
    return;
  }
  const double sum = into[0] + other[0], off = other[1] - into[1];
  into[2] += other[2] + into[0] * other[0] / sum * off * off;
  into[1] += off * other[0] / sum;
  into[0] = sum;
}

double group_weight(ChaidTest test, const double* group, std::size_t width) {
  if (test == ChaidTest::anova) return group[0];
  double sum = 0.0;
  for (std::size_t c = 0; c < width; ++c) sum += group[c];
  return sum;
}

// A finite floor, so that differences stay numbers.
double likeness_of(double p, double log_p) { return p >= faint ? p : std::max(log_p, -1e300); }

double log_of(double likeness) { return likeness > 0.0 ? std::log(likeness) : likeness; }

}  // namespace clearwood
