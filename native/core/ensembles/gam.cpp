#include "core/ensembles/gam.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/numeric/bootstrap.hpp"
#include "core/numeric/chance.hpp"

namespace clearwood {
namespace {
constexpr std::uint64_t drawing = 0x6A11;  // the purpose of a bag's key
constexpr std::uint64_t cutting = 0x6A12;  // and of the key of cuts that fall by chance
constexpr std::int32_t top = 16 << gam_bits;
constexpr std::int32_t far = 1 << 30;  // no score goes beyond, however many terms agree
constexpr int step_bits = gam_bits - 7;

std::int32_t clamped(std::int64_t score) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(score, -far, far));
}

// A curve at a score, between its points by a straight line.
std::int32_t share_of(const std::int32_t* logistic, std::int32_t score) {
  const std::int32_t at = std::clamp(score, -top, top - 1) + top;
  const std::int32_t i = at >> step_bits, part = at & ((1 << step_bits) - 1);
  return logistic[i] + (((logistic[i + 1] - logistic[i]) * part) >> step_bits);
}

std::int32_t power_of(const std::int32_t* exponential, std::int32_t below) {  // below: 0 or less
  if (below < -top) return 0;
  const std::int32_t at = std::min(below + top, top - 1);
  const std::int32_t i = at >> step_bits, part = at & ((1 << step_bits) - 1);
  return exponential[i] +
         static_cast<std::int32_t>((static_cast<std::int64_t>(exponential[i + 1] - exponential[i]) * part) >> step_bits);
}

double softplus_of(const double* softplus, std::int32_t score) {
  if (score >= top) return static_cast<double>(score) / gam_unit;
  const std::int32_t at = std::max(score, -top) + top;
  const std::int32_t i = at >> step_bits, part = at & ((1 << step_bits) - 1);
  return softplus[i] + (softplus[i + 1] - softplus[i]) * (static_cast<double>(part) / (1 << step_bits));
}

// ln of a number from 1 up, by our own series: machines agree.
double natural_log(double x) {
  int twos = 0;
  double m = std::frexp(x, &twos);  // 0.5 <= m < 1
  if (m < 0.70710678118654752) {
    m *= 2.0;
    --twos;
  }
  const double z = (m - 1.0) / (m + 1.0), square = z * z;
  double sum = 0.0;
  for (int k = 21; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return 2.0 * z * sum + twos * 0.69314718055994531;
}

// Rows of a bag side by side: those drawn (with how often), and those that judge.
struct Part {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> times;
  std::vector<std::vector<std::uint16_t>> codes;  // [term][row]
  std::vector<std::int32_t> classes;
  std::vector<std::int64_t> numbers;
  std::vector<std::int32_t> scores;  // [row][score]
  std::vector<std::int64_t> wide;    // [row] of the squared loss

  std::size_t size() const { return rows.size(); }
};

void fill(Part& part, const GamRows& rows, const GamStart& start, const std::int64_t* began, std::size_t start_cells,
          const std::vector<GamTerm>& terms) {
  const std::size_t size = part.size(), k = static_cast<std::size_t>(rows.scores);
  part.codes.resize(terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) {
    part.codes[t].resize(size);
    for (std::size_t r = 0; r < size; ++r) part.codes[t][r] = terms[t].codes[part.rows[r]];
  }
  std::vector<std::int64_t> sums(size * k);
  for (std::size_t r = 0; r < size; ++r)
    for (std::size_t s = 0; s < k; ++s) sums[r * k + s] = rows.base[s];
  std::size_t offset = 0;
  for (const GamTerm& term : start.terms) {
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t s = 0; s < k; ++s) sums[r * k + s] += began[s * start_cells + offset + term.codes[part.rows[r]]];
    offset += static_cast<std::size_t>(term.cells);
  }
  if (rows.loss == GamLoss::squared) {
    part.wide = std::move(sums);
    part.numbers.resize(size);
    for (std::size_t r = 0; r < size; ++r) part.numbers[r] = rows.numbers[part.rows[r]];
    return;
  }
  part.scores.resize(size * k);
  for (std::size_t i = 0; i < sums.size(); ++i) part.scores[i] = clamped(sums[i]);
  part.classes.resize(size);
  for (std::size_t r = 0; r < size; ++r) part.classes[r] = rows.classes[part.rows[r]];
}

