#include "core/ensembles/shap.hpp"

#include <cmath>
#include <numbers>

namespace clearwood {

// The points are the zeros of Legendre's polynomial, by Newton's steps from where they nearly are.
Quadrature quadrature(int points) {
  Quadrature made;
  made.at.resize(static_cast<std::size_t>(points));
  made.weight.resize(static_cast<std::size_t>(points));
  for (int i = 0; i < (points + 1) / 2; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (points + 0.5));
    double slope = 1;
    for (int again = 0; again < 100; ++again) {
      double before = 1, here = x;
      for (int degree = 2; degree <= points; ++degree) {
        const double next = ((2 * degree - 1) * x * here - (degree - 1) * before) / degree;
        before = here;
        here = next;
      }
      slope = points * (x * here - before) / (x * x - 1);
      const double step = here / slope;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    const double weight = 1 / ((1 - x * x) * slope * slope);
    made.at[i] = 0.5 * (1 - x);
    made.at[points - 1 - i] = 0.5 * (1 + x);
    made.weight[i] = made.weight[points - 1 - i] = weight;
  }
  return made;
}

namespace {

// On the way to a leaf each column f has the part O_f of the row that follows (1, 0, or what its shares leave), and the
// part Z_f of the cover that follows. With columns S known, the leaf's weight is Π_{f∈S} O_f · Π_{f∉S} Z_f, so that f's
// Shapley value is answer · ∫₀¹ (O_f − Z_f) · Π_{g≠f} (Z_g + t·(O_g − Z_g)) dt. That is a polynomial of t, whose degree
// is below the number of columns on the path: few Gauss points give it exactly, and all factors are positive there.
//
// One pass down the tree keeps the product P_q at each point q, one pass up the sums G_q of answer · P_q below a node. An
// edge that changes column f from (O, Z) to (O′, Z′) adds Σ_q w_q · G_q · (r′ − r), where r = (O − Z)/(Z + t·(O − Z)):
// what the edges of f on a path add telescopes to the last one's r.
constexpr int64_t shap_block_rows = 64;
// Rows go through a large tree side by side: each node is fetched once for all of them.
constexpr int64_t rows_abreast = 8;
// So few rows use less of a node's table than it takes to make it.
constexpr int64_t fewest_for_tables = 3;
// Tables pay for trees whose tables stay near the core, and for many more rows than a leaf has patterns.
constexpr int64_t most_in_tables = 1 << 16;
// Rows up to a block never take them: sums come in another order there, and what a row gets is to be the same, to the last
// bit, alone and among those of its request.
constexpr int64_t rows_per_pattern = 8;

// Points go in twos: what is stored as two numbers is read as two.
using Two __attribute__((vector_size(16))) = double;

double factor(double o, double z, double t) { return z + t * (o - z); }
double ratio(double o, double z, double t) {
  const double all = factor(o, z, t);
  return all == 0 ? 0 : (o - z) / all;
}
double change(double o, double z, double o_after, double z_after, double t) {
  const double before = factor(o, z, t);
  return before == 0 ? 0 : factor(o_after, z_after, t) / before;
}

struct Edge {
  int32_t level = 0;
  int32_t same = -1;      // the level of the nearest edge above that tests the same column; −1: none
  int32_t different = 0;  // columns on the path so far …
  int32_t slot = 0;       // … and the place of this one among them
  double z_before = 1;    // Z of that edge
  double z = 1;           // Z of this one
  double part = 1;        // of the cover of all branches
};

// How a whole row goes on at an edge, by what it did at the edges of the same column above: it stays on the path, leaves
// it here, or has left it before.
enum How : std::size_t { stays, leaves, left, in_parts };
constexpr std::size_t ways = 3;

struct ShapTree {
  const Walk& walk;
  std::vector<Edge> edges;  // [node]
  int32_t levels = 1;
  int32_t columns = 0;  // the most different ones on one path
  Quadrature points;
  // [node, how, 2, twos] by what the product changes below the edge, and w · (r′ − r), for a whole row by how it goes.
  // Empty where rows are few: what one needs is then worked out on its way.
  std::vector<Two> tables;

