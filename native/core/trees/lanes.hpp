// Binary trees over numbers of one type and stride: a few rows side by side, without a branch to guess.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "core/trees/walk.hpp"

namespace clearwood {

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

}  // namespace clearwood
