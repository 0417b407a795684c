#include "core/linear/terms.hpp"

#include <cmath>

#include "core/numeric/wide.hpp"

namespace clearwood {
namespace {
constexpr std::size_t block_rows = TermBlock::most;
constexpr std::size_t lanes = 4;  // whatever the width of the registers, so that all add in the same order

using Lanes = double __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double)), may_alias));

inline const Lanes& at(const double* place) { return *reinterpret_cast<const Lanes*>(place); }
inline double sum(const Lanes& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// sums[k] = Σ_row left[row] · right[k · block_rows + row] for k < count; all rows of the block are read.
CLEARWOOD_WIDE void products(const double* left, const double* right, std::size_t count, double* sums) {
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const double* const r = right + k * block_rows;
    Lanes a{}, b{}, c{}, d{};
    for (std::size_t i = 0; i < block_rows; i += lanes) {
      const Lanes& l = at(left + i);
      a += l * at(r + i);
      b += l * at(r + block_rows + i);
      c += l * at(r + 2 * block_rows + i);
      d += l * at(r + 3 * block_rows + i);
    }
    sums[k] = sum(a);
    sums[k + 1] = sum(b);
    sums[k + 2] = sum(c);
    sums[k + 3] = sum(d);
  }
  for (; k < count; ++k) {
    Lanes a{};
    for (std::size_t i = 0; i < block_rows; i += lanes) a += at(left + i) * at(right + k * block_rows + i);
    sums[k] = sum(a);
  }
}

CLEARWOOD_WIDE void add_scaled(double factor, const double* values, double* sums) {
  for (std::size_t i = 0; i < block_rows; ++i) sums[i] += factor * values[i];
}

CLEARWOOD_WIDE void multiply(const double* one, const double* two, double* product) {
  for (std::size_t i = 0; i < block_rows; ++i) product[i] = one[i] * two[i];
}

// Numbers that lie side by side, without a look at which are empty.
template <class T>
inline void standardise(const T* cells, std::size_t size, double centre, double factor, double fill, double* numbers) {
  for (std::size_t i = 0; i < size; ++i) {
    const double x = (static_cast<double>(cells[i]) - centre) * factor;
    numbers[i] = x == x ? x : fill;
  }
}

CLEARWOOD_WIDE void standardise_64(const double* cells, std::size_t size, double centre, double factor, double fill,
                                   double* numbers) {
  standardise(cells, size, centre, factor, fill, numbers);
}

CLEARWOOD_WIDE void standardise_32(const float* cells, std::size_t size, double centre, double factor, double fill,
                                   double* numbers) {
  standardise(cells, size, centre, factor, fill, numbers);
}

template <class T>
void load_numbers(const TermColumn& column, std::size_t begin, std::size_t size, double* numbers, std::int32_t* missing) {
  const double centre = column.centre, factor = 1 / column.scale, fill = column.fill;
  T cells[block_rows];
  if (column.cells.stride == sizeof(T)) {
    std::memcpy(cells, column.cells.data + begin * sizeof(T), size * sizeof(T));
  } else {
    for (std::size_t i = 0; i < size; ++i) cells[i] = column.cells.at<T>(begin + i);
  }
  if (numbers) {
    if constexpr (sizeof(T) == sizeof(float)) {
      standardise_32(cells, size, centre, factor, fill, numbers);
    } else {
      standardise_64(cells, size, centre, factor, fill, numbers);
    }
  }
  for (std::size_t i = 0; missing && i < size; ++i) missing[i] = std::isnan(cells[i]) ? column.missing : -1;
}

void load_codes(const TermColumn& column, std::size_t begin, std::size_t size, std::int32_t* indicators) {
  const auto known = static_cast<std::uint32_t>(column.place.size());
  for (std::size_t i = 0; i < size; ++i) {
    const auto place = static_cast<std::uint32_t>(column.cells.code(begin + i)) + 2;
    if (place >= known) throw std::invalid_argument("a code lies outside its column's values");
    indicators[i] = column.place[place];
  }
}
}  // namespace