  ShapTree(const Walk& tree, const double* cover, bool with_tables) : walk(tree), edges(tree.steps.size()) {
    measure(cover);
    columns = find_repeats();
    points = quadrature(std::max(1, (columns + 1) / 2));
    if (points.at.size() % 2) {
      points.at.push_back(0.5);
      points.weight.push_back(0);
    }
    if (with_tables) tabulate();
  }

  std::size_t q() const { return points.at.size() / 2; }

 private:
  void measure(const double* cover) {
    const auto& nodes = walk.nodes;
    for (int32_t node = 0; node < nodes.size; ++node) {
      double all = 0, shares = 0;
      int32_t branches = 0;
      for (int32_t child = node + 1; child < nodes.end[node]; child = nodes.end[child], ++branches) {
        all += cover[child];
        shares += nodes.share[child];
      }
      for (int32_t child = node + 1; child < nodes.end[node]; child = nodes.end[child]) {
        edges[child].level = edges[node].level + 1;
        levels = std::max(levels, edges[child].level + 1);
        // Where no training row came, the branches' shares; where there are none, equal parts.
        edges[child].part = all > 0      ? cover[child] / all
                            : shares > 0 ? nodes.share[child] / shares
                                         : 1.0 / branches;
      }
    }
  }

  // Fills `same`, the columns' places and the products of parts; the most different columns on one path.
  int32_t find_repeats() {
    std::vector<int32_t> path(static_cast<std::size_t>(levels), 0);  // [level] the node there
    int32_t most = 0;
    for (int32_t node = 1; node < walk.nodes.size; ++node) {
      Edge& edge = edges[node];
      path[edge.level] = node;
      edge.same = edge.level - 1;
      while (edge.same > 0 && walk.nodes.attribute[path[edge.same]] != walk.nodes.attribute[node]) --edge.same;
      if (edge.same <= 0) edge.same = -1;
      const int32_t above = edges[path[edge.level - 1]].different;
      edge.z_before = edge.same < 0 ? 1 : edges[path[edge.same]].z;
      edge.z = edge.z_before * edge.part;
      edge.different = above + (edge.same < 0);
      edge.slot = edge.same < 0 ? above : edges[path[edge.same]].slot;
      most = std::max(most, edge.different);
    }
    return most;
  }

  void tabulate() {
    tables.resize(edges.size() * ways * 2 * q());
    Two* to = tables.data() + ways * 2 * q();
    for (std::size_t node = 1; node < edges.size(); ++node) {
      const Edge& edge = edges[node];
      fill(1, 1, edge, to);
      fill(1, 0, edge, to + 2 * q());
      fill(0, 0, edge, to + 4 * q());
      to += ways * 2 * q();
    }
  }