// Shares of a softmax, in units, of one row.
void shares_of(const GamCurves& curves, const std::int32_t* scores, std::size_t k, std::int32_t* shares) {
  const std::int32_t highest = *std::max_element(scores, scores + k);
  std::int64_t sum = 0;
  for (std::size_t s = 0; s < k; ++s) sum += shares[s] = power_of(curves.exponential, std::max(scores[s] - highest, -top - 1));
  const std::int64_t each = (std::int64_t{1} << 50) / sum;
  for (std::size_t s = 0; s < k; ++s) shares[s] = static_cast<std::int32_t>((shares[s] * each) >> 30);
}

class Bag {
 public:
  Bag(const GamRows& rows, const GamCurves& curves, const std::vector<GamTerm>& terms, const GamSettings& settings)
      : rows_(rows), curves_(curves), terms_(terms), settings_(settings), k_(static_cast<std::size_t>(rows.scores)) {
    offsets_.push_back(0);
    std::size_t most = 0;
    for (const GamTerm& term : terms) {
      offsets_.push_back(offsets_.back() + static_cast<std::size_t>(term.cells));
      most = std::max(most, static_cast<std::size_t>(term.cells));
    }
    sums_.resize(most * k_);
    factor_ = settings.rate * (rows.loss == GamLoss::softmax ? static_cast<double>(k_ - 1) / static_cast<double>(k_) : 1.0);
  }

  void boost(Part& drawn, Part& judges, std::int64_t* kept, std::int32_t& best, std::vector<double>& losses,
             std::uint64_t key, const StopFlag& stop) {
    const std::size_t cells = offsets_.back();
    std::vector<std::int64_t> points(cells * k_, 0);
    std::vector<std::int32_t> steps(cells * k_, 0);
    std::vector<std::int64_t> counts(cells, 0);
    for (std::size_t t = 0; t < terms_.size(); ++t)
      for (std::size_t r = 0; r < drawn.size(); ++r) counts[offsets_[t] + drawn.codes[t][r]] += drawn.times[r];
    best = 0;
    losses.assign(1, mean_loss(judges));
    double least = losses[0];
    std::size_t before = terms_.size() - 1;
    for (std::int32_t round = 1; round <= settings_.rounds; ++round) {
      check(stop);
      for (std::size_t t = 0; t < terms_.size(); ++t) {
        const auto width = static_cast<std::size_t>(terms_[t].cells);
        std::fill(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(width * k_), GamSum{});
        pass(drawn, before, steps.data(), t);
        const GamChance chance{round <= settings_.smoothing, key_of({key, static_cast<std::uint64_t>(round), t})};
        for (std::size_t s = 0; s < k_; ++s) {
          std::int32_t* const moved = steps.data() + s * cells + offsets_[t];
          gam_step(terms_[t], settings_, factor_, sums_.data() + s * width, counts.data() + offsets_[t], chance, scratch_, moved);
          std::int64_t* const place = points.data() + s * cells + offsets_[t];
          for (std::size_t c = 0; c < width; ++c) place[c] += moved[c];
        }
        before = t;
      }
      follow(judges, steps.data());
      losses.push_back(mean_loss(judges));
      if (losses.back() < least) {
        least = losses.back();
        best = round;
        std::copy(points.begin(), points.end(), kept);
      } else if (round - best >= settings_.patience) {
        break;
      }
    }
  }

 private:
  // Move the scores by the step before, and sum the derivatives there by the cells of this term: one pass.
  void pass(Part& part, std::size_t before, const std::int32_t* steps, std::size_t term) {
    const std::uint16_t* const old = part.codes[before].data();
    const std::uint16_t* const now = part.codes[term].data();
    const std::int32_t* const moved = steps + offsets_[before];
    switch (rows_.loss) {
      case GamLoss::logistic: return logistic_pass(part, old, moved, now);
      case GamLoss::softmax: return softmax_pass(part, old, moved, now, static_cast<std::size_t>(terms_[term].cells));
      case GamLoss::squared: return squared_pass(part, old, moved, now);
    }
  }

  void logistic_pass(Part& part, const std::uint16_t* old, const std::int32_t* moved, const std::uint16_t* now) {
    std::int32_t* const scores = part.scores.data();
    const std::int32_t* const times = part.times.data();
    const std::int32_t* const classes = part.classes.data();
    const std::int32_t* const logistic = curves_.logistic;
    GamSum* const sums = sums_.data();
    for (std::size_t r = 0, size = part.size(); r < size; ++r) {
      const std::int32_t score = std::clamp(scores[r] + moved[old[r]], -far, far);
      scores[r] = score;
      const std::int32_t share = share_of(logistic, score);
      const std::int64_t weight = times[r];
      GamSum& sum = sums[now[r]];
      sum.slope += weight * (share - (classes[r] << gam_bits));
      sum.curve += weight * ((static_cast<std::int64_t>(share) * ((1 << gam_bits) - share)) >> gam_bits);
    }
  }