TermBlock::TermBlock(const Terms& terms) : terms_(&terms), number_terms_{0} {
  const auto inside = [&](std::int32_t term) {
    if (term == 0 || term >= terms.count) throw std::invalid_argument("a term lies outside the model");
  };
  for (std::size_t i = 0; i < terms.columns.size(); ++i) {
    const TermColumn& column = terms.columns[i];
    if (column.cells.numeric()) {
      inside(column.term);
      inside(column.missing);
      if (column.term >= 0) number_terms_.push_back(column.term);
      if (column.missing >= 0) indicator_from_.push_back(static_cast<std::int32_t>(i));
    } else {
      for (const std::int32_t place : column.place) inside(place);
      indicator_from_.push_back(static_cast<std::int32_t>(i));
    }
  }
  numbers_.assign(number_terms_.size() * block_rows, 0.0);
  indicators_.assign(indicator_from_.size() * block_rows, -1);
}

void TermBlock::load(std::size_t begin, std::size_t end) {
  size_ = end - begin;
  if (size_ < block_rows) std::fill(numbers_.begin(), numbers_.end(), 0.0);
  std::fill_n(numbers_.begin(), size_, 1.0);
  std::size_t number = 1, indicator = 0;
  for (const TermColumn& column : terms_->columns) {
    if (!column.cells.numeric()) {
      load_codes(column, begin, size_, &indicators_[indicator++ * block_rows]);
      continue;
    }
    double* const numbers = column.term < 0 ? nullptr : &numbers_[number++ * block_rows];
    std::int32_t* const missing = column.missing < 0 ? nullptr : &indicators_[indicator++ * block_rows];
    if (column.cells.type == Column::Type::float32) {
      load_numbers<float>(column, begin, size_, numbers, missing);
    } else {
      load_numbers<double>(column, begin, size_, numbers, missing);
    }
  }
}

void TermBlock::scores(const double* weights, double* scores_of_rows) const {
  std::fill_n(scores_of_rows, block_rows, 0.0);
  for (std::size_t k = 0; k < number_terms_.size(); ++k) {
    add_scaled(weights[number_terms_[k]], &numbers_[k * block_rows], scores_of_rows);
  }
  for (std::size_t k = 0; k < indicator_from_.size(); ++k) {
    const std::int32_t* const terms = &indicators_[k * block_rows];
    for (std::size_t i = 0; i < size_; ++i) {
      if (terms[i] >= 0) scores_of_rows[i] += weights[terms[i]];
    }
  }
}

void TermBlock::add_sums(const double* factor, double* sums) const {
  std::vector<double> number_sums(number_terms_.size());
  products(factor, numbers_.data(), number_sums.size(), number_sums.data());
  for (std::size_t k = 0; k < number_sums.size(); ++k) sums[number_terms_[k]] += number_sums[k];
  for (std::size_t k = 0; k < indicator_from_.size(); ++k) {
    const std::int32_t* const terms = &indicators_[k * block_rows];
    for (std::size_t i = 0; i < size_; ++i) {
      if (terms[i] >= 0) sums[terms[i]] += factor[i];
    }
  }
}

void TermBlock::add_gram(const double* factor, double* gram) const {
  const auto width = static_cast<std::size_t>(terms_->count);
  const auto cell = [&](std::int32_t a, std::int32_t b) -> double& {
    return gram[static_cast<std::size_t>(std::max(a, b)) * width + static_cast<std::size_t>(std::min(a, b))];
  };
  const std::size_t numbers = number_terms_.size();
  std::vector<double> number_products(numbers);
  std::vector<double> weighed(numbers * block_rows);
  for (std::size_t k = 0; k < numbers; ++k) {
    double* const left = &weighed[k * block_rows];
    multiply(factor, &numbers_[k * block_rows], left);
    products(left, numbers_.data(), k + 1, number_products.data());
    for (std::size_t j = 0; j <= k; ++j) cell(number_terms_[k], number_terms_[j]) += number_products[j];
  }
  for (std::size_t a = 0; a < indicator_from_.size(); ++a) {
    const std::int32_t* const terms = &indicators_[a * block_rows];
    for (std::size_t i = 0; i < size_; ++i) {
      const std::int32_t term = terms[i];
      if (term < 0) continue;
      for (std::size_t k = 0; k < numbers; ++k) cell(term, number_terms_[k]) += weighed[k * block_rows + i];
      cell(term, term) += factor[i];
      for (std::size_t b = 0; b < a; ++b) {
        const std::int32_t other = indicators_[b * block_rows + i];
        if (other >= 0) cell(term, other) += factor[i];
      }
    }
  }
}

