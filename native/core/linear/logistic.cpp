#include "core/linear/logistic.hpp"

#include <array>
#include <cmath>

namespace clearwood {
namespace {

constexpr std::size_t most = TermBlock::most;
constexpr std::size_t side_by_side = 8;  // rows side by side: enough sums under way to hide how long an addition takes

// Scores of rows straight from the cells: for prediction, where nothing is standardised and few cells are empty.
//
// The same sums as TermBlock's, in the same order, without a copy of the numbers: a cell that is empty shows as a score
// that is not a number, and its block of rows is then added up by TermBlock.
class RowScores {
 public:
  // weights [vector][term]
  RowScores(const Terms& terms, const double* weights, std::size_t vectors)
      : terms_(terms), weights_(weights), vectors_(vectors), block_(terms) {
    bool first = true;
    for (const TermColumn& column : terms.columns) {
      if (!column.cells.numeric()) {
        codes_.push_back(&column);
        continue;
      }
      const bool narrow = column.cells.type == Column::Type::float32;
      direct_ &= column.term >= 0 && column.centre == 0 && column.scale == 1 && (first || narrow == narrow_);
      narrow_ = narrow;
      first = false;
      numbers_.push_back({column.cells.data, column.cells.stride, column.term});
    }
  }

  // scores [vector][most]: the scores of the rows [begin, end), at most `most` of them; what lies beyond them is not set.
  void add_up(std::size_t begin, std::size_t end, double* scores) {
    const std::size_t size = end - begin;
    const auto width = static_cast<std::size_t>(terms_.count);
    bool usable = direct_;
    for (std::size_t c = 0; usable && c < vectors_; ++c) {
      const double* const weights = weights_ + c * width;
      double* const own = scores + c * most;
      usable = narrow_ ? add_numbers<float>(begin, size, weights, own) : add_numbers<double>(begin, size, weights, own);
    }
    if (!usable) {
      block_.load(begin, end);
      for (std::size_t c = 0; c < vectors_; ++c) block_.scores(weights_ + c * width, scores + c * most);
      return;
    }
    for (const TermColumn* const column : codes_) {
      const auto known = static_cast<std::uint32_t>(column->place.size());
      for (std::size_t i = 0; i < size; ++i) {
        const auto place = static_cast<std::uint32_t>(column->cells.code(begin + i)) + 2;
        if (place >= known) throw std::invalid_argument("a code lies outside its column's values");
        const std::int32_t term = column->place[place];
        if (term < 0) continue;
        for (std::size_t c = 0; c < vectors_; ++c)
          scores[c * most + i] += weights_[c * width + static_cast<std::size_t>(term)];
      }
    }
  }

 private:
  template <class T>
  static double cell(const std::byte* place) {
    T value;
    std::memcpy(&value, place, sizeof value);
    return static_cast<double>(value);
  }

  template <class T>
  bool add_numbers(std::size_t begin, std::size_t size, const double* weights, double* scores) const {
    double odd = 0;  // NaN as soon as one sum is not finite
    std::size_t row = 0;
    for (; row + side_by_side <= size; row += side_by_side) {
      double sums[side_by_side];
      std::fill_n(sums, side_by_side, 0.0 + weights[0]);
      for (const Number& number : numbers_) {
        const std::byte* at = number.cells + static_cast<std::ptrdiff_t>(begin + row) * number.stride;
        const double weight = weights[number.term];
        for (std::size_t i = 0; i < side_by_side; ++i, at += number.stride) sums[i] += weight * cell<T>(at);
      }
      for (std::size_t i = 0; i < side_by_side; ++i) {
        odd += sums[i] * 0.0;
        scores[row + i] = sums[i];
      }
    }
    for (; row < size; ++row) {
      double sum = 0.0 + weights[0];
      for (const Number& number : numbers_)
        sum += weights[number.term] * cell<T>(number.cells + static_cast<std::ptrdiff_t>(begin + row) * number.stride);
      odd += sum * 0.0;
      scores[row] = sum;
    }
    return odd == odd;
  }