 public:
  void fill(double o, double o_after, const Edge& edge, Two* to) const {
    for (std::size_t k = 0; k < 2 * q(); ++k) {
      const double t = points.at[k];
      to[k / 2][k % 2] = change(o, edge.z_before, o_after, edge.z, t);
      to[q() + k / 2][k % 2] = points.weight[k] * (ratio(o_after, edge.z, t) - ratio(o, edge.z_before, t));
    }
  }
};

// SHAP values of small trees by table: what a leaf adds depends only on which columns of its path the row follows.
//
// A leaf whose path asks m columns has 2^m patterns, one bit for each column: set where the row satisfies all that the
// path asks of it. For each pattern the table has what each of these columns adds to each number (after Yang 2021,
// FastTreeSHAP v2). A row then costs a bit per edge and m sums per leaf; only rows that go down several branches at once
// have no pattern.
class ShapPatterns {
 public:
  ShapPatterns(const ShapTree& tree, const double* answers, int32_t width, double scale)
      : walk_(tree.walk), width_(width), places_(tree.edges.size()) {
    tables_.resize(static_cast<std::size_t>(size(tree, width)));
    const Quadrature& points = tree.points;
    int64_t table = 0;
    std::vector<int32_t> path(static_cast<std::size_t>(tree.levels), 0);  // [level] the node there
    for (int32_t node = 0; node < walk_.nodes.size; ++node) {
      const Edge& edge = tree.edges[node];
      path[edge.level] = node;
      deepest_ = std::max(deepest_, edge.level);
      Place& at = places_[node];
      at.level = edge.level;
      if (node > 0) {
        at.parent = path[edge.level - 1];
        at.keeps = ~(uint32_t{1} << edge.slot);
      }
      if (walk_.nodes.end[node] != node + 1) {
        splits_.push_back(node);
        continue;
      }
      const int32_t count = edge.different;
      at.table = table;
      at.column = static_cast<int32_t>(columns_.size());
      at.columns = count;
      std::vector<double> without(static_cast<std::size_t>(count), 1.0);
      columns_.resize(columns_.size() + static_cast<std::size_t>(count));
      for (int32_t level = 1; level <= edge.level; ++level) {  // the last edge of a column has the product of all of its
        const Edge& above = tree.edges[path[level]];
        without[above.slot] = above.z;
        columns_[at.column + above.slot] = walk_.nodes.attribute[path[level]];
      }
      std::vector<double> orders(static_cast<std::size_t>(count)), factors(orders), before(orders);
      for (uint32_t pattern = 0; pattern < (uint32_t{1} << count); ++pattern) {
        std::fill(orders.begin(), orders.end(), 0.0);
        for (std::size_t k = 0; k < points.at.size(); ++k) {
          double product = 1;
          for (int32_t c = 0; c < count; ++c) {
            before[c] = product;
            factors[c] = without[c] + points.at[k] * (((pattern >> c) & 1U) - without[c]);
            product *= factors[c];
          }
          double after = points.weight[k];
          for (int32_t c = count - 1; c >= 0; --c) {
            orders[c] += before[c] * after;
            after *= factors[c];
          }
        }
        for (int32_t c = 0; c < count; ++c)
          for (int32_t j = 0; j < width; ++j)
            tables_[table++] = scale * ((((pattern >> c) & 1U) - without[c]) * orders[c] * answers[static_cast<std::size_t>(node) * width + j]);
      }
    }
  }

  // The numbers that the tables of a tree would hold.
  static int64_t size(const ShapTree& tree, int32_t width) {
    int64_t all = 0;
    for (int32_t node = 0; node < tree.walk.nodes.size; ++node) {
      if (tree.walk.nodes.end[node] != node + 1) continue;
      const int32_t columns = std::min(tree.edges[node].different, 40);
      all += (int64_t{1} << columns) * columns * width;
    }
    return all;
  }

  // Adds to `sums` [attribute, scores] of the row; false, and nothing is added, where it goes down several branches.
  // `kept` is for the thread's own use.
  struct Kept {
    std::vector<int32_t> next;      // [node]
    std::vector<uint32_t> patterns; // [level]
  };
  bool row(int64_t row, int32_t scores, double* sums, Kept& kept) const {
    kept.next.resize(places_.size());
    kept.patterns.resize(static_cast<std::size_t>(deepest_) + 1);
    for (const int32_t node : splits_) {
      const Walk::Step& at = walk_.steps[node];
      // The usual question is asked here, without a call.
      const double x = at.kind == Walk::Kind::cut ? walk_.columns[at.attribute]->number(static_cast<std::size_t>(row)) : std::numeric_limits<double>::quiet_NaN();
      const int32_t next = std::isnan(x) ? walk_.step(node, row) : at.to[x > at.limit];
      if (next < 0) return false;
      kept.next[node] = next;
    }
    kept.patterns[0] = ~uint32_t{0};
    for (int32_t node = 1; node < walk_.nodes.size; ++node) {
      const Place& at = places_[node];
      const uint32_t above = kept.patterns[at.level - 1];
      const uint32_t pattern = kept.next[at.parent] == node ? above : above & at.keeps;
      kept.patterns[at.level] = pattern;
      if (at.columns == 0) continue;
      const uint32_t own = pattern & ((uint32_t{1} << at.columns) - 1);
      const double* adds = tables_.data() + at.table + static_cast<int64_t>(own) * at.columns * width_;
      const int32_t* columns = columns_.data() + at.column;
      if (width_ == 1) {
        for (int32_t c = 0; c < at.columns; ++c) sums[static_cast<std::size_t>(columns[c]) * scores] += adds[c];
      } else {
        for (int32_t c = 0; c < at.columns; ++c)
          for (int32_t j = 0; j < width_; ++j) sums[static_cast<std::size_t>(columns[c]) * scores + j] += *adds++;
      }
    }
    return true;
  }

