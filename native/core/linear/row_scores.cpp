#include "core/linear/row_scores.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace clearwood {
namespace {

constexpr std::size_t side_by_side = 8;  // rows side by side: enough sums under way to hide how long an addition takes

template <class T>
inline double cell(const std::byte* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return static_cast<double>(value);
}

}  // namespace

RowScores::RowScores(const Terms& terms, const double* weights, std::size_t vectors)
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

template <class T>
bool RowScores::add_numbers(std::size_t begin, std::size_t size, const double* weights, double* scores) const {
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

void RowScores::add_up(std::size_t begin, std::size_t end, double* scores) {
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

}  // namespace clearwood
