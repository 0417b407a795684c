#include "core/ensembles/forest_out_of_bag.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace clearwood {
namespace {

constexpr std::size_t abreast = 16;  // rows that go down together, so that each waits for memory while the others do

// What a row needs to know of a node to go on, in few bytes.
struct Step {
  std::uint32_t cut;     // the last code that goes left; of a nominal split where its sides begin
  std::int32_t right;    // 0: a leaf
  std::uint32_t column;  // in the highest bit: values are not cut, or the cell may be missing here
};
constexpr std::uint32_t special = 0x80000000u;

int special_side(const ForestTree& tree, const CodedColumn& column, const ForestNode& node, std::uint32_t code) {
  if (code == column.known) return node.missing >= 0 ? node.missing : node.otherwise;
  if (column.kind != CodedColumn::Kind::values) return !node.apart && code > node.cut;
  const int side = tree.sides[node.cut + code];
  return side == 2 ? node.otherwise : side;
}

}  // namespace

Answered answer_undrawn(const ForestTree& tree, const std::vector<CodedColumn>& columns, const ForestRows& by_row,
                        const std::vector<std::uint32_t>& times) {
  Answered answered;
  for (std::size_t row = 0; row < times.size(); ++row)
    if (!times[row]) answered.rows.push_back(static_cast<std::uint32_t>(row));
  answered.leaves.assign(answered.rows.size(), 0);
  LargeArray<Step> steps(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const ForestNode& node = tree.nodes[i];
    const bool odd = !columns.empty() && (columns[node.column].kind == CodedColumn::Kind::values || columns[node.column].any_missing);
    steps[i] = {node.cut, node.right, node.column | (odd ? special : 0u)};
  }
  by_row.visit([&](const auto* codes) {
    for (std::size_t begin = 0; begin < answered.rows.size(); begin += abreast) {
      const std::size_t count = std::min(abreast, answered.rows.size() - begin);
      std::array<std::int32_t, abreast> at{};
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i < count; ++i) {
          const Step step = steps[static_cast<std::size_t>(at[i])];
          if (step.right == 0) continue;
          moved = true;
          const std::size_t column = step.column & ~special;
          const std::uint32_t code = codes[answered.rows[begin + i] * by_row.columns + column];
          bool right = code > step.cut;
          if (step.column & special)
            right = special_side(tree, columns[column], tree.nodes[static_cast<std::size_t>(at[i])], code);
          at[i] = right ? step.right : at[i] + 1;
        }
      }
      std::copy_n(at.begin(), count, answered.leaves.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  });
  return answered;
}

OutOfBagErrors::OutOfBagErrors(const Problem& problem, const ForestSettings& settings, OutOfBag before)
    : problem_(problem),
      settings_(settings),
      width_(problem.classes > 0 ? static_cast<std::size_t>(problem.classes) : 1),
      result_(std::move(before)),
      wrong_(problem.rows, 0.0) {
  result_.wrong.clear();
  result_.all.clear();
  result_.sums.resize(problem.rows * width_, 0.0);
  result_.size.resize(problem.rows, 0);
  for (std::size_t row = 0; row < problem.rows; ++row) {
    if (!result_.size[row]) continue;
    const double weight = problem.weight_of ? problem.weight_of[row] : 1.0;
    wrong_[row] = weight * wrong(row);
  }
}

void OutOfBagErrors::add(const ForestTree& tree, const Answered& answered) {
  const bool classes = problem_.classes > 0;
  std::vector<double> shares(width_);
  for (std::size_t i = 0; i < answered.rows.size(); ++i) {
    const std::size_t row = answered.rows[i];
    const double* const counts = tree.counts.data() + static_cast<std::size_t>(answered.leaves[i]) * tree.width;
    double* const sums = result_.sums.data() + row * width_;
    if (!classes) {
      sums[0] += counts[1];
    } else {
      double all = 0;
      std::size_t most = 0;
      for (std::size_t c = 0; c < width_; ++c) {
        shares[c] = settings_.priors.empty() ? counts[c] : counts[c] * settings_.priors[c];
        all += shares[c];
        if (shares[c] > shares[most]) most = c;
      }
      if (settings_.by_votes) {
        sums[most] += 1;
      } else {
        for (std::size_t c = 0; c < width_; ++c)
          if (shares[c] > 0) sums[c] += shares[c] / all;
      }
    }
    const double weight = problem_.weight_of ? problem_.weight_of[row] : 1.0;
    ++result_.size[row];
    wrong_[row] = weight * wrong(row);
  }
  // Added up afresh, so that what a tree leaves does not depend on how many were grown in one go.
  double all_wrong = 0, all = 0;
  for (std::size_t row = 0; row < problem_.rows; ++row) {
    all_wrong += wrong_[row];
    if (result_.size[row]) all += problem_.weight_of ? problem_.weight_of[row] : 1.0;
  }
  result_.wrong.push_back(all_wrong);
  result_.all.push_back(all);
}

double OutOfBagErrors::latest() const {
  if (result_.all.empty() || !(result_.all.back() > 0)) return std::numeric_limits<double>::quiet_NaN();
  return result_.wrong.back() / result_.all.back();
}

double OutOfBagErrors::wrong(std::size_t row) const {
  const double* const sums = result_.sums.data() + row * width_;
  if (problem_.classes == 0) {
    const double distance = problem_.number_of[row] - sums[0] / result_.size[row];
    return distance * distance;
  }
  std::size_t answer = 0;
  if (settings_.costs.empty()) {
    for (std::size_t c = 1; c < width_; ++c)
      if (sums[c] > sums[answer]) answer = c;
  } else {
    double least = 0;
    for (std::size_t called = 0; called < width_; ++called) {
      double cost = 0;
      for (std::size_t c = 0; c < width_; ++c) cost += sums[c] * settings_.costs[c * width_ + called];
      if (called > 0 && !(cost < least)) continue;
      least = cost;
      answer = called;
    }
  }
  return answer != static_cast<std::size_t>(problem_.class_of[row]);
}

}  // namespace clearwood
