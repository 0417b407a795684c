#include "core/ensembles/shape.hpp"

#include <vector>

namespace clearwood {

bool shape_of_trees(const int32_t* branches, int64_t nodes, const int64_t* sizes, int64_t trees, int32_t* parent,
                    int32_t* end) {
  struct Open {
    int32_t node, left;  // branches that are still to come
  };
  std::vector<Open> path;
  int64_t node = 0;
  for (int64_t tree = 0; tree < trees; ++tree) {
    const int64_t stop = node + sizes[tree];
    if (sizes[tree] < 1 || stop > nodes) return false;
    path.clear();
    for (const int64_t root = node; node < stop; ++node) {
      if (branches[node] < 0 || (node > root && path.empty())) return false;
      parent[node] = node == root ? -1 : path.back().node;
      if (node > root) --path.back().left;
      path.push_back({static_cast<int32_t>(node), branches[node]});
      while (!path.empty() && path.back().left == 0) {
        end[path.back().node] = static_cast<int32_t>(node + 1);
        path.pop_back();
      }
    }
    if (!path.empty()) return false;
  }
  return node == nodes;
}

void sum_up(const int32_t* parent, int64_t nodes, double* values, std::size_t width) {
  for (int64_t node = nodes - 1; node >= 0; --node) {
    if (parent[node] < 0) continue;
    double* to = values + static_cast<std::size_t>(parent[node]) * width;
    for (std::size_t k = 0; k < width; ++k) to[k] += values[static_cast<std::size_t>(node) * width + k];
  }
}

}  // namespace clearwood
