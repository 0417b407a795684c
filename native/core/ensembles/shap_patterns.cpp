#include "core/ensembles/shap_patterns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clearwood {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// The nodes above each node by level, in preorder: calls visit(node, path) with path[level] set up to the node's own.
template <typename Visit>
void along_paths(const Walk& walk, const std::vector<int32_t>& levels, const Visit& visit) {
  std::vector<int32_t> path(static_cast<std::size_t>(*std::max_element(levels.begin(), levels.end())) + 1, 0);
  for (int32_t node = 0; node < walk.nodes.size; ++node) {
    path[static_cast<std::size_t>(levels[node])] = node;
    visit(node, path);
  }
}

int32_t different_columns(const std::vector<int32_t>& path, const std::vector<int32_t>& slots, int32_t level) {
  int32_t most = 0;
  for (int32_t above = 1; above <= level; ++above) most = std::max(most, slots[path[above]] + 1);
  return most;
}

}  // namespace

int64_t ShapPatterns::size(const Walk& walk, const std::vector<int32_t>& slots, const std::vector<int32_t>& levels, int32_t width) {
  int64_t all = 0;
  along_paths(walk, levels, [&](int32_t node, const std::vector<int32_t>& path) {
    if (walk.nodes.end[node] != node + 1) return;
    const int32_t columns = std::min(different_columns(path, slots, levels[node]), 40);
    all += (int64_t{1} << columns) * columns * width;
  });
  return all;
}

ShapPatterns::ShapPatterns(const Walk& walk, const std::vector<double>& z, const std::vector<int32_t>& slots,
                           const std::vector<int32_t>& levels, const Quadrature& points, const double* answers, int32_t width, double scale)
    : walk_(walk), width_(width), places_(walk.steps.size()) {
  tables_.resize(static_cast<std::size_t>(size(walk, slots, levels, width)));
  int64_t table = 0;
  along_paths(walk, levels, [&](int32_t node, const std::vector<int32_t>& path) {
    const int32_t level = levels[node];
    deepest_ = std::max(deepest_, level);
    Place& at = places_[node];
    at.level = level;
    if (node > 0) {
      at.parent = path[level - 1];
      at.keeps = ~(uint32_t{1} << slots[node]);
    }
    if (walk.nodes.end[node] != node + 1) {
      splits_.push_back(node);
      return;
    }
    const int32_t count = different_columns(path, slots, level);
    at.table = table;
    at.column = static_cast<int32_t>(columns_.size());
    at.columns = count;
    std::vector<double> without(static_cast<std::size_t>(count), 1.0);
    columns_.resize(columns_.size() + static_cast<std::size_t>(count));
    for (int32_t above = 1; above <= level; ++above) {  // the last edge of a column has the product of all of its
      without[slots[path[above]]] = z[path[above]];
      columns_[at.column + slots[path[above]]] = walk.nodes.attribute[path[above]];
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
  });
}

bool ShapPatterns::row(int64_t row, int32_t scores, double* sums, Kept& kept) const {
  kept.next.resize(places_.size());
  kept.patterns.resize(static_cast<std::size_t>(deepest_) + 1);
  for (const int32_t node : splits_) {
    const Walk::Step& at = walk_.steps[node];
    // The usual question is asked here, without a call.
    const double x = at.kind == Walk::Kind::cut ? walk_.columns[at.attribute]->number(static_cast<std::size_t>(row)) : no_number;
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

}  // namespace clearwood