  struct Number {
    const std::byte* cells;
    std::ptrdiff_t stride;
    std::int32_t term;
  };

  const Terms& terms_;
  const double* weights_;
  const std::size_t vectors_;
  bool direct_ = true;      // the numbers are terms as they are
  bool narrow_ = false;     // … and floats of 32 bits
  std::vector<Number> numbers_;
  std::vector<const TermColumn*> codes_;
  TermBlock block_;
};

constexpr std::size_t chunk_rows = 64 * most;
constexpr std::size_t most_chunks = 64;
constexpr std::size_t most_bytes = std::size_t{64} << 20;  // of all chunks' sums together, which take time to clear and add

// Rows a chunk: by the rows and the size of the sums alone, so that every machine adds in the same order.
std::size_t rows_a_chunk(std::size_t rows, std::size_t numbers) {
  const std::size_t chunks = std::clamp<std::size_t>(most_bytes / (numbers * sizeof(double) + 1), 2, most_chunks);
  const std::size_t blocks = (rows + chunks * most - 1) / (chunks * most);
  return std::max(chunk_rows, blocks * most);
}

// The classes of a block of rows: for each vector the probability, and the residual target − probability.
class Odds {
 public:
  explicit Odds(const LogisticRows& rows) : rows_(rows), vectors_(static_cast<std::size_t>(rows.vectors)) {
    moved.assign(static_cast<std::size_t>(rows.classes) * most, 0.0);
    scores_.assign(vectors_ * most, 0.0);
    residuals_.assign(vectors_ * most, 0.0);
    spread_.assign(most, 0.0);
    weight_.fill(0.0);
  }

  // The log-likelihood of the block's rows.
  double find(const TermBlock& block, const double* weights, std::size_t begin) {
    const auto width = static_cast<std::size_t>(rows_.terms.count);
    for (std::size_t c = 0; c < vectors_; ++c) block.scores(weights + c * width, &scores_[c * most]);
    const std::size_t size = block.size();
    for (std::size_t i = 0; i < size; ++i) weight_[i] = rows_.weights ? rows_.weights[begin + i] : 1.0;
    std::fill(weight_.begin() + static_cast<std::ptrdiff_t>(size), weight_.end(), 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      if (rows_.target[begin + i] < 0 || rows_.target[begin + i] >= rows_.classes)
        throw std::invalid_argument("a target's code lies outside its classes");
    }
    return vectors_ == 1 && rows_.classes == 2 ? of_two(begin, size) : of_many(begin, size);
  }

  const double* residual(std::size_t c) const { return &residuals_[c * most]; }

  // weight · p_c · ([c = d] − p_d): what the curvature between two vectors weighs the rows with
  const double* spread(std::size_t c, std::size_t d) {
    if (vectors_ == 1 && rows_.classes == 2) return spread_.data();  // worked out with more digits there
    const double *const p = &scores_[c * most], *const q = &scores_[d * most];
    for (std::size_t i = 0; i < most; ++i) spread_[i] = weight_[i] * (c == d ? p[i] * (1 - p[i]) : -p[i] * q[i]);
    return spread_.data();
  }

  std::vector<double> moved;  // [class][row] room for what a direction does to the scores; the class that has none stays 0

  // moved [vector][row] becomes weight · Σ_d p_c ([c = d] − p_d) moved_d
  void curve(std::vector<double>& moved) {
    if (vectors_ == 1 && rows_.classes == 2) {
      for (std::size_t i = 0; i < most; ++i) moved[i] *= spread_[i];
      return;
    }
    for (std::size_t i = 0; i < most; ++i) {
      double mean = 0;
      for (std::size_t c = 0; c < vectors_; ++c) mean += scores_[c * most + i] * moved[c * most + i];
      for (std::size_t c = 0; c < vectors_; ++c)
        moved[c * most + i] = weight_[i] * scores_[c * most + i] * (moved[c * most + i] - mean);
    }
  }

