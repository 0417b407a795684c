#include "core/numeric/infinity.hpp"
#include "core/ensembles/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "core/ensembles/forest_out_of_bag.hpp"
#include "core/ensembles/forest_tree.hpp"

namespace clearwood {
namespace {


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
  std::vector<std::unique_ptr<ForestTreeGrower>> growers(static_cast<std::size_t>(threads));
  OutOfBagErrors errors(problem, settings, std::move(before));
  // Trees end in any order; errors are added up in theirs.
  std::mutex guard;
  std::map<std::size_t, Answered> waiting;
  std::size_t turn = 0;
  run_parallel(settings.trees, threads, [&](std::size_t t, int thread) {
    if (t > 0 && progress.enough.load()) return;
    auto& grower = growers[static_cast<std::size_t>(thread)];
    if (!grower) grower = std::make_unique<ForestTreeGrower>(problem, by_row, draws, settings, stop);
    ForestTree tree = grower->grow(settings.first + t);
    Answered answered;
    if (settings.out_of_bag) answered = answer_undrawn(tree, columns, by_row, grower->times());
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
  trees.resize(done_in_a_row(trees.size(), [&](std::size_t t) { return !trees[t].nodes.empty(); }));
  GrownForest forest;
  forest.nodes = flatten(trees, columns, forest.start, threads);
  if (settings.out_of_bag) forest.out_of_bag = errors.take();
  return forest;
}

}  // namespace clearwood
