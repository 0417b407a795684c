#include "core/ensembles/gradients.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "core/numeric/wide.hpp"

namespace clearwood {
namespace {

// exp and log of our own, since libraries differ in the last digit and a model must not: sums and products alone, in one
// order. src/clearwood/counting/ties.py has the same numbers.

constexpr double whole_numbers = 0x1.8p52;  // added to a number below 2⁵¹, leaves it whole, rounded half to even
constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;

inline std::int64_t rounded(double value) {
  return std::bit_cast<std::int64_t>(value + whole_numbers) - std::bit_cast<std::int64_t>(whole_numbers);
}

// e to the x, of x between −700 and 700; beyond, of the nearer of these.
inline double own_exp(double x) {
  x = std::min(std::max(x, -700.0), 700.0);
  const double shifted = x * 1.44269504088896338700 + whole_numbers;
  const double k = shifted - whole_numbers;
  const double r = (x - k * ln2_high) - k * ln2_low;
  double p = 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  const std::int64_t power = std::bit_cast<std::int64_t>(shifted) - std::bit_cast<std::int64_t>(whole_numbers);
  return p * std::bit_cast<double>((power + 1023) << 52);
}

// The natural logarithm of x, which is at least 1e-300.
inline double own_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  double e = static_cast<double>(static_cast<std::int32_t>(bits >> 52) - 1022);
  double m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFull) | 0x3FE0000000000000ull);
  const bool low = m < 0.70710678118654757;
  const double twice = m + m, less = e - 1.0;  // computed either way: a loop without branches
  m = low ? twice : m;
  e = low ? less : e;
  const double f = (m - 1.0) / (m + 1.0), s = f * f;
  double p = 1.0 / 21.0;
  p = p * s + 1.0 / 19.0;
  p = p * s + 1.0 / 17.0;
  p = p * s + 1.0 / 15.0;
  p = p * s + 1.0 / 13.0;
  p = p * s + 1.0 / 11.0;
  p = p * s + 1.0 / 9.0;
  p = p * s + 1.0 / 7.0;
  p = p * s + 1.0 / 5.0;
  p = p * s + 1.0 / 3.0;
  p = p * s + 1.0;
  return e * ln2_high + (e * ln2_low + (f + f) * p);
}

constexpr std::size_t stretch = 4096;  // rows that are added up by themselves: sums do not depend on threads
constexpr std::size_t exp_lanes = 8;
constexpr double least_bend = 1e-16;
constexpr double poisson_bend = 2.0137527074704766;  // e to the 0.7: steps stay small where the mean is
constexpr double uneven = 64;  // with the largest so many times the mean, packed words would be too coarse
constexpr std::size_t few_gradients = 16384;  // rows for which packed words bring nothing

struct Slope {
  double g, h;
};

// Of one row and score, before its weight.
Slope slope(const BoostedRows& rows, std::size_t row, std::size_t score, double answer) {
  switch (rows.loss) {
    case Loss::logistic:
      return {answer - static_cast<double>(rows.code[row]), std::max(answer * (1.0 - answer), least_bend)};
    case Loss::softmax:
      return {answer - (rows.code[row] == static_cast<std::int32_t>(score) ? 1.0 : 0.0),
              std::max(2.0 * answer * (1.0 - answer), least_bend)};
    case Loss::squared:
      return {answer - rows.number[row], 1.0};
    case Loss::absolute:
      return {answer > rows.number[row] ? 1.0 : answer < rows.number[row] ? -1.0 : 0.0, 1.0};
    case Loss::quantile:
      return {answer > rows.number[row]   ? 1.0 - rows.quantile
              : answer < rows.number[row] ? -rows.quantile
                                          : 0.0,
              1.0};
    case Loss::poisson:
      break;
  }
  return {answer - rows.number[row], answer * poisson_bend};
}

// Sums in exp_lanes: as many additions at once as the machine has room for, in an order that is always the same.
double sum_of_lanes(const double* a) { return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7])); }

struct Lanes {
  std::array<double, exp_lanes> sums{};
  void add(std::size_t i, double value) { sums[i % exp_lanes] += value; }
  double sum() const { return sum_of_lanes(sums.data()); }
};

using Losses = std::array<double, stretch>;

// Two classes: the share of the second, and the loss.
CLEARWOOD_WIDE void answer_logistic(const double* __restrict scores, const std::int32_t* __restrict code,
                                    std::size_t count, Word* __restrict answers, double* __restrict losses) {
  for (std::size_t i = 0; i < count; ++i) {
    const double score = scores[i];
    const double z = own_exp(-std::abs(score));
    const double one = 1.0 / (1.0 + z), other = z * one, opposite = -score;
    answers[i] = std::bit_cast<Word>(score >= 0.0 ? one : other);
    const double against = code[i] != 0 ? opposite : score;
    losses[i] = std::max(against, 0.0) + own_log(1.0 + z);
  }
}

