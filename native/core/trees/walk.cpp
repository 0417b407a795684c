#include "core/trees/walk.hpp"

#include <algorithm>
#include <cmath>

namespace clearwood {

int32_t sent_on(const NodesView& nodes, const Columns& columns, int32_t node, int64_t row) {
  const int32_t first = node + 1;
  for (int64_t s = nodes.s_start[node]; s < nodes.s_start[node + 1]; ++s) {
    const Column& column = *columns[nodes.s_attribute[s]];
    int32_t branch = nodes.s_branch[s];
    if (!column.numeric()) {
      const int32_t value = column.code(static_cast<std::size_t>(row));
      const int32_t* begin = nodes.s_set_codes + nodes.s_set_start[s];
      const int32_t* stop = nodes.s_set_codes + nodes.s_set_start[s + 1];
      const int32_t* place = std::find(begin, stop, value);
      if (value < 0 || place == stop) continue;
      if (place >= nodes.s_set_codes + nodes.s_set_split[s]) branch = 1 - branch;
    } else {
      const double x = column.number(static_cast<std::size_t>(row));
      if (std::isnan(x)) continue;
      if (!(x <= nodes.s_limit[s])) branch = 1 - branch;
    }
    return branch == 0 ? first : nodes.end[first];
  }
  if (nodes.otherwise[node] < 0) return -1;
  int32_t child = first;
  for (int32_t i = 0; i < nodes.otherwise[node]; ++i) child = nodes.end[child];
  return child;
}

void check_nodes(const NodesView& nodes, const std::function<bool(int32_t)>& has_column) {
  demand(nodes.set_start[0] == 0 && nodes.set_start[nodes.size] == nodes.set_size, "set_start does not fit set_codes.");
  demand(nodes.s_start[0] == 0 && nodes.s_start[nodes.size] == nodes.s_size, "s_start does not fit the surrogates.");
  demand(nodes.s_set_start[0] == 0 && nodes.s_set_start[nodes.s_size] == nodes.s_set_size,
         "s_set_start does not fit s_set_codes.");
  for (int32_t node = 0; node < nodes.size; ++node) {
    demand(nodes.end[node] > node && nodes.end[node] <= nodes.size, "A subtree ends outside the tree.");
    demand(nodes.set_start[node] <= nodes.set_start[node + 1], "set_start must not fall.");
    demand(nodes.s_start[node] <= nodes.s_start[node + 1], "s_start must not fall.");
  }
  for (int64_t s = 0; s < nodes.s_size; ++s) {
    demand(has_column(nodes.s_attribute[s]), "A surrogate tests a column that is not there.");
    demand(nodes.s_branch[s] == 0 || nodes.s_branch[s] == 1, "A surrogate's branch is 0 or 1.");
    demand(nodes.s_set_start[s] <= nodes.s_set_split[s] && nodes.s_set_split[s] <= nodes.s_set_start[s + 1],
           "s_set_split must lie within the surrogate's codes.");
  }
}

Branches::Branches(const NodesView& nodes, int32_t node, const std::function<bool(int32_t)>& has_column)
    : attribute(nodes.attribute[node + 1]) {
  for (int32_t child = node + 1; child < nodes.end[node]; child = nodes.end[child]) {
    demand(nodes.end[child] <= nodes.end[node], "A branch reaches outside its subtree.");
    demand(nodes.attribute[child] == attribute, "All branches of a split test one attribute.");
    children.push_back(child);
  }
  demand(has_column(attribute), "A split tests a column that is not there.");
  const bool stands_in = nodes.s_start[node] < nodes.s_start[node + 1];
  demand(!stands_in || children.size() == 2, "Surrogates need a split of two branches.");
  const int32_t otherwise = nodes.otherwise[node];
  demand(otherwise < static_cast<int32_t>(children.size()), "`otherwise` names a branch that is not there.");
  unknown = !stands_in && otherwise >= 0 ? children[static_cast<std::size_t>(otherwise)] : -1;
  missing = unknown;
  for (auto child = children.rbegin(); child != children.rend(); ++child)
    if (nodes.or_missing[*child]) missing = *child;
}

void Branches::intervals(const NodesView& nodes, const std::function<void(double, int32_t)>& each) const {
  std::vector<double> limits;
  for (const int32_t child : children)
    for (const double limit : {nodes.low[child], nodes.high[child]})
      if (std::abs(limit) != infinity) limits.push_back(limit);
  std::sort(limits.begin(), limits.end());
  limits.erase(std::unique(limits.begin(), limits.end()), limits.end());
  limits.push_back(infinity);
  double low = -infinity;
  for (const double high : limits) {
    // The stretch lies wholly inside or outside every branch; an empty interval belongs to a branch for empty cells alone.
    int32_t target = -1;
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      if (nodes.low[*child] <= low && high <= nodes.high[*child] && nodes.low[*child] < nodes.high[*child]) target = *child;
    each(high, target);
    low = high;
  }
}

std::vector<std::pair<int32_t, int32_t>> Branches::taken_codes(const NodesView& nodes, int32_t values) const {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (const int32_t child : children)
    for (int64_t i = nodes.set_start[child]; i < nodes.set_start[child + 1]; ++i) {
      demand(nodes.set_codes[i] >= 0 && nodes.set_codes[i] < values, "A branch takes a value that is not there.");
      pairs.emplace_back(nodes.set_codes[i], child);
    }
  return pairs;
}

Walk::Walk(const NodesView& tree, Columns cells)
    : nodes(tree), columns(std::move(cells)), steps(static_cast<std::size_t>(tree.size)) {
  demand(nodes.size > 0, "A tree has at least one node.");
  demand(nodes.end[0] == nodes.size, "The root's subtree must be the whole tree.");
  check_nodes(nodes, [&](int32_t a) { return has_column(a); });
  for (int32_t node = 0; node < nodes.size; ++node) compile(node);
}

void Walk::compile(int32_t node) {
  if (nodes.end[node] == node + 1) return;
  const Branches branches(nodes, node, [&](int32_t a) { return has_column(a); });
  const bool any_code = !columns[branches.attribute]->numeric();
  Step& step = steps[node];
  step.attribute = branches.attribute;
  step.unknown = branches.unknown;
  step.missing = branches.missing;
  if (any_code) {
    compile_codes(step, branches);
  } else {
    compile_numeric(step, branches);
  }
  divides |= nodes.otherwise[node] < 0 && (step.missing < 0 || any_code || step.kind == Kind::intervals);
}

void Walk::compile_numeric(Step& step, const Branches& branches) {
  std::vector<int32_t> takers;  // an empty interval belongs to a branch for empty cells alone
  for (const int32_t child : branches.children) {
    demand(!std::isnan(nodes.low[child]) && !std::isnan(nodes.high[child]), "A limit is not a number.");
    if (nodes.low[child] < nodes.high[child]) takers.push_back(child);
  }
  if (takers.size() == 2) {
    if (nodes.low[takers[0]] > nodes.low[takers[1]]) std::swap(takers[0], takers[1]);
    if (nodes.low[takers[0]] == -infinity && nodes.high[takers[1]] == infinity &&
        nodes.high[takers[0]] == nodes.low[takers[1]]) {
      step.kind = Kind::cut;
      step.limit = nodes.high[takers[0]];
      step.to[0] = takers[0];
      step.to[1] = takers[1];
      return;
    }
  }
  step.kind = Kind::intervals;
  step.start = static_cast<int64_t>(ends.size());
  branches.intervals(nodes, [&](double end, int32_t child) {
    ends.push_back(end);
    targets.resize(ends.size(), -1);
    codes.resize(ends.size(), 0);
    targets.back() = child;
  });
  step.length = static_cast<int32_t>(static_cast<int64_t>(ends.size()) - step.start) - 1;
}

void Walk::compile_codes(Step& step, const Branches& branches) {
  const int32_t values = columns[step.attribute]->values;
  auto pairs = branches.taken_codes(nodes, values);
  step.start = static_cast<int64_t>(targets.size());
  // A table is quickest; pairs keep a tree over thousands of values from filling the memory.
  if (values <= 64 || static_cast<std::size_t>(values) <= 4 * pairs.size()) {
    step.kind = Kind::table;
    step.length = values;
    targets.resize(targets.size() + static_cast<std::size_t>(values), -1);
    for (auto each = pairs.rbegin(); each != pairs.rend(); ++each) targets[step.start + each->first] = each->second;
  } else {
    step.kind = Kind::pairs;
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    codes.resize(targets.size(), 0);
    for (const auto& [value, child] : pairs) {
      if (static_cast<int64_t>(codes.size()) > step.start && codes.back() == value) continue;
      codes.push_back(value);
      targets.push_back(child);
    }
    step.length = static_cast<int32_t>(static_cast<int64_t>(codes.size()) - step.start);
  }
  codes.resize(targets.size(), 0);
  ends.resize(targets.size(), 0);
}

int32_t Walk::step(int32_t node, int64_t row) const {
  const Step& at = steps[node];
  const Column& column = *columns[at.attribute];
  int32_t next = -1;
  if (!column.numeric()) {
    const int32_t value = column.code(static_cast<std::size_t>(row));
    if (value == -1) {
      next = at.missing;
    } else {
      if (at.kind == Kind::table) {
        if (static_cast<uint32_t>(value) < static_cast<uint32_t>(at.length)) next = targets[at.start + value];
      } else {
        const int32_t* first = codes.data() + at.start;
        const int32_t* place = std::lower_bound(first, first + at.length, value);
        if (place != first + at.length && *place == value) next = targets[at.start + (place - first)];
      }
      if (next < 0) next = at.unknown;
    }
  } else {
    const double x = column.number(static_cast<std::size_t>(row));
    if (std::isnan(x)) {
      next = at.missing;
    } else if (at.kind == Kind::cut) {
      return at.to[x > at.limit];
    } else {
      const double* first = ends.data() + at.start;
      const double* place = std::lower_bound(first, first + at.length, x);
      next = targets[at.start + (place - first)];
      if (next < 0) next = at.unknown;
    }
  }
  return next >= 0 ? next : sent_on(nodes, columns, node, row);
}

int32_t Walk::leaf(int32_t from, int64_t row) const {
  int32_t node = from;
  while (node >= 0 && steps[node].kind != Kind::leaf) node = step(node, row);
  return node;
}

const std::vector<Part>& Walk::parts(int64_t row, Parts& kept) const {
  kept.reached.clear();
  over_parts(
      nodes, 0, kept.waiting,
      [&](int32_t node) {
        int32_t next = node;
        while (next >= 0 && steps[next].kind != Kind::leaf) next = step(node = next, row);
        return next >= 0 ? next : -1 - node;
      },
      [&](int32_t end, double weight) { kept.reached.push_back({end, weight}); });
  return kept.reached;
}

}  // namespace clearwood