 private:
  struct Place {
    int32_t parent = 0;
    int32_t level = 0;
    uint32_t keeps = 0;             // the bits that a row keeps which does not follow the edge into the node
    int32_t columns = 0;            // of a leaf; 0: it is none
    int32_t column = 0;             // where they begin
    int64_t table = 0;              // where its tables begin
  };
  const Walk& walk_;
  int32_t width_;
  int32_t deepest_ = 0;
  std::vector<Place> places_;       // [node]
  std::vector<int32_t> splits_;     // the nodes that are no leaves
  std::vector<int32_t> columns_;    // [leaf, column]
  std::vector<double> tables_;      // [leaf, pattern, column, width]
};

// What one thread needs on the way through a tree, by level.
template <int fixed_twos, int fixed_width>
class Pass {
 public:
  Pass(const ShapTree& tree, const double* answers, int32_t width, double scale, int32_t scores)
      : tree_(tree), answers_(answers), width_(width), scale_(scale), scores_(scores),
        products_(static_cast<std::size_t>(tree.levels) * q()), below_(products_.size() * w()), made_(products_.size() * 2),
        adds_(static_cast<std::size_t>(tree.levels)), hows_(adds_.size(), stays), parts_(adds_.size(), 1.0), next_(adds_.size()), path_(adds_.size()) {}

  // A row goes through the tree: it begins, visits every other node in preorder, and finishes.
  // sums [attribute, scores] of the row, from the tree's first score.
  void begin(int64_t row, double* sums) {
    row_ = row;
    sums_ = sums;
    deepest_ = 0;
    std::fill(products_.begin(), products_.begin() + static_cast<std::ptrdiff_t>(q()), Two{1.0, 1.0});
    if (tree_.walk.nodes.size > 1) open(0, 0);
  }
  void visit(int32_t node) {
    const Edge& edge = tree_.edges[node];
    while (deepest_ >= edge.level) close(deepest_--);
    follow(node, edge);
    if (tree_.walk.steps[node].kind == Walk::Kind::leaf) {
      end(node, edge.level);
    } else {
      open(node, edge.level);
      deepest_ = edge.level;
    }
  }
  void finish() {
    while (deepest_ > 0) close(deepest_--);
  }

 private:
  std::size_t q() const { return fixed_twos ? fixed_twos : tree_.q(); }
  std::size_t w() const { return fixed_width ? fixed_width : static_cast<std::size_t>(width_); }

  void open(int32_t node, int32_t level) {
    path_[level] = node;
    next_[level] = tree_.walk.step(node, row_);
    std::fill_n(below_.data() + static_cast<std::size_t>(level) * q() * w(), q() * w(), Two{0.0, 0.0});
  }