  void softmax_pass(Part& part, const std::uint16_t* old, const std::int32_t* moved, const std::uint16_t* now,
                    std::size_t width) {
    const std::size_t cells = offsets_.back();
    shares_.resize(k_);
    for (std::size_t r = 0, size = part.size(); r < size; ++r) {
      std::int32_t* const scores = part.scores.data() + r * k_;
      for (std::size_t s = 0; s < k_; ++s) scores[s] = std::clamp(scores[s] + moved[s * cells + old[r]], -far, far);
      shares_of(curves_, scores, k_, shares_.data());
      const std::int64_t weight = part.times[r];
      for (std::size_t s = 0; s < k_; ++s) {
        const std::int32_t share = shares_[s];
        GamSum& sum = sums_[s * width + now[r]];
        sum.slope += weight * (share - (static_cast<std::int32_t>(part.classes[r] == static_cast<std::int32_t>(s)) << gam_bits));
        sum.curve += weight * ((static_cast<std::int64_t>(share) * ((1 << gam_bits) - share)) >> gam_bits);
      }
    }
  }

  void squared_pass(Part& part, const std::uint16_t* old, const std::int32_t* moved, const std::uint16_t* now) {
    for (std::size_t r = 0, size = part.size(); r < size; ++r) {
      const std::int64_t score = part.wide[r] += moved[old[r]];
      const std::int64_t weight = part.times[r];
      sums_[now[r]].slope += weight * (score - part.numbers[r]);
      sums_[now[r]].curve += weight << gam_bits;
    }
  }

  // The judges' scores after a round: every term has moved once.
  void follow(Part& part, const std::int32_t* steps) const {
    const std::size_t cells = offsets_.back();
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const std::int32_t* const moved = steps + offsets_[t];
      const std::uint16_t* const codes = part.codes[t].data();
      if (rows_.loss == GamLoss::squared) {
        for (std::size_t r = 0; r < part.size(); ++r) part.wide[r] += moved[codes[r]];
      } else {
        for (std::size_t r = 0; r < part.size(); ++r)
          for (std::size_t s = 0; s < k_; ++s) {
            std::int32_t& score = part.scores[r * k_ + s];
            score = std::clamp(score + moved[s * cells + codes[r]], -far, far);
          }
      }
    }
  }

  double mean_loss(const Part& part) {
    double sum = 0.0, whole = 0.0;
    for (std::size_t r = 0; r < part.size(); ++r) {
      const double weight = rows_.weights ? rows_.weights[part.rows[r]] : 1.0;
      sum += weight * loss_of(part, r);
      whole += weight;
    }
    return whole > 0.0 ? sum / whole : 0.0;
  }

  double loss_of(const Part& part, std::size_t r) {
    switch (rows_.loss) {
      case GamLoss::logistic: {
        const std::int32_t score = part.scores[r];
        return softplus_of(curves_.softplus, part.classes[r] ? -score : score);
      }
      case GamLoss::softmax: {
        const std::int32_t* const scores = part.scores.data() + r * k_;
        const std::int32_t highest = *std::max_element(scores, scores + k_);
        std::int64_t sum = 0;
        for (std::size_t s = 0; s < k_; ++s) sum += power_of(curves_.exponential, std::max(scores[s] - highest, -top - 1));
        return natural_log(static_cast<double>(sum) * 0x1p-24) +
               (static_cast<double>(highest) - static_cast<double>(scores[part.classes[r]])) / gam_unit;
      }
      case GamLoss::squared: {
        const double off = static_cast<double>(part.wide[r] - part.numbers[r]) / gam_unit;
        return off * off;
      }
    }
    return 0.0;
  }

  const GamRows& rows_;
  const GamCurves& curves_;
  const std::vector<GamTerm>& terms_;
  const GamSettings& settings_;
  std::size_t k_;
  double factor_ = 0.0;
  std::vector<std::size_t> offsets_;
  std::vector<GamSum> sums_;
  std::vector<std::int32_t> shares_;
  GamScratch scratch_;
};
}  // namespace

std::vector<std::int32_t> gam_times(const GamRows& rows, const GamBags& bags, std::int32_t bag) {
  std::vector<std::int32_t> times(rows.rows, 0);
  const std::uint64_t key = key_of({bags.seed, static_cast<std::uint64_t>(bag), drawing});
  draw_with_replacement(key, rows.rows, bags.draws, rows.cumulative, false, [&](std::size_t row) { ++times[row]; });
  return times;
}