 private:
  double of_two(std::size_t begin, std::size_t size) {
    constexpr std::size_t together = 16;  // factors of at most 2: their product has room, one logarithm serves them all
    double total = 0, product = 1;
    for (std::size_t i = 0; i < size; ++i) {
      const double score = scores_[i], weight = weight_[i];
      const bool first = rows_.target[begin + i] == 0;
      const double e = std::exp(-std::abs(score)), share = 1 / (1 + e);
      const double p = score >= 0 ? share : e * share;
      // 1 − p by itself would be 0 long before it is
      const double rest = score >= 0 ? e * share : share;
      residuals_[i] = weight * (first ? rest : -p);
      spread_[i] = weight * (e * share * share);
      const double lost = (first ? score : 0.0) - std::max(score, 0.0);
      if (rows_.weights) {
        total += weight * (lost - std::log1p(e));
        continue;
      }
      total += lost;
      product *= 1 + e;
      if (i % together == together - 1) {
        total -= std::log(product);
        product = 1;
      }
    }
    std::fill_n(residuals_.begin() + static_cast<std::ptrdiff_t>(size), most - size, 0.0);
    std::fill_n(spread_.begin() + static_cast<std::ptrdiff_t>(size), most - size, 0.0);
    return total - std::log(product);
  }

  double of_many(std::size_t begin, std::size_t size) {
    const bool compared = rows_.classes > rows_.vectors;
    double total = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto own = static_cast<std::size_t>(rows_.target[begin + i]);
      double high = compared ? 0.0 : -std::numeric_limits<double>::infinity();
      for (std::size_t c = 0; c < vectors_; ++c) high = std::max(high, scores_[c * most + i]);
      double sum = compared ? std::exp(-high) : 0.0;
      const double own_score = own < vectors_ ? scores_[own * most + i] : 0.0;
      for (std::size_t c = 0; c < vectors_; ++c) {
        double& score = scores_[c * most + i];
        sum += score = std::exp(score - high);
      }
      for (std::size_t c = 0; c < vectors_; ++c) {
        double& share = scores_[c * most + i];
        share /= sum;
        residuals_[c * most + i] = weight_[i] * ((c == own ? 1.0 : 0.0) - share);
      }
      total += weight_[i] * (own_score - high - std::log(sum));
    }
    for (std::size_t c = 0; c < vectors_; ++c) {
      std::fill(&scores_[c * most] + size, &scores_[c * most] + most, 0.0);
      std::fill(&residuals_[c * most] + size, &residuals_[c * most] + most, 0.0);
    }
    return total;
  }

  const LogisticRows& rows_;
  std::size_t vectors_;
  std::vector<double> scores_;  // [vector][row] the scores, then the probabilities
  std::vector<double> residuals_, spread_;
  std::array<double, most> weight_{};
};

void mirror(double* matrix, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < i; ++j) matrix[j * width + i] = matrix[i * width + j];
}
// Calls work(part, block, odds, from) for all blocks of rows, a part, which begins as `empty`, for each chunk of them.
template <class Part, class Work>
std::vector<Part> by_chunks(const LogisticRows& rows, std::size_t each, const Part& empty, int threads, const StopFlag& stop,
                            Work&& work) {
  std::vector<Part> parts((rows.terms.rows + each - 1) / each);
  over_rows(rows.terms.rows, each, threads, stop, [&](std::size_t begin, std::size_t end, int) {
    Part part = empty;
    TermBlock block(rows.terms);
    Odds odds(rows);
    for (std::size_t from = begin; from < end; from += most) {
      block.load(from, std::min(end, from + most));
      work(part, block, odds, from);
    }
    parts[begin / each] = std::move(part);
  });
  return parts;
}

