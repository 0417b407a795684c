#include "core/ensembles/gam.hpp"

#include <cmath>

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
template <class Wide>
std::int32_t between_points(const std::int32_t* curve, std::int32_t at) {
  const std::int32_t i = at >> step_bits, part = at & ((1 << step_bits) - 1);
  return curve[i] + static_cast<std::int32_t>((static_cast<Wide>(curve[i + 1] - curve[i]) * part) >> step_bits);
}

std::int32_t share_of(const std::int32_t* logistic, std::int32_t score) {
  return between_points<std::int32_t>(logistic, std::clamp(score, -top, top - 1) + top);
}

std::int32_t power_of(const std::int32_t* exponential, std::int32_t below) {  // below: 0 or less
  return below < -top ? 0 : between_points<std::int64_t>(exponential, std::min(below + top, top - 1));
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
constexpr double worth_a_round = 1e-4;  // of the loss: what falls by less, for as long as patience lasts, is no gain
constexpr std::size_t terms_abreast = 4;  // terms that take their steps from the same scores: a row is answered once for all of them

// Terms abreast, with the cells of a row side by side, each numbered among the cells of all of them: a pass needs one table of
// steps and one of sums. After the last of them comes a cell for terms that are not there.
struct GroupPlace {
  std::size_t first = 0, end = 0;  // terms
  std::size_t cells = 0;
  std::size_t begin = 0;  // of its cells among those of all groups
};
template <class Code>
struct Group : GroupPlace {
  std::vector<Code> codes;  // [row][terms_abreast]
};

std::vector<GroupPlace> places_of(const std::vector<GamTerm>& terms) {
  std::vector<GroupPlace> places;
  std::size_t begin = 0;
  for (std::size_t first = 0; first < terms.size(); first += terms_abreast) {
    GroupPlace place{first, std::min(terms.size(), first + terms_abreast), 1, begin};
    for (std::size_t t = first; t < place.end; ++t) place.cells += static_cast<std::size_t>(terms[t].cells);
    begin += place.cells;
    places.push_back(place);
  }
  return places;
}

template <class Code>
std::vector<Group<Code>> groups_of(const std::vector<GamTerm>& terms, std::size_t rows, int threads) {
  const std::vector<GroupPlace> places = places_of(terms);
  std::vector<Group<Code>> groups(places.size());
  run_parallel(groups.size(), threads, [&](std::size_t g, int) {
    Group<Code>& group = groups[g];
    static_cast<GroupPlace&>(group) = places[g];
    group.codes.assign(rows * terms_abreast, static_cast<Code>(group.cells - 1));
    std::size_t offset = 0;
    for (std::size_t t = group.first; t < group.end; ++t) {
      for (std::size_t r = 0; r < rows; ++r)
        group.codes[r * terms_abreast + t - group.first] = static_cast<Code>(offset + terms[t].codes[r]);
      offset += static_cast<std::size_t>(terms[t].cells);
    }
  });
  return groups;
}

// Slope and curve are added at once.
typedef std::int64_t BothSums __attribute__((vector_size(16), may_alias));
static_assert(sizeof(GamSum) == sizeof(BothSums) && alignof(GamSum) == alignof(BothSums));

// One bag: how often it drew each row, the scores of all rows, and the points that led there.
template <class Code>
class Bag {
 public:
  Bag(const GamRows& rows, const GamCurves& curves, const std::vector<GamTerm>& terms, const std::vector<Group<Code>>& groups,
      const GamSettings& settings, const std::vector<std::int32_t>& times, std::uint64_t key)
      : rows_(rows), curves_(curves), terms_(terms), groups_(groups), settings_(settings),
        k_(static_cast<std::size_t>(rows.scores)), key_(key), last_(&groups.front()) {
    offsets_.push_back(0);
    for (const GamTerm& term : terms) offsets_.push_back(offsets_.back() + static_cast<std::size_t>(term.cells));
    points.assign(offsets_.back() * k_, 0);
    counts_.assign(offsets_.back(), 0);
    std::size_t most = 0;
    for (const Group<Code>& group : groups) most = std::max(most, group.cells);
    sums_.resize(most * k_);
    steps_.assign((groups.back().begin + groups.back().cells) * k_, 0);
    for (std::size_t r = 0; r < rows.rows; ++r)
      if (times[r] > 0) {
        drawn_.push_back(static_cast<std::uint32_t>(r));
        times_.push_back(times[r]);
      } else {
        left.push_back(static_cast<std::uint32_t>(r));
      }
    for (std::size_t t = 0; t < terms.size(); ++t)
      for (std::size_t i = 0; i < drawn_.size(); ++i) counts_[offsets_[t] + terms[t].codes[drawn_[i]]] += times_[i];
    factor_ = settings.rate * (rows.loss == GamLoss::softmax ? static_cast<double>(k_ - 1) / static_cast<double>(k_) : 1.0);
  }

  // The scores before the first round: the base, and the points of terms boosted before.
  void begin(const GamStart& start, const std::int64_t* began, std::size_t start_cells) {
    const std::size_t count = drawn_.size();
    std::vector<std::int64_t> sums(rows_.rows * k_);
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      const std::size_t row = i < count ? drawn_[i] : left[i - count];
      for (std::size_t s = 0; s < k_; ++s) {
        std::int64_t sum = rows_.base[s];
        std::size_t offset = s * start_cells;
        for (const GamTerm& term : start.terms) {
          sum += began[offset + term.codes[row]];
          offset += static_cast<std::size_t>(term.cells);
        }
        sums[i * k_ + s] = sum;
      }
    }
    if (rows_.loss == GamLoss::squared) {
      wide_ = std::move(sums);
      return;
    }
    scores_.resize(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) scores_[i] = clamped(sums[i]);
  }

  void go_round(std::int32_t round) {
    for (const Group<Code>& group : groups_) {
      std::fill(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(group.cells * k_), GamSum{});
      pass(group);
      for (std::size_t t = group.first; t < group.end; ++t) {
        const auto width = static_cast<std::size_t>(terms_[t].cells);
        const GamChance chance{round <= settings_.smoothing, key_of({key_, static_cast<std::uint64_t>(round), t})};
        for (std::size_t s = 0; s < k_; ++s) {
          const std::size_t cell = s * group.cells + offsets_[t] - offsets_[group.first];
          std::int32_t* const moved = steps_.data() + group.begin * k_ + cell;
          gam_step(terms_[t], settings_, factor_, sums_.data() + cell, counts_.data() + offsets_[t], chance, scratch_, moved);
          std::int64_t* const place = points.data() + s * offsets_.back() + offsets_[t];
          for (std::size_t c = 0; c < width; ++c) place[c] += moved[c];
        }
      }
      last_ = &group;
    }
    move_left();
  }

  // The score of a row that was not drawn, by its place among them.
  std::int64_t score(std::size_t place, std::size_t s) const {
    const std::size_t at = (drawn_.size() + place) * k_ + s;
    return rows_.loss == GamLoss::squared ? wide_[at] : scores_[at];
  }

  std::vector<std::int64_t> points;  // [score][cells of all terms]
  std::vector<std::uint32_t> left;   // rows that were not drawn, in order

 private:
  // What the steps of a group come to in a row: `codes` are its cells there.
  template <class Number>
  static Number moved_by(const std::int32_t* steps, const Code* codes) {
    Number moved = 0;
    for (std::size_t j = 0; j < terms_abreast; ++j) moved += steps[codes[j]];
    return moved;
  }

  static void add(GamSum* sums, const Code* codes, std::int64_t slope, std::int64_t curve) {
    const BothSums both{slope, curve};
    for (std::size_t j = 0; j < terms_abreast; ++j) reinterpret_cast<BothSums*>(sums)[codes[j]] += both;
  }

  // Move the scores of the drawn rows by the steps before, and sum the derivatives there by the cells of these terms: one pass.
  void pass(const Group<Code>& group) {
    switch (rows_.loss) {
      case GamLoss::logistic: return logistic_pass(group);
      case GamLoss::softmax: return softmax_pass(group);
      case GamLoss::squared: return squared_pass(group);
    }
  }

  void logistic_pass(const Group<Code>& group) {
    const std::int32_t* const steps = steps_.data() + last_->begin;
    const Code* const before = last_->codes.data();
    const Code* const now = group.codes.data();
    const std::uint32_t* const drawn = drawn_.data();
    const std::int32_t* const times = times_.data();
    const std::int32_t* const classes = rows_.classes;
    const std::int32_t* const logistic = curves_.logistic;
    std::int32_t* const scores = scores_.data();
    GamSum* const sums = sums_.data();
    const std::size_t count = drawn_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = drawn[i];
      const std::int32_t score = std::clamp(scores[i] + moved_by<std::int32_t>(steps, before + row * terms_abreast), -far, far);
      scores[i] = score;
      const std::int64_t weight = times[i];
      const std::int32_t share = share_of(logistic, score);
      add(sums, now + row * terms_abreast, weight * (share - (classes[row] << gam_bits)),
          weight * ((static_cast<std::int64_t>(share) * ((1 << gam_bits) - share)) >> gam_bits));
    }
  }

  void softmax_pass(const Group<Code>& group) {
    const std::int32_t* const steps = steps_.data() + last_->begin * k_;
    shares_.resize(k_);
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      const std::size_t row = drawn_[i];
      std::int32_t* const scores = scores_.data() + i * k_;
      for (std::size_t s = 0; s < k_; ++s)
        scores[s] = clamped(scores[s] + moved_by<std::int64_t>(steps + s * last_->cells, last_->codes.data() + row * terms_abreast));
      shares_of(curves_, scores, k_, shares_.data());
      const std::int64_t weight = times_[i];
      for (std::size_t s = 0; s < k_; ++s) {
        const std::int32_t share = shares_[s];
        const auto is = static_cast<std::int32_t>(rows_.classes[row] == static_cast<std::int32_t>(s));
        add(sums_.data() + s * group.cells, group.codes.data() + row * terms_abreast, weight * (share - (is << gam_bits)),
            weight * ((static_cast<std::int64_t>(share) * ((1 << gam_bits) - share)) >> gam_bits));
      }
    }
  }

  void squared_pass(const Group<Code>& group) {
    const std::int32_t* const steps = steps_.data() + last_->begin;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      const std::size_t row = drawn_[i];
      wide_[i] += moved_by<std::int64_t>(steps, last_->codes.data() + row * terms_abreast);
      const std::int64_t weight = times_[i];
      add(sums_.data(), group.codes.data() + row * terms_abreast, weight * (wide_[i] - rows_.numbers[row]), weight << gam_bits);
    }
  }

  // Move the scores of the other rows by all steps of a round: they are asked for once in a round only.
  void move_left() {
    const std::size_t begin = drawn_.size() * k_, count = left.size();
    for (const Group<Code>& group : groups_)
      for (std::size_t s = 0; s < k_; ++s) {
        const std::int32_t* const steps = steps_.data() + group.begin * k_ + s * group.cells;
        const Code* const codes = group.codes.data();
        if (rows_.loss == GamLoss::squared) {
          for (std::size_t i = 0; i < count; ++i)
            wide_[begin + i] += moved_by<std::int64_t>(steps, codes + left[i] * terms_abreast);
          continue;
        }
        std::int32_t* const scores = scores_.data() + begin + s;
        for (std::size_t i = 0; i < count; ++i)
          scores[i * k_] = std::clamp(scores[i * k_] + moved_by<std::int32_t>(steps, codes + left[i] * terms_abreast), -far, far);
      }
  }

  const GamRows& rows_;
  const GamCurves& curves_;
  const std::vector<GamTerm>& terms_;
  const std::vector<Group<Code>>& groups_;
  const GamSettings& settings_;
  std::size_t k_;
  std::uint64_t key_;
  const Group<Code>* last_;  // whose steps were the last: the scores of the drawn rows are not yet moved by them
  double factor_ = 0.0;
  std::vector<std::size_t> offsets_;  // [term] of its cells among those of all terms
  std::vector<std::uint32_t> drawn_;  // rows, in order
  std::vector<std::int32_t> times_;   // [drawn row] how often
  std::vector<std::int32_t> scores_;  // [drawn row, then the others][score]
  std::vector<std::int64_t> wide_;    // the same of the squared loss
  std::vector<std::int32_t> steps_;   // [group][score][cell] of the last round
  std::vector<std::int64_t> counts_;  // [cells of all terms] drawn rows
  std::vector<GamSum> sums_;          // [score][cell] of a group
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
template <class Code>
double judged(const GamRows& rows, const GamCurves& curves, const std::vector<Bag<Code>>& bags, int threads) {
  const std::size_t jobs = (rows.rows + judged_at_once - 1) / judged_at_once, k = static_cast<std::size_t>(rows.scores);
  std::vector<double> losses(jobs), wholes(jobs);
  run_parallel(jobs, threads, [&](std::size_t job, int) {
    const std::size_t first = job * judged_at_once, end = std::min(rows.rows, first + judged_at_once);
    std::vector<std::int64_t> scores((end - first) * k), judges(end - first);
    for (const Bag<Code>& bag : bags) {
      auto place = static_cast<std::size_t>(std::lower_bound(bag.left.begin(), bag.left.end(), first) - bag.left.begin());
      for (; place < bag.left.size() && bag.left[place] < end; ++place) {
        const std::size_t at = bag.left[place] - first;
        ++judges[at];
        for (std::size_t s = 0; s < k; ++s) scores[at * k + s] += bag.score(place, s);
      }
    }
    for (std::size_t r = first; r < end; ++r) {
      const std::int64_t by = judges[r - first];
      if (by == 0) continue;
      std::int64_t* const sums = scores.data() + (r - first) * k;
      for (std::size_t s = 0; s < k; ++s) sums[s] = sums[s] / by - (sums[s] % by < 0);  // rounded down
      const double weight = rows.weights ? rows.weights[r] : 1.0;
      losses[job] += weight * loss_at(rows, curves, r, sums);
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

template <class Code>
GamBoosted boost(const GamRows& rows, const GamBags& bags, const GamCurves& curves, const GamStart& start,
                 const std::vector<GamTerm>& terms, const GamSettings& settings, int threads, Progress& progress,
                 const StopFlag& stop) {
  std::size_t cells = 0, start_cells = 0;
  for (const GamTerm& term : terms) cells += static_cast<std::size_t>(term.cells);
  for (const GamTerm& term : start.terms) start_cells += static_cast<std::size_t>(term.cells);
  const auto count = static_cast<std::size_t>(bags.bags), k = static_cast<std::size_t>(rows.scores);
  GamBoosted boosted;
  boosted.points.assign(count * k * cells, 0);
  if (terms.empty()) return boosted;
  const auto groups = groups_of<Code>(terms, rows.rows, threads);
  std::vector<Bag<Code>> all;
  for (std::size_t b = 0; b < count; ++b)
    all.emplace_back(rows, curves, terms, groups, settings, gam_times(rows, bags, static_cast<std::int32_t>(b)),
                     key_of({bags.seed, b, cutting}));
  run_parallel(count, threads, [&](std::size_t b, int) {
    all[b].begin(start, start.points ? start.points + b * k * start_cells : nullptr, start_cells);
  });
  // With nothing to judge a round by there is no step.
  if (std::all_of(all.begin(), all.end(), [](const Bag<Code>& bag) { return bag.left.empty(); })) return boosted;
  boosted.losses.push_back(judged(rows, curves, all, threads));
  double least = boosted.losses[0], mark = least;  // the mark is what was gained by so much that it was worth going on
  std::int32_t marked = 0;
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
    }
    if (boosted.losses.back() < mark * (1.0 - worth_a_round)) {
      mark = boosted.losses.back();
      marked = round;
    }
    if (round - boosted.best >= settings.patience || (round > settings.smoothing && round - marked >= settings.patience)) break;
    if (progress.enough.load()) {
      boosted.interrupted = true;
      break;
    }
  }
  return boosted;
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
  const std::vector<GroupPlace> places = places_of(terms);
  const bool narrow = std::all_of(places.begin(), places.end(), [](const GroupPlace& each) { return each.cells <= 65536; });
  return (narrow ? boost<std::uint16_t> : boost<std::uint32_t>)(rows, bags, curves, start, terms, settings, threads, progress, stop);
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
