#include "core/rules/description_length.hpp"

#include <algorithm>
#include <numbers>

#include "core/numeric/special.hpp"

namespace clearwood {

DescriptionLength::DescriptionLength(std::size_t rows, bool whole) {
  if (!whole) return;
  table_.resize(rows + 1);
  for (std::size_t n = 0; n <= rows; ++n) table_[n] = log_gamma(static_cast<double>(n) + 1) / std::numbers::ln2;
}

double DescriptionLength::factorial_bits(double n) const {
  const auto place = static_cast<std::size_t>(std::max(n, 0.0));
  return place < table_.size() ? table_[place] : log_gamma(std::max(n, 0.0) + 1) / std::numbers::ln2;
}

double DescriptionLength::choice_bits(double n, double k) const {
  return factorial_bits(n) - factorial_bits(k) - factorial_bits(n - k);
}

}  // namespace clearwood