// The same of so many sums, the chunks' added up in their order.
template <class Work>
std::vector<double> summed(const LogisticRows& rows, std::size_t numbers, int threads, const StopFlag& stop, Work&& work) {
  std::vector<double> total(numbers, 0.0);
  for (const auto& part : by_chunks(rows, rows_a_chunk(rows.terms.rows, numbers), total, threads, stop, work))
    for (std::size_t i = 0; i < numbers; ++i) total[i] += part[i];
  return total;
}
}  // namespace

LogisticSums logistic_sums(const LogisticRows& rows, const double* weights, bool with_curvature, int threads,
                           const StopFlag& stop) {
  const auto width = static_cast<std::size_t>(rows.terms.count), vectors = static_cast<std::size_t>(rows.vectors);
  const std::size_t pairs = with_curvature ? vectors * (vectors + 1) / 2 : 0;
  const std::size_t matrix = width * width, slopes = vectors * width;
  const auto sums = summed(rows, 1 + slopes + pairs * matrix, threads, stop,
                           [&](std::vector<double>& part, const TermBlock& block, Odds& odds, std::size_t from) {
    part[0] += odds.find(block, weights, from);
    for (std::size_t c = 0; c < vectors; ++c) block.add_sums(odds.residual(c), &part[1 + c * width]);
    if (!with_curvature) return;
    check(stop);
    double* place = &part[1 + slopes];
    for (std::size_t c = 0; c < vectors; ++c)
      for (std::size_t d = 0; d <= c; ++d, place += matrix) block.add_gram(odds.spread(c, d), place);
  });
  const double* const curved = sums.data() + 1 + slopes;
  LogisticSums total{sums[0], {sums.data() + 1, curved}, {curved, curved + pairs * matrix}};
  for (std::size_t pair = 0; pair < pairs; ++pair) mirror(&total.curvature[pair * matrix], width);
  return total;
}

void logistic_spreads(const LogisticRows& rows, const double* weights, double* row_spreads, int threads,
                      const StopFlag& stop) {
  if (rows.vectors != 1 || rows.classes != 2) throw std::invalid_argument("spreads are those of two classes");
  by_chunks(rows, chunk_rows, 0, threads, stop, [&](int&, const TermBlock& block, Odds& odds, std::size_t from) {
    odds.find(block, weights, from);
    std::copy_n(odds.spread(0, 0), block.size(), row_spreads + from);
  });
}

std::vector<double> logistic_curve(const LogisticRows& rows, const double* weights, const double* spreads,
                                   const double* direction, int threads, const StopFlag& stop) {
  const auto width = static_cast<std::size_t>(rows.terms.count), vectors = static_cast<std::size_t>(rows.vectors);
  return summed(rows, vectors * width, threads, stop,
                [&](std::vector<double>& part, const TermBlock& block, Odds& odds, std::size_t from) {
    std::vector<double>& moved = odds.moved;
    if (!spreads) odds.find(block, weights, from);
    for (std::size_t c = 0; c < vectors; ++c) block.scores(direction + c * width, &moved[c * most]);
    if (spreads) {
      for (std::size_t i = 0; i < block.size(); ++i) moved[i] *= spreads[from + i];
      std::fill(moved.begin() + static_cast<std::ptrdiff_t>(block.size()), moved.end(), 0.0);
    } else {
      odds.curve(moved);
    }
    for (std::size_t c = 0; c < vectors; ++c) block.add_sums(&moved[c * most], &part[c * width]);
  });
}

