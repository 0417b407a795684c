#include "core/ensembles/gam.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

// Shares of a softmax, in units, of one row.
void shares_of(const GamCurves& curves, const std::int32_t* scores, std::size_t k, std::int32_t* shares) {
  const std::int32_t highest = *std::max_element(scores, scores + k);
  std::int64_t sum = 0;
  for (std::size_t s = 0; s < k; ++s) sum += shares[s] = power_of(curves.exponential, std::max(scores[s] - highest, -top - 1));
  const std::int64_t each = (std::int64_t{1} << 50) / sum;
  for (std::size_t s = 0; s < k; ++s) shares[s] = static_cast<std::int32_t>((shares[s] * each) >> 30);
}

constexpr std::int64_t rows_of_a_quadrant = 20;  // fewer tell nothing of a pair: one row of a rare class would outweigh all others
constexpr std::size_t judged_at_once = 4096;  // rows
constexpr std::size_t abreast = 4;  // terms that take their steps from the same scores: a row is answered once for all of them

// One bag: how often it drew each row, the scores of all rows, and the points that led there.
class Bag {
 public:
  Bag(const GamRows& rows, const GamCurves& curves, const std::vector<GamTerm>& terms, const GamSettings& settings,
      std::vector<std::int32_t> times, std::uint64_t key)
      : rows_(rows), curves_(curves), terms_(terms), settings_(settings), k_(static_cast<std::size_t>(rows.scores)),
        times_(std::move(times)), key_(key) {
    offsets_.push_back(0);
    std::size_t most = 0;
    for (const GamTerm& term : terms) {
      offsets_.push_back(offsets_.back() + static_cast<std::size_t>(term.cells));
      most = std::max(most, static_cast<std::size_t>(term.cells));
    }
    for (std::vector<GamSum>& sums : sums_) sums.resize(most * k_);
    nothing_.assign(most * k_, 0);
    points.assign(offsets_.back() * k_, 0);
    steps_.assign(offsets_.back() * k_, 0);
    counts_.assign(offsets_.back(), 0);
    for (std::size_t t = 0; t < terms.size(); ++t)
      for (std::size_t r = 0; r < rows.rows; ++r) counts_[offsets_[t] + terms[t].codes[r]] += times_[r];
    factor_ = settings.rate * (rows.loss == GamLoss::softmax ? static_cast<double>(k_ - 1) / static_cast<double>(k_) : 1.0);
  }

  // The scores before the first round: the base, and the points of terms boosted before.
  void begin(const GamStart& start, const std::int64_t* began, std::size_t start_cells) {
    std::vector<std::int64_t> sums(rows_.rows * k_);
    for (std::size_t r = 0; r < rows_.rows; ++r)
      for (std::size_t s = 0; s < k_; ++s) sums[r * k_ + s] = rows_.base[s];
    std::size_t offset = 0;
    for (const GamTerm& term : start.terms) {
      for (std::size_t r = 0; r < rows_.rows; ++r)
        for (std::size_t s = 0; s < k_; ++s) sums[r * k_ + s] += began[s * start_cells + offset + term.codes[r]];
      offset += static_cast<std::size_t>(term.cells);
    }
    if (rows_.loss == GamLoss::squared) {
      wide_ = std::move(sums);
      return;
    }
    scores_.resize(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) scores_[i] = clamped(sums[i]);
  }

  void go_round(std::int32_t round) {
    const std::size_t cells = offsets_.back();
    for (std::size_t first = 0; first < terms_.size(); first += abreast) {
      const std::size_t end = std::min(terms_.size(), first + abreast);
      for (std::vector<GamSum>& sums : sums_) std::fill(sums.begin(), sums.end(), GamSum{});
      pass(first, end);
      for (std::size_t t = first; t < end; ++t) {
        const auto width = static_cast<std::size_t>(terms_[t].cells);
        const GamChance chance{round <= settings_.smoothing, key_of({key_, static_cast<std::uint64_t>(round), t})};
        for (std::size_t s = 0; s < k_; ++s) {
          std::int32_t* const moved = steps_.data() + s * cells + offsets_[t];
          gam_step(terms_[t], settings_, factor_, sums_[t - first].data() + s * width, counts_.data() + offsets_[t], chance,
                   scratch_, moved);
          std::int64_t* const place = points.data() + s * cells + offsets_[t];
          for (std::size_t c = 0; c < width; ++c) place[c] += moved[c];
        }
      }
      begun_ = first;
      ended_ = end;
    }
  }

  bool drew(std::size_t row) const { return times_[row] > 0; }

  // A row's score, with the steps that the next pass will make.
  std::int64_t score(std::size_t row, std::size_t s) const {
    std::int64_t moved = 0;
    for (std::size_t t = begun_; t < ended_; ++t) moved += steps_[s * offsets_.back() + offsets_[t] + terms_[t].codes[row]];
    if (rows_.loss == GamLoss::squared) return wide_[row] + moved;
    return clamped(scores_[row * k_ + s] + moved);
  }

