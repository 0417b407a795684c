#include "core/ensembles/answers.hpp"

namespace clearwood {
namespace {

constexpr int64_t block_rows = 2048;
constexpr int lanes = 16;

// Codes of a block of rows, [row, slot], and which rows have something unusual.
template <class Code>
void code_rows(const CompiledView& trees, const Columns& columns, int64_t first, int64_t stop, std::size_t width,
               Code* codes, uint8_t* unusual) {
  for (std::size_t a = 0; a < trees.attributes; ++a) {
    if (trees.slots[a] < 0) continue;
    const Column& column = *columns[a];
    Code* at = codes + trees.slots[a];
    if (column.numeric()) {
      const double* limits = trees.limits + trees.limit_start[a];
      const int64_t count = trees.limit_start[a + 1] - trees.limit_start[a];
      for (int64_t row = first; row < stop; ++row, at += width) {
        const double x = column.number(static_cast<std::size_t>(row));
        const bool empty = x != x;
        *at = static_cast<Code>(empty ? count + 1 : numbers_below(limits, count, x));
        unusual[row - first] |= empty;
      }
    } else {
      for (int64_t row = first; row < stop; ++row, at += width) {
        const int32_t value = column.code(static_cast<std::size_t>(row));
        const bool seen = static_cast<uint32_t>(value) < static_cast<uint32_t>(column.values);
        *at = static_cast<Code>(seen ? value : column.values + (value == -1));
        unusual[row - first] |= !seen;
      }
    }
  }
}

template <class Code>
int32_t leaf_from(const Comparison<Code>* trees, int32_t at, const Code* codes) {
  while (true) {
    const Comparison<Code>& node = trees[at];
    const int32_t next = node.left + (codes[node.slot] > node.limit);
    if (next == at) return at;
    at = next;
  }
}

// at [row]: where each of the rows ends in the tree that begins at `root`; `which` are the rows.
template <class Code>
[[gnu::noinline]] void leaves_in(const Comparison<Code>* trees, int32_t root, const Code* codes, std::size_t width,
                                 const int32_t* which, int64_t count, int32_t* reached) {
  int64_t k = 0;
  for (; k + lanes <= count; k += lanes) {
    int32_t at[lanes];
    const Code* rows[lanes];
    for (int lane = 0; lane < lanes; ++lane) {
      at[lane] = root;
      rows[lane] = codes + static_cast<std::size_t>(which[k + lane]) * width;
    }
    bool moving = true;
    while (moving) {
      for (int level = 0; level < 3; ++level)
        for (int lane = 0; lane < lanes; ++lane) {
          const Comparison<Code>& node = trees[at[lane]];
          at[lane] = node.left + (rows[lane][node.slot] > node.limit);
        }
      moving = false;
      for (int lane = 0; lane < lanes; ++lane) moving |= trees[at[lane]].left != at[lane];
    }
    std::copy(at, at + lanes, reached + k);
  }
  for (; k < count; ++k) reached[k] = leaf_from(trees, root, codes + static_cast<std::size_t>(which[k]) * width);
}

template <class Code>
const Comparison<Code>* comparisons(const CompiledView& trees) {
  if constexpr (sizeof(Code) == 2) return trees.narrow;
  else return trees.wide;
}

template <class Code>
class Answering {
 public:
  Answering(const NodesView& nodes, const Columns& columns, const CompiledView& usual,
            const std::optional<CompiledView>& unusual, const Added& added)
      : nodes_(nodes), columns_(columns), usual_(usual), unusual_(unusual), added_(added) {
    for (std::size_t a = 0; a < usual.attributes; ++a) width_ = std::max(width_, static_cast<std::size_t>(usual.slots[a] + 1));
  }