void answer_stretch(const BoostedRows& rows, const double* scores, Word* answers, std::size_t begin, std::size_t end,
                    Losses& losses) {
  const std::size_t n = rows.rows;
  switch (rows.loss) {
    case Loss::logistic:
      answer_logistic(scores + begin, rows.code + begin, end - begin, answers + begin, losses.data());
      return;
    case Loss::softmax: {
      Losses most, sums;
      std::copy(scores + begin, scores + end, most.begin());
      for (std::size_t k = 1; k < rows.scores; ++k)
        for (std::size_t row = begin; row < end; ++row) most[row - begin] = std::max(most[row - begin], scores[k * n + row]);
      sums.fill(0.0);
      for (std::size_t k = 0; k < rows.scores; ++k)
        for (std::size_t row = begin; row < end; ++row) {
          const double z = own_exp(scores[k * n + row] - most[row - begin]);
          answers[k * n + row] = std::bit_cast<Word>(z);
          sums[row - begin] += z;
        }
      for (std::size_t k = 0; k < rows.scores; ++k)
        for (std::size_t row = begin; row < end; ++row)
          answers[k * n + row] = std::bit_cast<Word>(std::bit_cast<double>(answers[k * n + row]) / sums[row - begin]);
      for (std::size_t row = begin; row < end; ++row) {
        const double own = scores[static_cast<std::size_t>(rows.code[row]) * n + row] - most[row - begin];
        losses[row - begin] = own_log(sums[row - begin]) - own;
      }
      return;
    }
    case Loss::poisson:
      for (std::size_t row = begin; row < end; ++row) {
        const double mean = own_exp(scores[row]), y = rows.number[row];
        answers[row] = std::bit_cast<Word>(mean);
        losses[row - begin] = 2.0 * ((y > 0.0 ? y * (own_log(std::max(y, 1e-300)) - scores[row]) : 0.0) - (y - mean));
      }
      return;
    case Loss::squared:
    case Loss::absolute:
    case Loss::quantile:
      for (std::size_t row = begin; row < end; ++row) {
        const double answer = scores[row], over = answer - rows.number[row];
        answers[row] = std::bit_cast<Word>(answer);
        losses[row - begin] = rows.loss == Loss::squared    ? over * over
                              : rows.loss == Loss::absolute ? std::abs(over)
                              : over > 0.0                  ? (1.0 - rows.quantile) * over
                                                            : -rows.quantile * over;
      }
      return;
  }
}

struct StretchSums {
  double loss = 0, held_loss = 0, weight = 0, held_weight = 0;
  std::size_t learning = 0;
  std::vector<GradientSizes> sizes;
};

// The same of two classes where every row weighs 1 and none is held out, exp_lanes side by side.
CLEARWOOD_WIDE void sum_plain(const std::int32_t* __restrict code, const Word* __restrict answers,
                              const double* __restrict losses, std::size_t count, StretchSums& out) {
  double loss[exp_lanes] = {}, sum_g[exp_lanes] = {}, sum_h[exp_lanes] = {}, most_g[exp_lanes] = {}, most_h[exp_lanes] = {};
  const auto add = [&](std::size_t i, std::size_t lane) {
    const double answer = std::bit_cast<double>(answers[i]);
    const double g = std::abs(answer - static_cast<double>(code[i])), h = std::max(answer * (1.0 - answer), least_bend);
    loss[lane] += losses[i];
    sum_g[lane] += g;
    sum_h[lane] += h;
    most_g[lane] = std::max(most_g[lane], g);
    most_h[lane] = std::max(most_h[lane], h);
  };
  std::size_t i = 0;
  for (; i + exp_lanes <= count; i += exp_lanes)
    for (std::size_t lane = 0; lane < exp_lanes; ++lane) add(i + lane, lane);
  for (std::size_t lane = 0; i < count; ++i, ++lane) add(i, lane);
  out.loss = sum_of_lanes(loss);
  out.weight = static_cast<double>(count);
  out.learning = count;
  out.sizes.assign(1, {*std::max_element(most_g, most_g + exp_lanes), *std::max_element(most_h, most_h + exp_lanes), sum_of_lanes(sum_g), sum_of_lanes(sum_h)});
}