  std::vector<std::int64_t> points;  // [score][cells of all terms]

 private:
  // The terms whose steps are made, or whose cells are summed; where there are fewer, the first once more, to no effect.
  struct Abreast {
    std::array<const std::uint16_t*, abreast> codes;
    std::array<const std::int32_t*, abreast> moved;
    std::array<GamSum*, abreast> sums;
  };

  // Move the scores by the steps before, and sum the derivatives there by the cells of these terms: one pass.
  void pass(std::size_t first, std::size_t end) {
    Abreast old, now;
    for (std::size_t j = 0; j < abreast; ++j) {
      const std::size_t before = begun_ + j, next = first + j;
      old.codes[j] = terms_[before < ended_ ? before : 0].codes;
      old.moved[j] = before < ended_ ? steps_.data() + offsets_[before] : nothing_.data();
      now.codes[j] = terms_[next < end ? next : first].codes;
      now.sums[j] = sums_[j].data();
    }
    switch (rows_.loss) {
      case GamLoss::logistic: return logistic_pass(old, now);
      case GamLoss::softmax: return softmax_pass(first, end);
      case GamLoss::squared: return squared_pass(old, now);
    }
  }

  void logistic_pass(const Abreast& old, const Abreast& now) {
    std::int32_t* const scores = scores_.data();
    const std::int32_t* const times = times_.data();
    const std::int32_t* const classes = rows_.classes;
    const std::int32_t* const logistic = curves_.logistic;
    for (std::size_t r = 0; r < rows_.rows; ++r) {
      std::int32_t moved = 0;
      for (std::size_t j = 0; j < abreast; ++j) moved += old.moved[j][old.codes[j][r]];
      const std::int32_t score = std::clamp(scores[r] + moved, -far, far);
      scores[r] = score;
      const std::int64_t weight = times[r];
      if (weight == 0) continue;
      const std::int32_t share = share_of(logistic, score);
      const std::int64_t slope = weight * (share - (classes[r] << gam_bits));
      const std::int64_t curve = weight * ((static_cast<std::int64_t>(share) * ((1 << gam_bits) - share)) >> gam_bits);
      for (std::size_t j = 0; j < abreast; ++j) {
        GamSum& sum = now.sums[j][now.codes[j][r]];
        sum.slope += slope;
        sum.curve += curve;
      }
    }
  }

  void softmax_pass(std::size_t first, std::size_t end) {
    const std::size_t cells = offsets_.back();
    shares_.resize(k_);
    for (std::size_t r = 0; r < rows_.rows; ++r) {
      std::int32_t* const scores = scores_.data() + r * k_;
      for (std::size_t s = 0; s < k_; ++s) {
        std::int64_t moved = 0;
        for (std::size_t t = begun_; t < ended_; ++t) moved += steps_[s * cells + offsets_[t] + terms_[t].codes[r]];
        scores[s] = clamped(scores[s] + moved);
      }
      const std::int64_t weight = times_[r];
      if (weight == 0) continue;
      shares_of(curves_, scores, k_, shares_.data());
      for (std::size_t s = 0; s < k_; ++s) {
        const std::int32_t share = shares_[s];
        const auto is = static_cast<std::int32_t>(rows_.classes[r] == static_cast<std::int32_t>(s));
        const std::int64_t slope = weight * (share - (is << gam_bits));
        const std::int64_t curve = weight * ((static_cast<std::int64_t>(share) * ((1 << gam_bits) - share)) >> gam_bits);
        for (std::size_t t = first; t < end; ++t) {
          GamSum& sum = sums_[t - first][s * static_cast<std::size_t>(terms_[t].cells) + terms_[t].codes[r]];
          sum.slope += slope;
          sum.curve += curve;
        }
      }
    }
  }

  void squared_pass(const Abreast& old, const Abreast& now) {
    for (std::size_t r = 0; r < rows_.rows; ++r) {
      std::int64_t score = wide_[r];
      for (std::size_t j = 0; j < abreast; ++j) score += old.moved[j][old.codes[j][r]];
      wide_[r] = score;
      const std::int64_t weight = times_[r];
      for (std::size_t j = 0; j < abreast; ++j) {
        GamSum& sum = now.sums[j][now.codes[j][r]];
        sum.slope += weight * (score - rows_.numbers[r]);
        sum.curve += weight << gam_bits;
      }
    }
  }

  const GamRows& rows_;
  const GamCurves& curves_;
  const std::vector<GamTerm>& terms_;
  const GamSettings& settings_;
  std::size_t k_;
  std::vector<std::int32_t> times_;  // [row] how often it was drawn
  std::uint64_t key_;
  std::size_t begun_ = 0, ended_ = 0;  // the terms of the last steps, by which the scores are not yet moved
  double factor_ = 0.0;
  std::vector<std::size_t> offsets_;
  std::vector<std::int32_t> scores_;  // [row][score]
  std::vector<std::int64_t> wide_;    // [row] of the squared loss
  std::vector<std::int32_t> steps_;   // [score][cells of all terms]
  std::vector<std::int64_t> counts_;  // [cells of all terms] drawn rows
  std::array<std::vector<GamSum>, abreast> sums_;
  std::vector<std::int32_t> nothing_;  // steps of a term that is not there
  std::vector<std::int32_t> shares_;
  GamScratch scratch_;
};

