#include "core/ensembles/boosted_round.hpp"

#include <cmath>

namespace clearwood {
namespace {

struct NodeNumbers {
  double weight = 0, step = 0;
};

// The value that this part of the weight lies at or below; midway to the next where it does so exactly.
double weighted_quantile(std::vector<std::pair<double, std::uint32_t>>& values, const BoostedRows& rows, double part) {
  std::sort(values.begin(), values.end());
  double total = 0.0, below = 0.0;
  for (const auto& [value, row] : values) total += rows.weight_of(row);
  const double aim = part * total;
  for (std::size_t i = 0; i < values.size(); ++i) {
    below += rows.weight_of(values[i].second);
    if (below < aim) continue;
    if (below == aim && i + 1 < values.size()) return 0.5 * values[i].first + 0.5 * values[i + 1].first;
    return values[i].first;
  }
  return values.empty() ? 0.0 : values.back().first;
}

bool by_quantile(Loss loss) { return loss == Loss::absolute || loss == Loss::quantile; }

// Weights of inner nodes; where leaves are quantiles, their steps too. A quantile of all its rows would take as long as
// the tree: of an inner node, the mean of its leaves' steps.
void add_up(const BoostedTree& tree, bool steps_too, std::vector<NodeNumbers>& numbers) {
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    const BoostedNode& node = tree.nodes[i];
    if (node.is_leaf()) continue;
    const NodeNumbers& left = numbers[static_cast<std::size_t>(node.left)];
    const NodeNumbers& right = numbers[static_cast<std::size_t>(node.right)];
    numbers[i].weight = left.weight + right.weight;
    if (steps_too) numbers[i].step = (left.weight * left.step + right.weight * right.step) / numbers[i].weight;
  }
}

// Quantiles of leaves on both sides of a monotone split stay on their sides of the middle between the two means.
void keep_order(const BoostedTree& tree, const std::vector<SplitColumn>& columns, std::vector<NodeNumbers>& numbers) {
  std::vector<Bounds> limits(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const BoostedNode& node = tree.nodes[i];
    const Bounds here = limits[i];
    if (node.is_leaf()) {
      numbers[i].step = std::min(std::max(numbers[i].step, here.low), here.high);
      continue;
    }
    const auto left = static_cast<std::size_t>(node.left), right = static_cast<std::size_t>(node.right);
    limits[left] = limits[right] = here;
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const SplitColumn& each) { return each.place == node.split.column; });
    if (column->monotone == 0) continue;
    const double middle = std::min(std::max(0.5 * (numbers[left].step + numbers[right].step), here.low), here.high);
    (column->monotone > 0 ? limits[left].high : limits[left].low) = middle;
    (column->monotone > 0 ? limits[right].low : limits[right].high) = middle;
  }
}

std::vector<NodeNumbers> numbers_of(const BoostedTree& tree, const BoostedRows& rows, const RoundRules& rules,
                                    const std::vector<SplitColumn>& columns, const double* scores, int threads) {
  std::vector<NodeNumbers> numbers(tree.nodes.size());
  const GainRules& gain = rules.tree.gain;
  run_parallel(tree.nodes.size(), tree.index.size() < small_work ? 1 : threads, [&](std::size_t i, int) {
    const BoostedNode& node = tree.nodes[i];
    numbers[i].step = rules.rate * gain.step(node.total, gain.l2, node.limits);
    if (!node.is_leaf()) return;
    if (rows.weight == nullptr) {
      numbers[i].weight = static_cast<double>(node.end - node.begin);
    } else {
      for (std::size_t r = node.begin; r < node.end; ++r) numbers[i].weight += rows.weight[tree.index[r]];
    }
    if (!by_quantile(rows.loss)) return;
    std::vector<std::pair<double, std::uint32_t>> residuals;
    residuals.reserve(node.end - node.begin);
    for (std::size_t r = node.begin; r < node.end; ++r)
      residuals.emplace_back(rows.number[tree.index[r]] - scores[tree.index[r]], tree.index[r]);
    numbers[i].step = rules.rate * weighted_quantile(residuals, rows, rows.loss == Loss::absolute ? 0.5 : rows.quantile);
  });
  add_up(tree, by_quantile(rows.loss), numbers);
  if (by_quantile(rows.loss) && gain.limited) {
    keep_order(tree, columns, numbers);
    add_up(tree, true, numbers);
  }
  return numbers;
}

