#include "core/trees/absolute.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace clearwood {
namespace {

// A Fenwick tree over the node's distinct numbers: weight and weight × number up to any of them, in log time.
class Side {
 public:
  explicit Side(const std::vector<double>& numbers)
      : numbers_(numbers), weights_(numbers.size() + 1, 0.0), sums_(numbers.size() + 1, 0.0) {}

  void add(std::size_t index, double weight) {
    weight_ += weight;
    sum_ += weight * numbers_[index];
    for (std::size_t i = index + 1; i < weights_.size(); i += i & (~i + 1)) {
      weights_[i] += weight;
      sums_[i] += weight * numbers_[index];
    }
  }
  double weight() const { return weight_; }

  double error() const {
    if (!(weight_ > 0.0)) return 0.0;
    std::size_t at = 0;
    double weight = 0.0, sum = 0.0;
    for (std::size_t step = std::bit_floor(numbers_.size()); step > 0; step /= 2) {
      if (at + step < weights_.size() && weight + weights_[at + step] < weight_ / 2) {
        at += step;
        weight += weights_[at];
        sum += sums_[at];
      }
    }
    const double median = numbers_[std::min(at, numbers_.size() - 1)];
    return median * weight - sum + (sum_ - sum) - median * (weight_ - weight);
  }

 private:
  const std::vector<double>& numbers_;
  std::vector<double> weights_, sums_;
  double weight_ = 0.0, sum_ = 0.0;
};

// The distinct numbers of the entries' rows, less the node's value: small numbers keep the sums exact.
std::vector<double> distinct_numbers(const NodeView& node, const Entry* entries, std::size_t count) {
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = node.pack.number_of(instance_of(entries[i])) - node.counts[1];
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace

double absolute_error(const NodeView& node, const Entry* entries, std::size_t count) {
  const auto numbers = distinct_numbers(node, entries, count);
  Side all(numbers);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t instance = instance_of(entries[i]);
    const double number = node.pack.number_of(instance) - node.counts[1];
    const auto index = std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin();
    all.add(static_cast<std::size_t>(index), node.pack.weight(instance));
  }
  return all.error();
}

Cut best_cut_absolute(const NodeView& node, int attribute, std::size_t known, std::size_t count, bool rest_below,
                      const CutRules& rules) {
  const Pack& pack = node.pack;
  const Entry* entries = pack.entries(node.range, attribute);
  const auto numbers = distinct_numbers(node, entries, count);
  Side left(numbers), right(numbers);
  auto index = [&](std::size_t i) {
    const double number = pack.number_of(instance_of(entries[i])) - node.counts[1];
    return static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin());
  };
  for (std::size_t i = 0; i < count; ++i)
    (i >= known && rest_below ? left : right).add(index(i), pack.weight(instance_of(entries[i])));
  Cut cut;
  double to_beat = rules.least;
  for (std::size_t i = 0; i + 1 < known; ++i) {
    const double weight = pack.weight(instance_of(entries[i]));
    left.add(index(i), weight);
    right.add(index(i), -weight);
    if (entries[i] >> 32 == entries[i + 1] >> 32) continue;
    if (left.weight() < rules.least_left - slack) continue;
    if (right.weight() < rules.least_right - slack) break;
    ++cut.admissible;
    const double purity = -(left.error() + right.error());
    if (purity > to_beat + rules.tolerance) {
      to_beat = purity;
      cut.valid = true;
      cut.position = i + 1;
      cut.purity = purity;
    }
  }
  return cut;
}

}  // namespace clearwood