  bool run(int64_t rows, double* answers, const StopFlag& stop) {
    const int64_t blocks = (rows + block_rows - 1) / block_rows;
    std::atomic<bool> fits{true};
    const bool little = rows * added_.trees * 8 < static_cast<int64_t>(small_work);
    run_parallel(static_cast<std::size_t>(blocks), blocks < 2 || little ? 1 : thread_count(), [&](std::size_t block, int) {
      check(stop);
      if (!fits.load(std::memory_order_relaxed)) return;
      const int64_t first = static_cast<int64_t>(block) * block_rows;
      if (!answer(first, std::min(rows, first + block_rows), answers + first * added_.scores, stop)) fits.store(false);
    });
    return fits.load();
  }

 private:
  bool answer(int64_t first, int64_t stop, double* answers, const StopFlag& flag) const {
    const int64_t rows = stop - first;
    std::vector<Code> codes(static_cast<std::size_t>(rows) * width_ + 1);
    std::vector<uint8_t> odd(static_cast<std::size_t>(rows), 0);
    code_rows<Code>(usual_, columns_, first, stop, width_, codes.data(), odd.data());
    std::vector<int32_t> which(static_cast<std::size_t>(rows)), reached(static_cast<std::size_t>(rows));
    int32_t *low = which.data(), *high = which.data() + rows;  // usual rows from the front, others from the back
    for (int32_t row = 0; row < rows; ++row) (odd[static_cast<std::size_t>(row)] ? *--high : *low++) = row;
    const int64_t usual = low - which.data();
    if (usual < rows && !unusual_) return false;
    std::fill(answers, answers + rows * added_.scores, 0.0);
    for (int64_t tree = 0; tree < added_.trees; ++tree) {
      if (tree % 64 == 0) check(flag);
      through(usual_, tree, first, which.data(), usual, codes.data(), reached.data(), answers, flag);
      if (usual < rows) through(*unusual_, tree, first, high, rows - usual, codes.data(), reached.data(), answers, flag);
    }
    return true;
  }

  void through(const CompiledView& trees, int64_t tree, int64_t first, const int32_t* which, int64_t count,
               const Code* codes, int32_t* reached, double* answers, const StopFlag& flag) const {
    leaves_in(comparisons<Code>(trees), trees.place[added_.start[tree]], codes, width_, which, count, reached);
    double* const from = answers + static_cast<int64_t>(added_.adds_to[tree]) * added_.width;
    switch (added_.width) {
      case 1: return add<1>(trees, tree, first, which, count, codes, reached, from, flag);
      case 2: return add<2>(trees, tree, first, which, count, codes, reached, from, flag);
      case 3: return add<3>(trees, tree, first, which, count, codes, reached, from, flag);
      default: return add<0>(trees, tree, first, which, count, codes, reached, from, flag);
    }
  }

  template <int known>
  void add(const CompiledView& trees, int64_t tree, int64_t first, const int32_t* which, int64_t count, const Code* codes,
           const int32_t* reached, double* from, const StopFlag& flag) const {
    const int32_t width = known ? known : added_.width;
    std::vector<Part> parts;
    for (int64_t k = 0; k < count; ++k) {
      double* to = from + static_cast<int64_t>(which[k]) * added_.scores;
      const int32_t leaf = trees.origin[reached[k]];
      if (leaf >= 0) {
        const double* figures = added_.figures + static_cast<int64_t>(leaf) * width;
        for (int32_t c = 0; c < width; ++c) to[c] += figures[c];
      } else {
        check(flag);
        by_parts(trees, tree, -1 - leaf, first + which[k], codes + static_cast<std::size_t>(which[k]) * width_, to, parts);
      }
    }
  }