  // The products below an edge, and what it will add. Which way a row goes is hard to foresee: it is looked up, and not
  // branched on.
  void follow(int32_t node, const Edge& edge) {
    const int32_t next = next_[edge.level - 1];
    const How before = edge.same < 0 ? stays : hows_[edge.same];
    if (next < 0 || before == in_parts || tree_.tables.empty()) return follow_in_parts(node, edge);
    const How how = before != stays ? left : next == node ? stays : leaves;
    hows_[edge.level] = how;
    multiply(edge.level, tree_.tables.data() + (static_cast<std::size_t>(node) * ways + how) * 2 * q());
  }

  void follow_in_parts(int32_t node, const Edge& edge) {
    const int32_t next = next_[edge.level - 1];
    const double before = edge.same < 0 ? 1.0 : follows(edge.same);
    parts_[edge.level] = before * (next == node ? 1.0 : next < 0 ? tree_.walk.nodes.share[node] : 0.0);
    hows_[edge.level] = in_parts;
    Two* own = made_.data() + static_cast<std::size_t>(edge.level) * q() * 2;
    tree_.fill(before, parts_[edge.level], edge, own);
    multiply(edge.level, own);
  }

  double follows(int32_t level) const { return hows_[level] == in_parts ? parts_[level] : hows_[level] == stays ? 1.0 : 0.0; }

  void multiply(int32_t level, const Two* table) {
    const Two* above = products_.data() + static_cast<std::size_t>(level - 1) * q();
    Two* here = products_.data() + static_cast<std::size_t>(level) * q();
    for (std::size_t k = 0; k < q(); ++k) here[k] = above[k] * table[k];
    adds_[level] = table + q();
  }

  void end(int32_t leaf, int32_t level) {
    const Two* here = products_.data() + static_cast<std::size_t>(level) * q();
    Two* above = below_.data() + static_cast<std::size_t>(level - 1) * q() * w();
    const double* answer = answers_ + static_cast<std::size_t>(leaf) * w();
    for (std::size_t k = 0; k < q(); ++k)
      for (std::size_t j = 0; j < w(); ++j) above[k * w() + j] += here[k] * answer[j];
    const Two* adds = adds_[level];
    Two both{0.0, 0.0};
    for (std::size_t k = 0; k < q(); ++k) both += here[k] * adds[k];
    const double weight = both[0] + both[1];
    double* to = sums_ + static_cast<std::size_t>(tree_.walk.nodes.attribute[leaf]) * static_cast<std::size_t>(scores_);
    for (std::size_t j = 0; j < w(); ++j) to[j] += scale_ * (weight * answer[j]);
  }

  void close(int32_t level) {
    const Two* here = below_.data() + static_cast<std::size_t>(level) * q() * w();
    Two* above = below_.data() + static_cast<std::size_t>(level - 1) * q() * w();
    for (std::size_t k = 0; k < q() * w(); ++k) above[k] += here[k];
    const Two* adds = adds_[level];
    double* to = sums_ + static_cast<std::size_t>(tree_.walk.nodes.attribute[path_[level]]) * static_cast<std::size_t>(scores_);
    for (std::size_t j = 0; j < w(); ++j) {
      Two both{0.0, 0.0};
      for (std::size_t k = 0; k < q(); ++k) both += here[k * w() + j] * adds[k];
      to[j] += scale_ * (both[0] + both[1]);
    }
  }

