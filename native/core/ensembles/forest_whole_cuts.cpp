#include <algorithm>
#include <cmath>

#include "core/ensembles/forest_split.hpp"
#include "core/numeric/wide.hpp"

namespace clearwood {
namespace {

// Purity of both sides by weights and squares of counts: whole numbers below 2^53, so nothing is rounded before the division.
CLEARWOOD_WIDE void score_squares(const double* squares, const double* others, const std::uint32_t* weights,
                                  double weight, std::size_t cuts, double* scores) {
  for (std::size_t k = 0; k < cuts; ++k) {
    const double left = static_cast<std::int32_t>(weights[k]);
    scores[k] = squares[k] * (1.0 / left) + others[k] * (1.0 / (weight - left));
  }
}

CLEARWOOD_WIDE void score_two(const std::uint32_t* ones, const std::uint32_t* weights, double all_ones, double weight,
                              std::size_t cuts, double* scores) {
  for (std::size_t k = 0; k < cuts; ++k) {
    const double left = static_cast<std::int32_t>(weights[k]), one = static_cast<std::int32_t>(ones[k]);
    const double zero = left - one, right = weight - left, other_one = all_ones - one, other_zero = right - other_one;
    scores[k] = (zero * zero + one * one) * (1.0 / left) + (other_zero * other_zero + other_one * other_one) * (1.0 / right);
  }
}

}  // namespace

void WholeCuts::begin(std::size_t classes, double least) {
  classes_ = classes;
  least_ = static_cast<std::uint32_t>(std::clamp(std::ceil(least - 1e-9), 1.0, 4e9));
  counts_.resize(classes);
  left_.resize(classes);
  first_.assign(classes, 0);
}

void WholeCuts::at_node(const double* counts, double weight) {
  for (std::size_t c = 0; c < classes_; ++c) counts_[c] = static_cast<std::uint32_t>(counts[c]);
  weight_ = static_cast<std::uint32_t>(weight);
  ones_ = classes_ == 2 ? counts_[1] : 0;
}

void WholeCuts::ask(const std::uint32_t* ids, const std::uint32_t* tags, std::size_t count, std::uint32_t missing_id,
                    std::size_t column, ForestSplit& best) {
  if (at_.size() < count) {
    at_.resize(count);
    weights_.resize(count);
    ones_at_.resize(count);
    squares_.resize(count);
    other_squares_.resize(count);
    scores_.resize(count);
  }
  const bool two = classes_ == 2;
  std::size_t known = count;
  while (known > 0 && ids[known - 1] == missing_id) --known;
  std::fill(first_.begin(), first_.end(), 0);
  if (two) {
    scan_two(ids, tags, known, 0, 0);
  } else {
    scan(ids, tags, known, first_.data());
  }
  score(cuts_, two);
  choose(cuts_, column, known < count ? 1 : -1, ids, best);
  if (known == count) return;
  // The missing below the cut, then by themselves.
  std::uint32_t weight = 0;
  for (std::size_t i = known; i < count; ++i) {
    first_[tags[i] & 0xFFFF] += tags[i] >> 16;
    weight += tags[i] >> 16;
  }
  if (two) {
    scan_two(ids, tags, known, weight, first_[1]);
  } else {
    scan(ids, tags, known, first_.data());
  }
  score(cuts_, two);
  choose(cuts_, column, 0, ids, best);
  if (known > 0) apart(first_.data(), column, ids[known - 1], best);
}

bool WholeCuts::ask_counts(const std::uint32_t* table, std::uint32_t size, std::size_t column, ForestSplit& best) {
  // As rows of a value and class each, as heavy as they are together.
  met_.clear();
  met_tags_.clear();
  for (std::uint32_t id = 0; id <= size; ++id)
    for (std::uint32_t c = 0; c < classes_; ++c)
      for (std::uint32_t left = table[id * classes_ + c]; left > 0;) {
        const std::uint32_t some = std::min(left, 0xFFFFu);
        met_.push_back(id);
        met_tags_.push_back(tag_of(c, some));
        left -= some;
      }
  if (met_.front() == met_.back()) return false;
  ask(met_.data(), met_tags_.data(), met_.size(), size, column, best);
  return true;
}

void WholeCuts::scan_two(const std::uint32_t* ids, const std::uint32_t* tags, std::size_t known, std::uint32_t weight,
                         std::uint32_t ones) {
  std::size_t cuts = 0;
  for (std::size_t i = 0; i + 1 < known; ++i) {
    const std::uint32_t more = tags[i] >> 16;
    weight += more;
    ones += more & (0u - (tags[i] & 1u));
    at_[cuts] = static_cast<std::uint32_t>(i);
    weights_[cuts] = weight;
    ones_at_[cuts] = ones;
    cuts += static_cast<std::size_t>(ids[i] != ids[i + 1]) & static_cast<std::size_t>(weight >= least_) &
            static_cast<std::size_t>(weight_ - weight >= least_);
  }
  cuts_ = cuts;
}

void WholeCuts::scan(const std::uint32_t* ids, const std::uint32_t* tags, std::size_t known,
                     const std::uint32_t* first) {
  std::int64_t squares = 0, others = 0;
  std::uint32_t weight = 0;
  for (std::size_t c = 0; c < classes_; ++c) {
    left_[c] = first[c];
    weight += first[c];
    const std::int64_t low = first[c], high = counts_[c] - first[c];
    squares += low * low;
    others += high * high;
  }
  std::size_t cuts = 0;
  for (std::size_t i = 0; i + 1 < known; ++i) {
    const std::uint32_t c = tags[i] & 0xFFFF;
    const std::int64_t more = tags[i] >> 16, low = left_[c], high = static_cast<std::int64_t>(counts_[c]) - low;
    squares += more * (2 * low + more);
    others -= more * (2 * high - more);
    left_[c] = static_cast<std::uint32_t>(low + more);
    weight += static_cast<std::uint32_t>(more);
    at_[cuts] = static_cast<std::uint32_t>(i);
    weights_[cuts] = weight;
    squares_[cuts] = static_cast<double>(squares);
    other_squares_[cuts] = static_cast<double>(others);
    cuts += static_cast<std::size_t>(ids[i] != ids[i + 1]) & static_cast<std::size_t>(weight >= least_) &
            static_cast<std::size_t>(weight_ - weight >= least_);
  }
  cuts_ = cuts;
}

void WholeCuts::score(std::size_t cuts, bool two) {
  if (two) {
    score_two(ones_at_.data(), weights_.data(), ones_, weight_, cuts, scores_.data());
  } else {
    score_squares(squares_.data(), other_squares_.data(), weights_.data(), weight_, cuts, scores_.data());
  }
}

void WholeCuts::choose(std::size_t cuts, std::size_t column, int missing, const std::uint32_t* ids,
                       ForestSplit& best) const {
  for (std::size_t k = 0; k < cuts; ++k) {
    if (!best.beats(scores_[k])) continue;
    best.take(scores_[k], column);
    best.below = ids[at_[k]];
    best.above = ids[at_[k] + 1];
    best.missing = missing;
  }
}

void WholeCuts::apart(const std::uint32_t* first, std::size_t column, std::uint32_t last, ForestSplit& best) {
  double squares[2] = {0, 0}, weights[2] = {0, 0};
  for (std::size_t c = 0; c < classes_; ++c) {
    const double missing = first[c], known = counts_[c] - first[c];
    squares[0] += known * known;
    squares[1] += missing * missing;
    weights[0] += known;
    weights[1] += missing;
  }
  if (weights[0] < least_ || weights[1] < least_) return;
  const double score = squares[0] * (1.0 / weights[0]) + squares[1] * (1.0 / weights[1]);
  if (!best.beats(score)) return;
  best.take(score, column);
  best.apart = true;
  best.below = last;
  best.missing = 1;
}

}  // namespace clearwood
