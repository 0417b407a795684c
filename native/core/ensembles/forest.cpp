#include "core/ensembles/forest.hpp"

#include <array>
#include <map>
#include <mutex>

#include "core/ensembles/forest_tree.hpp"

namespace clearwood {
namespace {

// Out of bag: rows that a tree did not draw are answered by it, and the error of all trees so far is noted.

// The rows that a tree did not draw, and the leaf of each.
struct Answered {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> leaves;
};

// Trees have to come in order.
class OutOfBagErrors {
 public:
  OutOfBagErrors(const Problem& problem, const ForestSettings& settings, OutOfBag before)
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
  void add(const ForestTree& tree, const Answered& answered) {
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
  // the mean error of the trees so far; NaN before a row was out of bag
  double latest() const {
    if (result_.all.empty() || !(result_.all.back() > 0)) return std::numeric_limits<double>::quiet_NaN();
    return result_.wrong.back() / result_.all.back();
  }
  OutOfBag take() { return std::move(result_); }

 private:
  // 1 or 0, or the squared error
  double wrong(std::size_t row) const {
    const double* const sums = result_.sums.data() + row * width_;
    if (problem_.classes == 0) {
      const double distance = problem_.number_of[row] - sums[0] / result_.size[row];
      return distance * distance;
    }
    const double* const costs = settings_.costs.empty() ? nullptr : settings_.costs.data();
    return cheapest(sums, costs, width_) != static_cast<std::size_t>(problem_.class_of[row]);
  }

  const Problem& problem_;
  const ForestSettings& settings_;
  std::size_t width_;  // sums per row
  OutOfBag result_;
  std::vector<double> wrong_;  // [row] by the trees so far
};

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

// Where a tree's entries begin in the columns of all.
struct Places {
  std::size_t node = 0, code = 0;
};

int side_of(const ForestTree& tree, std::size_t node) {
  return tree.nodes[static_cast<std::size_t>(tree.nodes[node].parent)].right == static_cast<std::int32_t>(node);
}

// Calls with each code that the branch into a node takes.
template <class Call>
void for_codes(const ForestTree& tree, std::size_t node, const std::vector<CodedColumn>& columns, Call&& call) {
  if (node == 0) return;
  const ForestNode& above = tree.nodes[static_cast<std::size_t>(tree.nodes[node].parent)];
  const int side = side_of(tree, node);
  const CodedColumn& column = columns[above.column];
  if (column.kind == CodedColumn::Kind::values) {
    for (std::uint32_t code = 0; code < column.known; ++code)
      if (tree.sides[above.cut + code] == side) call(static_cast<std::int32_t>(code));
    return;
  }
  if (column.kind == CodedColumn::Kind::numbers) return;
  const auto levels = static_cast<std::int32_t>(column.known);
  const std::int32_t split = above.apart ? levels : static_cast<std::int32_t>(std::floor(above.limit)) + 1;
  for (std::int32_t code = side ? split : 0; code < (side ? levels : split); ++code) call(code);
}

void write(const ForestTree& tree, const std::vector<CodedColumn>& columns, Places at, ForestNodes& flat) {
  const std::size_t size = tree.nodes.size();
  const auto first = static_cast<std::int32_t>(at.node);
  std::copy(tree.counts.begin(), tree.counts.end(), flat.counts.get() + at.node * tree.width);
  for (std::size_t i = 0; i < size; ++i) flat.end[at.node + i] = first + static_cast<std::int32_t>(i) + 1;
  for (std::size_t i = size; i-- > 1;) {
    std::int32_t& end = flat.end[at.node + static_cast<std::size_t>(tree.nodes[i].parent)];
    end = std::max(end, flat.end[at.node + i]);
  }
  for (std::size_t i = 0; i < size; ++i) {
    const ForestNode& node = tree.nodes[i];
    const std::size_t to = at.node + i;
    flat.parent[to] = i == 0 ? -1 : first + node.parent;
    flat.share[to] = 1;
    flat.otherwise[to] = node.otherwise;
    flat.set_start[to] = static_cast<std::int64_t>(at.code);
    for_codes(tree, i, columns, [&](std::int32_t code) { flat.set_codes[at.code++] = code; });
    flat.attribute[to] = -1;
    flat.low[to] = -infinity;
    flat.high[to] = infinity;
    flat.or_missing[to] = 0;
    if (i == 0) continue;
    const ForestNode& above = tree.nodes[static_cast<std::size_t>(node.parent)];
    const int side = side_of(tree, i);
    flat.share[to] = side ? above.right_share : above.left_share;
    flat.attribute[to] = static_cast<std::int32_t>(above.column);
    flat.or_missing[to] = above.missing == side;
    if (columns[above.column].kind == CodedColumn::Kind::numbers)
      (side ? flat.low : flat.high)[to] = above.limit;
  }
}

ForestNodes flatten(std::vector<ForestTree>& trees, const std::vector<CodedColumn>& columns,
                 std::vector<std::int64_t>& start, int threads) {
  std::vector<Places> places(trees.size() + 1);
  std::vector<std::size_t> codes(trees.size(), 0);
  run_parallel(trees.size(), threads, [&](std::size_t t, int) {
    for (std::size_t i = 0; i < trees[t].nodes.size(); ++i)
      for_codes(trees[t], i, columns, [&](std::int32_t) { ++codes[t]; });
  });
  start.assign(1, 0);
  for (std::size_t t = 0; t < trees.size(); ++t) {
    places[t + 1] = {places[t].node + trees[t].nodes.size(), places[t].code + codes[t]};
    start.push_back(static_cast<std::int64_t>(places[t + 1].node));
  }
  const std::size_t size = places.back().node;
  if (size > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::invalid_argument("the trees have more nodes than can be numbered");
  ForestNodes flat;
  flat.size = size;
  flat.width = trees[0].width;
  flat.codes = places.back().code;
  auto room = []<class T>(std::unique_ptr<T[]>& array, std::size_t count) {
    array = std::make_unique_for_overwrite<T[]>(count);
  };
  for (auto* each : {&flat.parent, &flat.end, &flat.otherwise, &flat.attribute}) room(*each, size);
  for (auto* each : {&flat.share, &flat.low, &flat.high}) room(*each, size);
  room(flat.counts, size * flat.width);
  room(flat.or_missing, size);
  room(flat.set_start, size + 1);
  room(flat.set_codes, flat.codes);
  flat.set_start[size] = static_cast<std::int64_t>(flat.codes);
  run_parallel(trees.size(), threads, [&](std::size_t t, int) {
    write(trees[t], columns, places[t], flat);
    trees[t] = ForestTree{};
  });
  return flat;
}

}  // namespace

GrownForest grow_forest(const Problem& problem, const std::vector<std::uint32_t>& order, const ForestSettings& settings, OutOfBag before, int threads, Progress& progress, const StopFlag& stop) {
  const std::vector<CodedColumn>& columns = problem.coded;
  const ForestRows by_row = forest_rows(columns, problem.rows, threads, stop);
  const RowDraws draws(order, problem.weight_of, settings.part);
  std::vector<ForestTree> trees(settings.trees);
  struct Grower {
    std::function<ForestTree(std::size_t, std::vector<std::uint32_t>&)> grow;
    std::vector<std::uint32_t> times;  // [row] how often the tree drew it
  };
  std::vector<Grower> growers(static_cast<std::size_t>(threads));
  OutOfBagErrors errors(problem, settings, std::move(before));
  // Trees end in any order; errors are added up in theirs.
  std::mutex guard;
  std::map<std::size_t, Answered> waiting;
  std::size_t turn = 0;
  run_parallel(settings.trees, threads, [&](std::size_t t, int thread) {
    if (t > 0 && progress.enough.load()) return;
    Grower& own = growers[static_cast<std::size_t>(thread)];
    if (!own.grow) own.grow = forest_tree_grower(problem, by_row, draws, settings, stop);
    ForestTree tree = own.grow(settings.first + t, own.times);
    Answered answered;
    if (settings.out_of_bag) answered = answer_undrawn(tree, columns, by_row, own.times);
    const std::lock_guard lock(guard);
    trees[t] = std::move(tree);
    if (!settings.out_of_bag) {
      ++progress.done;
      return;
    }
    waiting.emplace(t, std::move(answered));
    for (auto it = waiting.find(turn); it != waiting.end(); it = waiting.find(++turn)) {
      errors.add(trees[turn], it->second);
      waiting.erase(it);
    }
    progress.score.store(errors.latest());
    progress.done.store(turn);
  });
  growers.clear();
  trees.erase(std::find_if(trees.begin(), trees.end(), [](const ForestTree& tree) { return tree.nodes.empty(); }), trees.end());
  GrownForest forest;
  forest.nodes = flatten(trees, columns, forest.start, threads);
  if (settings.out_of_bag) forest.out_of_bag = errors.take();
  return forest;
}

}  // namespace clearwood