namespace {

constexpr std::size_t spread_rows = 8192;

struct SpreadSums {
  double weight[lanes] = {}, sum[lanes] = {}, squares[lanes] = {}, empty[lanes] = {};
  double least[lanes] = {infinity, infinity, infinity, infinity};
  double largest[lanes] = {-infinity, -infinity, -infinity, -infinity};

  void add(std::size_t lane, double x, double weight_of, double first) {
    const bool known = x == x;
    const double w = known ? weight_of : 0.0, off = known ? x - first : 0.0;
    weight[lane] += w;
    sum[lane] += w * off;
    squares[lane] += w * (off * off);
    empty[lane] += known ? 0.0 : 1.0;
    least[lane] = x < least[lane] ? x : least[lane];
    largest[lane] = x > largest[lane] ? x : largest[lane];
  }
};

double total(const double* each) { return (each[0] + each[1]) + (each[2] + each[3]); }

Spread spread_of(const Column& column, const double* weights, std::size_t begin, std::size_t end) {
  double cells[spread_rows];
  const std::size_t size = end - begin;
  for (std::size_t i = 0; i < size; ++i) cells[i] = column.number(begin + i);
  const double* const known = std::find_if(cells, cells + size, [](double x) { return !std::isnan(x); });
  const double first = known == cells + size ? 0.0 : *known;  // about it, squares keep their digits
  SpreadSums sums;
  for (std::size_t i = 0; i < size; i += lanes)
    for (std::size_t lane = 0; lane < std::min(lanes, size - i); ++lane)
      sums.add(lane, cells[i + lane], weights ? weights[begin + i + lane] : 1.0, first);
  Spread spread;
  spread.weight = total(sums.weight);
  spread.empty = total(sums.empty);
  spread.least = *std::min_element(sums.least, sums.least + lanes);
  spread.largest = *std::max_element(sums.largest, sums.largest + lanes);
  if (spread.weight > 0) {
    const double sum = total(sums.sum);
    spread.mean = first + sum / spread.weight;
    spread.squares = std::max(0.0, total(sums.squares) - sum * (sum / spread.weight));
  }
  return spread;
}

void add(Spread& all, const Spread& part) {
  all.empty += part.empty;
  if (!(part.weight > 0)) return;
  const double weight = all.weight + part.weight, apart = part.mean - all.mean;
  all.squares += part.squares + apart * apart * (all.weight * (part.weight / weight));
  all.mean += apart * (part.weight / weight);
  all.weight = weight;
  all.least = std::min(all.least, part.least);
  all.largest = std::max(all.largest, part.largest);
}
}  // namespace

std::vector<Spread> spreads(const std::vector<Column>& columns, std::size_t rows, const double* weights, int threads,
                            const StopFlag& stop) {
  const std::size_t chunks = (rows + spread_rows - 1) / spread_rows;
  std::vector<Spread> parts(chunks * columns.size());
  over_rows(rows, spread_rows, threads, stop, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t k = 0; k < columns.size(); ++k)
      parts[begin / spread_rows * columns.size() + k] = spread_of(columns[k], weights, begin, end);
  });
  std::vector<Spread> spreads(columns.size(), Spread{0, 0, 0, infinity, -infinity, 0});
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (std::size_t k = 0; k < columns.size(); ++k) add(spreads[k], parts[chunk * columns.size() + k]);
  return spreads;
}

}  // namespace clearwood