  // The row stands at a split that does not say where it goes: a surrogate does, or it goes down every branch in parts.
  void by_parts(const CompiledView& trees, int64_t tree, int32_t split, int64_t row, const Code* codes, double* to,
                std::vector<Part>& waiting) const {
    const int32_t width = added_.width;
    std::vector<double> mixed(static_cast<std::size_t>(width), 0.0);
    const double* values = added_.shares ? added_.shares : added_.figures;
    over_parts(
        nodes_, split, waiting,
        [&](int32_t node) {
          int32_t origin = trees.origin[leaf_from(comparisons<Code>(trees), trees.place[node], codes)];
          for (int32_t child; origin < 0 && (child = sent_on(nodes_, columns_, -1 - origin, row)) >= 0;)
            origin = trees.origin[leaf_from(comparisons<Code>(trees), trees.place[child], codes)];
          return origin;
        },
        [&](int32_t leaf, double weight) {
          const double* figures = values + static_cast<int64_t>(leaf) * width;
          for (int32_t c = 0; c < width; ++c) mixed[static_cast<std::size_t>(c)] += weight * figures[c];
        });
    if (added_.shares) {
      to[std::max_element(mixed.begin(), mixed.end()) - mixed.begin()] += added_.weights[tree];
    } else {
      for (int32_t c = 0; c < width; ++c) to[c] += mixed[static_cast<std::size_t>(c)];
    }
  }

  const NodesView& nodes_;
  const Columns& columns_;
  const CompiledView& usual_;
  const std::optional<CompiledView>& unusual_;
  const Added& added_;
  std::size_t width_ = 0;
};

template <class Code>
bool one(const CompiledView& trees, const int32_t* values, const Added& added, const double* cells, double* answer) {
  std::vector<Code> codes(trees.attributes + 1);
  for (std::size_t a = 0; a < trees.attributes; ++a) {
    if (trees.slots[a] < 0) continue;
    const double x = cells[a];
    if (x != x) return false;
    if (values[a] < 0) {
      const int64_t count = trees.limit_start[a + 1] - trees.limit_start[a];
      codes[static_cast<std::size_t>(trees.slots[a])] =
          static_cast<Code>(numbers_below(trees.limits + trees.limit_start[a], count, x));
    } else {
      if (!(x >= 0 && x < values[a])) return false;
      codes[static_cast<std::size_t>(trees.slots[a])] = static_cast<Code>(x);
    }
  }
  std::fill(answer, answer + added.scores, 0.0);
  const Comparison<Code>* const nodes = comparisons<Code>(trees);
  // Some trees side by side, added in their order.
  for (int64_t first = 0; first < added.trees; first += lanes) {
    const int count = static_cast<int>(std::min<int64_t>(lanes, added.trees - first));
    int32_t at[lanes];
    for (int lane = 0; lane < count; ++lane) at[lane] = trees.place[added.start[first + lane]];
    bool moving = true;
    while (moving) {
      moving = false;
      for (int lane = 0; lane < count; ++lane) {
        const Comparison<Code>& node = nodes[at[lane]];
        const int32_t next = node.left + (codes[node.slot] > node.limit);
        moving |= next != at[lane];
        at[lane] = next;
      }
    }
    for (int lane = 0; lane < count; ++lane) {
      const int32_t leaf = trees.origin[at[lane]];
      if (leaf < 0) return false;
      double* to = answer + static_cast<int64_t>(added.adds_to[first + lane]) * added.width;
      for (int32_t c = 0; c < added.width; ++c) to[c] += added.figures[static_cast<int64_t>(leaf) * added.width + c];
    }
  }
  return true;
}

}  // namespace

bool answers_of(const NodesView& nodes, const Columns& columns, const CompiledView& usual,
                const std::optional<CompiledView>& unusual, const Added& added, int64_t rows, double* answers,
                const StopFlag& stop) {
  if (usual.narrow) return Answering<uint16_t>(nodes, columns, usual, unusual, added).run(rows, answers, stop);
  return Answering<uint32_t>(nodes, columns, usual, unusual, added).run(rows, answers, stop);
}

bool answer_of_one(const CompiledView& usual, const int32_t* values, const Added& added, const double* cells,
                   double* answer) {
  return usual.narrow ? one<uint16_t>(usual, values, added, cells, answer)
                      : one<uint32_t>(usual, values, added, cells, answer);
}

}  // namespace clearwood