GamBoosted gam_boost(const GamRows& rows, const GamBags& bags, const GamCurves& curves, const GamStart& start,
                     const std::vector<GamTerm>& terms, const GamSettings& settings, int threads, Progress& progress,
                     const StopFlag& stop) {
  std::size_t cells = 0, start_cells = 0;
  for (const GamTerm& term : terms) cells += static_cast<std::size_t>(term.cells);
  for (const GamTerm& term : start.terms) start_cells += static_cast<std::size_t>(term.cells);
  const auto count = static_cast<std::size_t>(bags.bags), k = static_cast<std::size_t>(rows.scores);
  GamBoosted boosted;
  boosted.points.assign(count * k * cells, 0);
  boosted.best.assign(count, 0);
  boosted.losses.resize(count);
  if (terms.empty()) return boosted;
  std::vector<char> ended(count, 0);
  std::mutex guard;
  double least = 0.0;  // sum over the bags that have ended of their lowest losses
  std::size_t judged = 0;
  run_parallel(count, threads, [&](std::size_t b, int) {
    check(stop);
    if (b > 0 && progress.enough.load()) return;
    const auto times = gam_times(rows, bags, static_cast<std::int32_t>(b));
    Part drawn, judges;
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (times[r] > 0) {
        drawn.rows.push_back(static_cast<std::uint32_t>(r));
        drawn.times.push_back(times[r]);
      } else {
        judges.rows.push_back(static_cast<std::uint32_t>(r));
      }
    }
    if (judges.rows.empty()) {  // nothing to judge a round by: no step
      const std::lock_guard lock(guard);
      ended[b] = 1;
      ++progress.done;
      return;
    }
    const std::int64_t* const began = start.points ? start.points + b * k * start_cells : nullptr;
    fill(drawn, rows, start, began, start_cells, terms);
    fill(judges, rows, start, began, start_cells, terms);
    Bag(rows, curves, terms, settings)
        .boost(drawn, judges, boosted.points.data() + b * k * cells, boosted.best[b], boosted.losses[b],
               key_of({bags.seed, b, cutting}), stop);
    const std::lock_guard lock(guard);
    ended[b] = 1;
    least += boosted.losses[b][static_cast<std::size_t>(boosted.best[b])];
    progress.score.store(least / static_cast<double>(++judged));
    ++progress.done;
  });
  const std::size_t done = done_in_a_row(count, [&](std::size_t b) { return ended[b] != 0; });
  boosted.points.resize(done * k * cells);
  boosted.best.resize(done);
  boosted.losses.resize(done);
  return boosted;
}

std::vector<double> gam_rank(const GamRows& rows, const std::int64_t* residuals, const std::vector<GamTerm>& terms,
                             const std::vector<std::vector<std::int32_t>>& places, int threads, const StopFlag& stop) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = i + 1; j < terms.size(); ++j) pairs.emplace_back(i, j);
  std::vector<double> gains(pairs.size(), 0.0);
  std::vector<std::int32_t> sizes;
  for (const auto& each : places) sizes.push_back(each.empty() ? 0 : 1 + *std::max_element(each.begin(), each.end()));
  const auto k = static_cast<std::size_t>(rows.scores);
  run_parallel(pairs.size(), threads, [&](std::size_t p, int) {
    check(stop);
    const auto [i, j] = pairs[p];
    if (sizes[i] < 2 || sizes[j] < 2) return;
    const auto wide = static_cast<std::size_t>(sizes[j]), size = static_cast<std::size_t>(sizes[i]) * wide;
    std::vector<double> slopes(size * k, 0.0), curves(size, 0.0);
    std::vector<std::int64_t> counts(size, 0);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const std::int32_t a = places[i][terms[i].codes[r]], b = places[j][terms[j].codes[r]];
      if (a < 0 || b < 0) continue;
      const std::size_t place = static_cast<std::size_t>(a) * wide + static_cast<std::size_t>(b);
      const double weight = rows.weights ? rows.weights[r] : 1.0;
      curves[place] += weight;
      ++counts[place];
      for (std::size_t s = 0; s < k; ++s)
        slopes[s * size + place] += weight * (static_cast<double>(residuals[r * k + s]) / gam_unit);
    }
    GamScratch scratch;
    for (std::size_t s = 0; s < k; ++s) {
      double slope = 0.0, curve = 0.0;
      for (std::size_t c = 0; c < size; ++c) {
        slope += slopes[s * size + c];
        curve += curves[c];
      }
      const GamCross cross = best_cross(slopes.data() + s * size, curves.data(), counts.data(), sizes[i], sizes[j], 1e-9, 1, scratch);
      if (cross.a >= 0) gains[p] += cross.gain - slope * slope / (curve + 1e-9);
    }
  });
  return gains;
}

}  // namespace clearwood