void sum_stretch(const BoostedRows& rows, const Word* answers, std::size_t begin, std::size_t end, const Losses& losses,
                 StretchSums& out) {
  if (rows.loss == Loss::logistic && rows.weight == nullptr && rows.held == nullptr) {
    sum_plain(rows.code + begin, answers + begin, losses.data(), end - begin, out);
    return;
  }
  Lanes loss, held_loss, weight, held_weight;
  for (std::size_t row = begin; row < end; ++row) {
    const double w = rows.weight_of(row);
    if (rows.is_held(row)) {
      held_loss.add(row - begin, w * losses[row - begin]);
      held_weight.add(row - begin, w);
    } else {
      loss.add(row - begin, w * losses[row - begin]);
      weight.add(row - begin, w);
      ++out.learning;
    }
  }
  out.loss = loss.sum(), out.held_loss = held_loss.sum(), out.weight = weight.sum(), out.held_weight = held_weight.sum();
  out.sizes.resize(rows.scores);
  for (std::size_t k = 0; k < rows.scores; ++k) {
    GradientSizes& size = out.sizes[k];
    Lanes sum_g, sum_h;
    for (std::size_t row = begin; row < end; ++row) {
      if (rows.is_held(row)) continue;
      const double w = rows.weight_of(row);
      const Slope at = slope(rows, row, k, std::bit_cast<double>(answers[k * rows.rows + row]));
      const double g = std::abs(w * at.g), h = w * at.h;
      size.most_g = std::max(size.most_g, g);
      size.most_h = std::max(size.most_h, h);
      sum_g.add(row - begin, g);
      sum_h.add(row - begin, h);
    }
    size.sum_g = sum_g.sum(), size.sum_h = sum_h.sum();
  }
}

int exponent_of(double most) {
  int exponent = 0;
  std::frexp(most, &exponent);
  return exponent;
}

}  // namespace

RoundSizes answer_all(const BoostedRows& rows, const double* scores, Word* answers, int threads, const StopFlag& stop) {
  std::vector<StretchSums> parts((rows.rows + stretch - 1) / stretch);
  const int used = rows.rows * rows.scores < small_work / 16 ? 1 : threads;
  over_rows(rows.rows, stretch, used, stop, [&](std::size_t begin, std::size_t end, int) {
    Losses losses;
    answer_stretch(rows, scores, answers, begin, end, losses);
    sum_stretch(rows, answers, begin, end, losses, parts[begin / stretch]);
  });
  RoundSizes all;
  all.sizes.resize(rows.scores);
  for (const StretchSums& part : parts) {
    all.loss += part.loss, all.held_loss += part.held_loss;
    all.weight += part.weight, all.held_weight += part.held_weight;
    all.learning += part.learning;
    for (std::size_t k = 0; k < rows.scores; ++k) {
      all.sizes[k].most_g = std::max(all.sizes[k].most_g, part.sizes[k].most_g);
      all.sizes[k].most_h = std::max(all.sizes[k].most_h, part.sizes[k].most_h);
      all.sizes[k].sum_g += part.sizes[k].sum_g;
      all.sizes[k].sum_h += part.sizes[k].sum_h;
    }
  }
  return all;
}

GradientUnits units_of(const BoostedRows& rows, const GradientSizes& sizes, std::size_t learning) {
  const auto count = static_cast<double>(learning);
  const bool coarse = rows.fine || learning < few_gradients || sizes.sum_g * uneven < sizes.most_g * count || sizes.sum_h * uneven < sizes.most_h * count;
  const int bits = coarse ? std::min(40, 62 - static_cast<int>(std::bit_width(learning))) : packed_bits;
  return {exponent_of(sizes.most_g) - bits, exponent_of(sizes.most_h) - bits, !coarse};
}

RowSums gradients_of(const BoostedRows& rows, std::size_t score, const GradientUnits& units, Word* answers,
                     std::vector<std::int64_t>& seconds, int threads, const StopFlag& stop) {
  const double in_g = std::ldexp(1.0, -units.g), in_h = std::ldexp(1.0, -units.h);
  if (!units.packed) seconds.resize(rows.rows);
  over_rows(rows.rows, stretch, rows.rows < small_work / 8 ? 1 : threads, stop, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t row = begin; row < end; ++row) {
      const double w = rows.weight_of(row);
      const Slope at = slope(rows, row, score, std::bit_cast<double>(answers[row]));
      const std::int64_t g = rounded((w * at.g) * in_g), h = rounded((w * at.h) * in_h);
      // The answer is read for the last time: its eight bytes become those of the gradient.
      answers[row] = units.packed ? packed(g, h) : static_cast<Word>(g);
      if (!units.packed) seconds[row] = h;
    }
  });
  RowSums sums;
  if (units.packed) {
    sums.words = answers;
  } else {
    sums.g = reinterpret_cast<const std::int64_t*>(answers);  // the same bytes, with a sign
    sums.h = seconds.data();
  }
  return sums;
}

}  // namespace clearwood