  const ShapTree& tree_;
  const double* answers_;
  int32_t width_;
  double scale_;
  int32_t scores_;
  int64_t row_ = 0;
  double* sums_ = nullptr;
  int32_t deepest_ = 0;                 // the level of the last node that has not been closed
  std::vector<Two> products_;           // [level, twos]
  std::vector<Two> below_;              // [level, twos, width] sums of answer × product over the leaves so far
  std::vector<Two> made_;               // [level, 2, twos] the table of a row in parts
  std::vector<const Two*> adds_;        // [level, twos] what an edge adds
  std::vector<How> hows_;               // [level]
  std::vector<double> parts_;           // [level] O of the edge's column, of a row in parts
  std::vector<int32_t> next_;           // [level] the child that the row goes to; −1: every one
  std::vector<int32_t> path_;           // [level]
};

struct Task {
  const ShapTree& tree;
  const double* answers;
  int32_t width;
  double scale;
  int64_t rows;
  int32_t attributes, scores, first_score;
  double* sums;
  const ShapPatterns* patterns;  // none: the tree is too large for them, or the rows are too few
  const StopFlag& stop;
};

template <int fixed_twos, int fixed_width>
void run(const Task& task) {
  const std::size_t steps = static_cast<std::size_t>(task.rows) * task.tree.edges.size() * task.tree.q();
  const int threads = steps < small_work ? 1 : thread_count();
  // Rows of one request are few, and still take every core.
  const int64_t block_rows = std::clamp((task.rows + threads - 1) / threads, int64_t{1}, shap_block_rows);
  const int64_t blocks = (task.rows + block_rows - 1) / block_rows;
  run_parallel(static_cast<std::size_t>(blocks), threads, [&](std::size_t block, int) {
    check(task.stop);
    std::vector<Pass<fixed_twos, fixed_width>> passes(
        static_cast<std::size_t>(std::min(block_rows, rows_abreast)),
        Pass<fixed_twos, fixed_width>(task.tree, task.answers, task.width, task.scale, task.scores));
    std::size_t begun = 0;
    const auto go = [&] {
      for (int32_t node = 1; node < task.tree.walk.nodes.size; ++node)
        for (std::size_t k = 0; k < begun; ++k) passes[k].visit(node);
      for (std::size_t k = 0; k < begun; ++k) passes[k].finish();
      begun = 0;
    };
    ShapPatterns::Kept kept;
    const int64_t first = static_cast<int64_t>(block) * block_rows;
    for (int64_t row = first; row < std::min(task.rows, first + block_rows); ++row) {
      double* sums = task.sums + row * task.attributes * task.scores + task.first_score;
      if (task.patterns != nullptr && task.patterns->row(row, task.scores, sums, kept)) continue;
      passes[begun++].begin(row, sums);
      if (begun == passes.size()) go();
    }
    go();
  });
}

template <int fixed_width>
void run_with_width(const Task& task) {
  switch (task.tree.q()) {
    case 1: return run<1, fixed_width>(task);
    case 2: return run<2, fixed_width>(task);
    case 3: return run<3, fixed_width>(task);
    case 4: return run<4, fixed_width>(task);
    case 5: return run<5, fixed_width>(task);
    default: return run<0, fixed_width>(task);
  }
}

}  // namespace

void add_shap(const Walk& walk, const double* cover, const double* answers, int32_t width, double scale, int64_t rows,
              int32_t attributes, int32_t scores, int32_t first_score, double* sums, double* mean, const StopFlag& stop) {
  const ShapTree tree(walk, cover, rows >= fewest_for_tables);
  std::vector<double> reached(walk.steps.size(), 1.0);
  std::fill(mean, mean + width, 0.0);
  for (int32_t node = 0; node < walk.nodes.size; ++node) {
    for (int32_t child = node + 1; child < walk.nodes.end[node]; child = walk.nodes.end[child])
      reached[child] = reached[node] * tree.edges[child].part;
    if (walk.nodes.end[node] != node + 1) continue;
    for (int32_t j = 0; j < width; ++j) mean[j] += scale * (reached[node] * answers[static_cast<std::size_t>(node) * width + j]);
  }
  std::optional<ShapPatterns> patterns;
  if (tree.columns <= 8 && rows > shap_block_rows && rows >= rows_per_pattern << tree.columns && walk.nodes.size > 1 &&
      ShapPatterns::size(tree, width) <= most_in_tables)
    patterns.emplace(tree, answers, width, scale);
  const ShapPatterns* by_table = patterns ? &*patterns : nullptr;
  const Task task{tree, answers, width, scale, rows, attributes, scores, first_score, sums, by_table, stop};
  width == 1 ? run_with_width<1>(task) : run_with_width<0>(task);
}

}  // namespace clearwood