void move_scores(const BoostedTree& tree, const std::vector<NodeNumbers>& numbers, const CodedRows& coded, double* scores,
                 int threads, const StopFlag& stop) {
  run_parallel(tree.nodes.size(), tree.index.size() < small_work / 4 ? 1 : threads, [&](std::size_t i, int) {
    const BoostedNode& node = tree.nodes[i];
    if (!node.is_leaf()) return;
    for (std::size_t r = node.begin; r < node.end; ++r) scores[tree.index[r]] += numbers[i].step;
  });
  if (tree.index.size() == coded.rows) return;
  // Rows that the tree was not grown from walk down it.
  std::vector<std::uint8_t> done(coded.rows);
  for (const std::uint32_t row : tree.index) done[row] = 1;
  over_rows(coded.rows, 4096, coded.rows < small_work / 16 ? 1 : threads, stop, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t row = begin; row < end; ++row) {
      if (done[row] != 0) continue;
      std::size_t at = 0;
      while (!tree.nodes[at].is_leaf()) {
        const BoostedNode& node = tree.nodes[at];
        const CodedColumn& column = coded.columns[static_cast<std::size_t>(node.split.column)];
        at = static_cast<std::size_t>(node.goes_left(column.at(row), column.known) ? node.left : node.right);
      }
      scores[row] += numbers[at].step;
    }
  });
}

// The tree as columns.
FlatTree flattened(const BoostedTree& tree, const std::vector<NodeNumbers>& numbers, const CodedRows& coded,
                   const RoundRules& rules) {
  GrownTree grown;
  grown.width = 3;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const double counts[3] = {numbers[i].weight, numbers[i].step, 0.0};
    grown.add(1.0, counts);
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const BoostedNode& node = tree.nodes[i];
    if (node.is_leaf()) continue;
    const BoostedSplit& split = node.split;
    const double whole = numbers[i].weight;
    for (const std::int32_t branch : {node.left, node.right})
      grown.nodes[static_cast<std::size_t>(branch)].share =
          whole > 0.0 ? numbers[static_cast<std::size_t>(branch)].weight / whole : 0.5;
    grown.nodes[i].first_child = node.left;
    Candidate& made = *(grown.nodes[i].split = std::make_unique<Candidate>());
    made.attribute = split.column;
    made.branches = 2;
    made.figures[0] = split.gain;
    made.otherwise = split.missing_left ? 0 : 1;
    if (split.missing_here) made.missing_branch = made.otherwise;
    const auto c = static_cast<std::size_t>(split.column);
    const std::uint32_t known = coded.columns[c].known;
    if (split.grouped) {
      made.branch_of.assign(known, -1);
      for (const std::uint32_t code : split.left) made.branch_of[code] = 0;
      for (const std::uint32_t code : split.right) made.branch_of[code] = 1;
    } else if (rules.cuts[c] == nullptr) {
      for (std::uint32_t code = 0; code < known; ++code) made.branch_of.push_back(code > split.last);
    } else {
      made.threshold = split.last + 1 == known ? infinity : rules.cuts[c][split.last];
    }
  }
  return flatten(
      grown, [&](int column) { return rules.cuts[static_cast<std::size_t>(column)] != nullptr; }, 1);
}

}  // namespace

BoostedRound boost(const CodedRows& coded, const BoostedRows& rows, const std::vector<std::uint32_t>* sample,
                   const RoundRules& rules, double* scores, RoundRoom& room, int threads, const StopFlag& stop) {
  BoostedRound round;
  if (room.answers.size() < rows.rows * rows.scores) room.answers = LargeArray<Word>(rows.rows * rows.scores);
  round.before = answer_all(rows, scores, room.answers.data(), threads, stop);
  std::vector<std::int64_t> seconds;
  for (std::size_t k = 0; k < rows.scores; ++k) {
    const GradientUnits units = units_of(rows, round.before.sizes[k], round.before.learning);
    const RowSums values = gradients_of(rows, k, units, room.answers.data() + k * rows.rows, seconds, threads, stop);
    RoundRules own = rules;
    own.tree.weights = rows.weight;
    own.tree.gain.unit_g = std::ldexp(1.0, units.g);
    own.tree.gain.unit_h = std::ldexp(1.0, units.h);
    const BoostedTree tree = grow_boosted_tree(coded, values, rules.columns[k], own.tree, sample, room.tree, threads, stop);
    const auto numbers = numbers_of(tree, rows, own, rules.columns[k], scores + k * rows.rows, threads);
    move_scores(tree, numbers, coded, scores + k * rows.rows, threads, stop);
    round.trees.push_back(flattened(tree, numbers, coded, own));
  }
  return round;
}

}  // namespace clearwood
