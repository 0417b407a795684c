#include "core/trees/walk.hpp"

#include <cmath>

#include "core/trees/measure.hpp"

namespace clearwood {
namespace {

// Binary trees over numbers of one type and stride: a few rows side by side, without a branch to guess.

template <class T>
struct Cuts {
  static constexpr int lanes = 16;
  struct Node {
    T limit;
    int32_t to[3];  // x ≤ limit, x > limit, x empty
    int64_t offset;
  };
  std::vector<Node> nodes;
  const std::byte* base = nullptr;
  int64_t stride = 0;
  int32_t elsewhere = 0;  // rows that end here need the general walk

  static std::optional<Cuts> of(const Walk& walk) {
    Cuts cuts;
    const int32_t size = walk.nodes.size;
    constexpr Column::Type type = sizeof(T) == 4 ? Column::Type::float32 : Column::Type::float64;
    for (const auto& step : walk.steps) {
      if (step.kind == Walk::Kind::leaf) continue;
      const Column& column = *walk.columns[step.attribute];
      if (step.kind != Walk::Kind::cut || column.type != type) return std::nullopt;
      if (!cuts.base) {
        cuts.base = column.data;
        cuts.stride = column.stride;
      }
      if (column.stride != cuts.stride) return std::nullopt;
    }
    if (!cuts.base) return std::nullopt;
    cuts.elsewhere = size;
    cuts.nodes.reserve(static_cast<std::size_t>(size) + 1);
    for (int32_t i = 0; i < size; ++i) {
      const auto& step = walk.steps[i];
      if (step.kind == Walk::Kind::leaf) {
        cuts.nodes.push_back({0, {i, i, i}, 0});
      } else {
        const int64_t offset = static_cast<int64_t>(reinterpret_cast<intptr_t>(walk.columns[step.attribute]->data) -
                                                    reinterpret_cast<intptr_t>(cuts.base));
        cuts.nodes.push_back(
            {below(step.limit), {step.to[0], step.to[1], step.missing >= 0 ? step.missing : size}, offset});
      }
    }
    cuts.nodes.push_back({0, {size, size, size}, 0});
    return cuts;
  }

  // The largest T that does not exceed the limit: x ≤ limit and x ≤ below(limit) are the same for every T.
  static T below(double limit) {
    const T near = static_cast<T>(limit);
    return static_cast<double>(near) > limit ? std::nextafter(near, -std::numeric_limits<T>::infinity()) : near;
  }

  // Not inlined: among what surrounds its call the loop would run out of registers, a tenth of its time.
  [[gnu::noinline]] void leaves(int64_t first, int64_t stop, int32_t* reached) const {
    const Node* const tree = nodes.data();
    int64_t row = first;
    for (; row + lanes <= stop; row += lanes) {
      int32_t at[lanes] = {};
      bool moving = true;
      const intptr_t origin = reinterpret_cast<intptr_t>(base) + row * stride;
      while (moving) {
        for (int level = 0; level < 4; ++level) {
          intptr_t cells = origin;
          for (int lane = 0; lane < lanes; ++lane, cells += stride) advance(tree, at[lane], cells);
        }
        moving = false;
        for (int lane = 0; lane < lanes; ++lane) moving |= tree[at[lane]].to[0] != at[lane];
      }
      std::copy(at, at + lanes, reached + (row - first));
    }
    for (; row < stop; ++row) {
      int32_t at = 0;
      while (tree[at].to[0] != at) advance(tree, at, reinterpret_cast<intptr_t>(base) + row * stride);
      reached[row - first] = at;
    }
  }

  static T cell_at(intptr_t place) {
    T value;
    std::memcpy(&value, reinterpret_cast<const char*>(place), sizeof value);
    return value;
  }