Leads logistic_leads(const LogisticRows& rows, const double* weights, const double* direction, double still, int threads,
                     const StopFlag& stop) {
  const auto width = static_cast<std::size_t>(rows.terms.count), vectors = static_cast<std::size_t>(rows.vectors);
  const auto classes = static_cast<std::size_t>(rows.classes);
  Leads leads{infinity, -infinity, 0, 0};
  const auto parts = by_chunks(rows, rows_a_chunk(rows.terms.rows, 1), leads, threads, stop,
                               [&](Leads& part, const TermBlock& block, Odds& odds, std::size_t from) {
    std::vector<double>& moved = odds.moved;
    odds.find(block, weights, from);
    for (std::size_t c = 0; c < vectors; ++c) block.scores(direction + c * width, &moved[c * most]);
    std::vector<double> curved = moved;
    odds.curve(curved);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto own = static_cast<std::size_t>(rows.target[from + i]);
      double furthest = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        if (c == own) continue;
        const double lead = moved[own * most + i] - moved[c * most + i];
        part.least = std::min(part.least, lead);
        part.largest = std::max(part.largest, lead);
        furthest = std::max(furthest, std::abs(lead));
      }
      if (furthest > still) continue;
      for (std::size_t c = 0; c < vectors; ++c) {
        part.slope += odds.residual(c)[i] * moved[c * most + i];
        part.curvature += curved[c * most + i] * moved[c * most + i];
      }
    }
  });
  for (const Leads& part : parts) {
    leads.least = std::min(leads.least, part.least);
    leads.largest = std::max(leads.largest, part.largest);
    leads.slope += part.slope;
    leads.curvature += part.curvature;
  }
  return leads;
}

namespace {
// Calls use(from, size, scores [vector][most]) for all blocks of rows, those of a chunk by one thread in their order.
template <class Use>
void over_scores(const Terms& terms, const double* weights, std::size_t vectors, int threads, const StopFlag& stop, Use&& use) {
  over_rows(terms.rows, chunk_rows, threads, stop, [&](std::size_t begin, std::size_t end, int) {
    RowScores block(terms, weights, vectors);
    std::vector<double> scores(vectors * most);
    for (std::size_t from = begin; from < end; from += most) {
      const std::size_t size = std::min(end, from + most) - from;
      block.add_up(from, from + size, scores.data());
      use(from, size, scores.data());
    }
  });
}
}  // namespace

void linear_scores(const Terms& terms, const double* weights, std::size_t vectors, double* row_scores, int threads,
                   const StopFlag& stop) {
  over_scores(terms, weights, vectors, threads, stop, [&](std::size_t from, std::size_t size, const double* scores) {
    for (std::size_t c = 0; c < vectors; ++c)
      for (std::size_t i = 0; i < size; ++i) row_scores[(from + i) * vectors + c] = scores[c * most + i];
  });
}

std::int64_t linear_codes(const Terms& terms, const double* weights, std::size_t vectors, const std::vector<Called>& called,
                          std::int32_t* row_codes, int threads, const StopFlag& stop) {
  std::vector<std::int64_t> wrong((terms.rows + chunk_rows - 1) / chunk_rows, -1);
  over_scores(terms, weights, vectors, threads, stop, [&](std::size_t from, std::size_t size, const double* scores) {
    std::int64_t& first_wrong = wrong[from / chunk_rows];
    std::array<double, most> largest, together;
    std::array<std::int32_t, most> codes;
    together.fill(0.0);
    for (std::size_t c = 0; c < vectors; ++c) {
      for (std::size_t i = 0; i < most; ++i) together[i] += scores[c * most + i] * 0.0;  // 0, or NaN where it is not finite
    }
    largest.fill(-infinity);
    codes.fill(0);
    for (const Called& each : called) {
      const double* const own = each.vector < 0 ? together.data() : &scores[static_cast<std::size_t>(each.vector) * most];
      for (std::size_t i = 0; i < most; ++i) {
        const double score = own[i] + each.start;
        const bool larger = score > largest[i];
        codes[i] = larger ? each.code : codes[i];
        largest[i] = larger ? score : largest[i];
      }
    }
    std::copy_n(codes.begin(), size, row_codes + from);
    for (std::size_t i = 0; i < size && first_wrong < 0; ++i)
      if (together[i] != together[i]) first_wrong = static_cast<std::int64_t>(from + i);
  });
  for (const std::int64_t row : wrong)
    if (row >= 0) return row;
  return -1;
}

}  // namespace clearwood