// The loss of a row at these scores.
double loss_at(const GamRows& rows, const GamCurves& curves, std::size_t row, const std::int64_t* scores) {
  if (rows.loss == GamLoss::squared) {
    const double off = static_cast<double>(scores[0] - rows.numbers[row]) / gam_unit;
    return off * off;
  }
  if (rows.loss == GamLoss::logistic) {
    const auto score = static_cast<std::int32_t>(scores[0]);
    return softplus_of(curves.softplus, rows.classes[row] ? -score : score);
  }
  const auto k = static_cast<std::size_t>(rows.scores);
  const std::int64_t highest = *std::max_element(scores, scores + k);
  std::int64_t sum = 0;
  for (std::size_t s = 0; s < k; ++s)
    sum += power_of(curves.exponential, static_cast<std::int32_t>(std::max<std::int64_t>(scores[s] - highest, -top - 1)));
  return natural_log(static_cast<double>(sum) * 0x1p-24) +
         (static_cast<double>(highest) - static_cast<double>(scores[rows.classes[row]])) / gam_unit;
}

// The mean loss of the rows, each at the mean score of the bags that did not draw it; those that all drew are left out.
double judged(const GamRows& rows, const GamCurves& curves, const std::vector<Bag>& bags, int threads) {
  const std::size_t jobs = (rows.rows + judged_at_once - 1) / judged_at_once, k = static_cast<std::size_t>(rows.scores);
  std::vector<double> losses(jobs), wholes(jobs);
  run_parallel(jobs, threads, [&](std::size_t job, int) {
    std::vector<std::int64_t> scores(k);
    for (std::size_t r = job * judged_at_once; r < std::min(rows.rows, (job + 1) * judged_at_once); ++r) {
      std::int64_t judges = 0;
      std::fill(scores.begin(), scores.end(), 0);
      for (const Bag& bag : bags) {
        if (bag.drew(r)) continue;
        ++judges;
        for (std::size_t s = 0; s < k; ++s) scores[s] += bag.score(r, s);
      }
      if (judges == 0) continue;
      for (std::int64_t& score : scores) score = score / judges - (score % judges < 0);  // rounded down
      const double weight = rows.weights ? rows.weights[r] : 1.0;
      losses[job] += weight * loss_at(rows, curves, r, scores.data());
      wholes[job] += weight;
    }
  });
  double loss = 0.0, whole = 0.0;
  for (std::size_t job = 0; job < jobs; ++job) {
    loss += losses[job];
    whole += wholes[job];
  }
  return whole > 0.0 ? loss / whole : 0.0;
}
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
  if (terms.empty()) return boosted;
  std::vector<Bag> all;
  for (std::size_t b = 0; b < count; ++b)
    all.emplace_back(rows, curves, terms, settings, gam_times(rows, bags, static_cast<std::int32_t>(b)),
                     key_of({bags.seed, b, cutting}));
  run_parallel(count, threads, [&](std::size_t b, int) {
    all[b].begin(start, start.points ? start.points + b * k * start_cells : nullptr, start_cells);
  });
  bool judging = false;
  for (std::size_t r = 0; r < rows.rows && !judging; ++r)
    judging = std::any_of(all.begin(), all.end(), [&](const Bag& bag) { return !bag.drew(r); });
  if (!judging) return boosted;  // nothing to judge a round by: no step
  boosted.losses.push_back(judged(rows, curves, all, threads));
  double least = boosted.losses[0];
  for (std::int32_t round = 1; round <= settings.rounds; ++round) {
    run_parallel(count, threads, [&](std::size_t b, int) {
      check(stop);
      all[b].go_round(round);
    });
    boosted.losses.push_back(judged(rows, curves, all, threads));
    progress.score.store(boosted.losses.back());
    ++progress.done;
    if (boosted.losses.back() < least) {
      least = boosted.losses.back();
      boosted.best = round;
      for (std::size_t b = 0; b < count; ++b)
        std::copy(all[b].points.begin(), all[b].points.end(), boosted.points.begin() + static_cast<std::ptrdiff_t>(b * k * cells));
    } else if (round - boosted.best >= settings.patience) {
      break;
    }
    if (progress.enough.load()) {
      boosted.interrupted = true;
      break;
    }
  }
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
      const GamCross cross = best_cross(slopes.data() + s * size, curves.data(), counts.data(), sizes[i], sizes[j], 1e-9, rows_of_a_quadrant, scratch);
      if (cross.a >= 0) gains[p] += cross.gain - slope * slope / (curve + 1e-9);
    }
  });
  return gains;
}

}  // namespace clearwood