  static void advance(const Node* tree, int32_t& at, intptr_t cells) {
    const Node& node = tree[at];
    const T x = cell_at(cells + node.offset);
    at = node.to[static_cast<int>(x > node.limit) + 2 * static_cast<int>(x != x)];
  }
};

constexpr int64_t block_rows = 4096;

// Calls each(row, leaf, parts) for every row; leaf is −1 where the row reaches several, and `parts` is room to list them.
// Such a row may cost as much as the whole tree, so the stop flag is checked at each.
template <class Each>
void walk_rows(const Walk& walk, int64_t rows, const StopFlag& stop, Each&& each) {
  const auto floats = Cuts<float>::of(walk);
  const auto doubles = Cuts<double>::of(walk);
  const int threads = rows <= 3 * block_rows ? 1 : thread_count();
  over_rows(static_cast<std::size_t>(rows), block_rows, threads, stop, [&](std::size_t begin, std::size_t end, int) {
    const auto first = static_cast<int64_t>(begin), last = static_cast<int64_t>(end);
    int32_t leaves[block_rows];
    if (floats) {
      floats->leaves(first, last, leaves);
    } else if (doubles) {
      doubles->leaves(first, last, leaves);
    } else {
      for (int64_t row = first; row < last; ++row) leaves[row - first] = walk.leaf(0, row);
    }
    Walk::Parts parts;
    for (int64_t row = first; row < last; ++row) {
      int32_t leaf = leaves[row - first];
      if (leaf == walk.nodes.size) leaf = walk.leaf(0, row);
      if (leaf < 0) check(stop);
      each(row, leaf, parts);
    }
  });
}

void average(const std::vector<Part>& parts, const double* values, int32_t width, double* answer) {
  std::fill(answer, answer + width, 0.0);
  for (const auto& [leaf, weight] : parts)
    for (int32_t k = 0; k < width; ++k) answer[k] += weight * values[static_cast<int64_t>(leaf) * width + k];
}

// Adds each row to the leaves it reaches in row order, so that sums do not depend on threads, then each node to its parent.
template <class Add>
void count_through(const Walk& walk, int64_t rows, int32_t width, double* counts, const StopFlag& stop, Add&& add) {
  std::vector<int32_t> leaves(static_cast<std::size_t>(rows));
  walk_rows(walk, rows, stop, [&](int64_t row, int32_t leaf, Walk::Parts&) { leaves[row] = leaf; });
  std::fill(counts, counts + static_cast<int64_t>(walk.nodes.size) * width, 0.0);
  Walk::Parts parts;
  for (int64_t row = 0; row < rows; ++row) {
    if (row % block_rows == 0 || leaves[row] < 0) check(stop);
    if (leaves[row] >= 0) {
      add(row, 1.0, counts + static_cast<int64_t>(leaves[row]) * width);
    } else {
      for (const auto& [leaf, weight] : walk.parts(row, parts)) add(row, weight, counts + static_cast<int64_t>(leaf) * width);
    }
  }
  std::vector<int32_t> parent(static_cast<std::size_t>(walk.nodes.size), -1);
  for (int32_t node = 0; node < walk.nodes.size; ++node)
    for (int32_t child = node + 1; child < walk.nodes.end[node]; child = walk.nodes.end[child]) parent[child] = node;
  for (int32_t node = walk.nodes.size - 1; node > 0; --node)
    for (int32_t k = 0; k < width; ++k)
      counts[static_cast<int64_t>(parent[node]) * width + k] += counts[static_cast<int64_t>(node) * width + k];
}
}  // namespace

void leaves_of(const Walk& walk, int64_t rows, int32_t* leaves, const StopFlag& stop) {
  walk_rows(walk, rows, stop, [&](int64_t row, int32_t leaf, Walk::Parts& parts) {
    if (leaf < 0) {
      double most = -1;
      for (const auto& part : walk.parts(row, parts))
        if (part.weight > most) {
          most = part.weight;
          leaf = part.leaf;
        }
    }
    leaves[row] = leaf;
  });
}

void average_of(const Walk& walk, int64_t rows, const double* values, int32_t width, double* answers,
                const StopFlag& stop) {
  walk_rows(walk, rows, stop, [&](int64_t row, int32_t leaf, Walk::Parts& parts) {
    double* answer = answers + row * width;
    if (leaf >= 0) {
      const double* from = values + static_cast<int64_t>(leaf) * width;
      for (int32_t k = 0; k < width; ++k) answer[k] = from[k];
    } else {
      average(walk.parts(row, parts), values, width, answer);
    }
  });
}

void codes_of(const Walk& walk, int64_t rows, const int32_t* node_codes, const double* shares, const double* costs,
              int32_t classes, int32_t* codes, const StopFlag& stop) {
  walk_rows(walk, rows, stop, [&](int64_t row, int32_t leaf, Walk::Parts& parts) {
    if (leaf >= 0) {
      codes[row] = node_codes[leaf];
    } else {
      parts.mixed.resize(static_cast<std::size_t>(classes));
      average(walk.parts(row, parts), shares, classes, parts.mixed.data());
      codes[row] = static_cast<int32_t>(cheapest(parts.mixed.data(), costs, static_cast<std::size_t>(classes)));
    }
  });
}

void count_classes(const Walk& walk, int64_t rows, const int32_t* target, const double* weights, int32_t classes,
                   double* counts, const StopFlag& stop) {
  count_through(walk, rows, classes, counts, stop, [&](int64_t row, double part, double* at) {
    const int32_t code = target[row];
    if (code >= 0 && code < classes) at[code] += weights ? part * weights[row] : part;
  });
}

void count_numbers(const Walk& walk, int64_t rows, const double* target, const double* weights, double* sums,
                   const StopFlag& stop) {
  count_through(walk, rows, 3, sums, stop, [&](int64_t row, double part, double* at) {
    const double y = target[row];
    if (std::isnan(y)) return;
    const double weight = weights ? part * weights[row] : part;
    at[0] += weight;
    at[1] += weight * y;
    at[2] += weight * y * y;
  });
}

}  // namespace clearwood
