#include "core/ensembles/forest_tree.hpp"

#include <array>
#include <numeric>

#include "core/ensembles/forest_order.hpp"
#include "core/ensembles/forest_split.hpp"
#include "core/trees/target.hpp"

namespace clearwood {
namespace {

constexpr std::uint32_t one_by_one = 3;       // a column of so many values has none set aside
constexpr std::size_t searched_abreast = 16;  // each waits for memory while the others do

// The last of the numbers [low, high) that is not above the limit; the first is not. Where numbers lie about evenly, it is
// guessed from the limit in a few steps, each of which would be a step through memory.
struct LastNotAbove {
  const std::vector<double>* values = nullptr;
  std::uint32_t low = 0, high = 0;
  double limit = 0;
  int guesses = 0;

  bool done() const { return high - low <= 1; }
  void step() {
    const std::vector<double>& of = *values;
    std::uint32_t at = low + (high - low) / 2;
    if (guesses++ < 4 && high < of.size() && of[high] > of[low]) {
      const double part = (limit - of[low]) / (of[high] - of[low]);
      const double guess = part * (high - low);
      if (guess >= 0 && guess < high - low) at = std::clamp(low + static_cast<std::uint32_t>(guess), low + 1, high - 1);
    }
    (of[at] <= limit ? low : high) = at;
  }
};

class ForestTreeGrower {
 public:
  ForestTreeGrower(const Problem& problem, const ForestRows& by_row, const RowDraws& draws, const ForestSettings& settings,
                   const StopFlag& stop)
      : problem_(problem), columns_(problem.coded), draws_(draws), settings_(settings), stop_(stop),
        width_(problem.width()), far_(problem.coded), near_(problem.coded, by_row), order_(problem.coded.size()),
        is_constant_(problem.coded.size(), 0) {
    measure_.measure = settings.measure;
    measure_.numbers = problem.classes == 0;
    measure_.width = measure_.numbers ? 2 : width_;
    measure_.factors = problem.factors.empty() ? nullptr : problem.factors.data();
    measure_.least = settings.min_leaf;
    if (problem.classes > 0) whole_cuts_.begin(width_, settings.min_leaf);
    std::iota(order_.begin(), order_.end(), 0u);
  }

  ForestTree grow(std::size_t tree, std::vector<std::uint32_t>& times) {
    draws_.count(settings_.seed, tree, times_);
    whole_ = problem_.classes > 0 && problem_.classes <= 0xFFFF && !measure_.factors &&
             settings_.measure == Measure::gini && draws_.whole();
    std::size_t size = 0;
    for (const std::uint32_t drawn : times_) {
      size += drawn > 0;
      whole_ = whole_ && drawn <= 0xFFFF;
    }
    ids_.resize(std::max(ids_.size(), size));
    tags_.resize(std::max(tags_.size(), size));
    sides_.resize(std::max(sides_.size(), size));
    std::uint32_t heaviest = 0;
    for (std::size_t row = 0; whole_ && row < problem_.rows; ++row)
      heaviest = std::max(heaviest, static_cast<std::uint32_t>(times_[row] * draws_.weight(row)));
    using Most = std::pair<std::uint32_t, std::uint32_t>;
    const auto [rows, tags] =
        far_.begin(size, whole_ ? std::optional(Most(static_cast<std::uint32_t>(width_ - 1), heaviest)) : std::nullopt);
    for (std::size_t row = 0, i = 0; row < problem_.rows; ++row) {
      if (!times_[row]) continue;
      rows[i] = tags[i] = static_cast<std::uint32_t>(row);
      if (whole_)
        tags[i] = tag_of(static_cast<std::uint32_t>(problem_.class_of[row]),
                         static_cast<std::uint32_t>(times_[row] * draws_.weight(row)));
      ++i;
    }
    const std::size_t expected = last_size_ + last_size_ / 16;  // trees of a forest are about as large as each other
    tree_ = ForestTree{};
    tree_.width = width_;
    tree_.nodes.reserve(expected);
    tree_.counts.reserve(expected * width_);
    const Waiting root{0, size, 0, -1, 0, key_of({settings_.seed, tree}), 0};
    if (!measure_.numbers) {
      waiting_counts_.assign(width_, 0.0);
      for (std::size_t i = 0; i < size; ++i) add(waiting_counts_.data(), tags[i], 0);
    }
    grow_from(far_, root);
    settle_cuts();
    forget_constants(0);
    last_size_ = tree_.nodes.size();
    times.swap(times_);
    return std::move(tree_);
  }

 private:
  struct Waiting {
    std::size_t begin, count;
    int depth;
    std::int32_t parent;
    int branch;
    std::uint64_t key;
    std::size_t constants;
  };

  // A node's cut that is to be found between its last number below and this one above; where it was drawn, from there up.
  struct Unsettled {
    std::uint32_t node, above;
    bool drawn;
  };

  template <class Rows>
  void grow_from(Rows& rows, Waiting top) {
    std::vector<Waiting> waiting{top};
    std::vector<double> counts(width_);
    while (!waiting.empty()) {
      const Waiting node = waiting.back();
      waiting.pop_back();
      if constexpr (std::is_same_v<Rows, Far>) {
        if (node.count <= near_rows) {
          near_.begin(far_, node.begin, node.count);
          Waiting inside = node;
          inside.begin = 0;
          grow_from(near_, inside);
          continue;
        }
      }
      check(stop_);
      forget_constants(node.constants);
      if (measure_.numbers) {
        summarise(rows, node, counts.data());
      } else {
        std::copy_n(waiting_counts_.end() - static_cast<std::ptrdiff_t>(width_), width_, counts.begin());
        waiting_counts_.resize(waiting_counts_.size() - width_);
      }
      const auto number = static_cast<std::int32_t>(tree_.nodes.size());
      tree_.nodes.push_back({});
      tree_.nodes.back().parent = node.parent;
      tree_.counts.insert(tree_.counts.end(), counts.begin(), counts.end());
      if (node.branch == 1) tree_.nodes[static_cast<std::size_t>(node.parent)].right = number;
      if (!may_split(counts.data(), node.depth) || !find_split(rows, node, counts.data())) continue;
      const std::size_t left = part(rows, node, tree_.nodes.back());
      waiting.push_back({node.begin + left, node.count - left, node.depth + 1, number, 1, key_after(node.key, 1),
                         constants_.size()});
      waiting.push_back({node.begin, left, node.depth + 1, number, 0, key_after(node.key, 0), constants_.size()});
      if (measure_.numbers) continue;
      waiting_counts_.insert(waiting_counts_.end(), sums_.begin() + static_cast<std::ptrdiff_t>(width_),
                             sums_.begin() + static_cast<std::ptrdiff_t>(2 * width_));
      waiting_counts_.insert(waiting_counts_.end(), sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(width_));
    }
  }

  template <class Rows>
  void summarise(Rows& rows, const Waiting& node, double* counts) const {
    const std::size_t end = node.begin + node.count;
    const double first = problem_.number_of[rows.tag(node.begin)];
    double weight = 0, sum = 0, error = 0;
    for (std::size_t i = node.begin; i < end; ++i) {
      const std::uint32_t row = rows.tag(i);
      weight += row_weight(row);
      sum += row_weight(row) * (problem_.number_of[row] - first);
    }
    const double mean = first + sum / weight;
    for (std::size_t i = node.begin; i < end; ++i) {
      const double distance = problem_.number_of[rows.tag(i)] - mean;
      error += row_weight(rows.tag(i)) * distance * distance;
    }
    counts[0] = weight;
    counts[1] = mean;
    counts[2] = error;
  }

  bool may_split(const double* counts, int depth) const {
    if (settings_.max_depth >= 0 && depth >= settings_.max_depth) return false;
    const double rows = measure_.rows(counts);
    if (rows < std::max(settings_.min_rows, 2 * settings_.min_leaf) - slack) return false;
    return !is_pure(problem_, counts);
  }

  double impurity(const double* counts) const {
    if (measure_.numbers) return counts[2];
    const double whole = settings_.measure == Measure::entropy ? 0.0 : measure_.weight(counts);
    return std::max(whole - measure_.purity(counts), 0.0);
  }

  template <class Rows>
  bool find_split(Rows& rows, const Waiting& node, const double* counts) {
    best_.clear(impurity(counts));
    if (whole_) whole_cuts_.at_node(counts, measure_.rows(counts));
    const std::uint64_t key = key_after(node.key, chance_of_columns);
    const std::size_t columns = columns_.size();
    swaps_.clear();
    for (std::size_t k = 0; k < columns && (k < settings_.drawn_columns || !best_.valid); ++k) {
      const std::size_t other = k + below(key, k, columns - k);
      std::swap(order_[k], order_[other]);
      swaps_.push_back(static_cast<std::uint32_t>(other));
      if (!is_constant_[order_[k]]) ask(rows, node, order_[k], counts);
    }
    for (std::size_t k = swaps_.size(); k-- > 0;) std::swap(order_[k], order_[swaps_[k]]);
    return best_.valid;
  }

  template <class Rows>
  void ask(Rows& rows, const Waiting& node, std::size_t column, const double* counts) {
    const bool nominal = columns_[column].kind == CodedColumn::Kind::values;
    if (settings_.random_cuts && !nominal) return ask_drawn_cut(rows, node, column, counts);
    if (whole_ && !nominal) {
      const std::size_t size = rows.size(column);
      const std::size_t cells = (size + 1) * width_;
      if (size > 256 || cells > node.count) {
        if (!rows.order(column, node.begin, node.count, ids_.data(), tags_.data())) return note_constant(column);
        whole_cuts_.ask(ids_.data(), tags_.data(), node.count, rows.size(column), column, best_);
        return;
      }
      rows.gather(column, node.begin, node.count, ids_.data());
      table_.assign(cells, 0);
      for (std::size_t i = 0; i < node.count; ++i) {
        const std::uint32_t tag = rows.tag(node.begin + i);
        table_[ids_[i] * width_ + (tag & 0xFFFF)] += tag >> 16;
      }
      if (!whole_cuts_.ask_counts(table_.data(), static_cast<std::uint32_t>(size), column, best_)) note_constant(column);
      return;
    }
    sum_values(rows, node, column, measure_.numbers ? counts[1] : 0.0);
    if (nominal && columns_[column].known > one_by_one) set_rare_aside();
    if (values_.ids.size() + values_.any_missing < 2) return note_constant(column);
    if (!nominal) {
      ask_cuts(measure_, values_, column, best_);
    } else if (settings_.random_cuts) {
      ask_random_groups(measure_, values_, column, key_after(key_after(node.key, chance_of_cuts), column), best_);
    } else {
      ask_groups(measure_, values_, column, best_);
    }
  }

  template <class Rows>
  std::size_t part(Rows& rows, const Waiting& node, ForestNode& made) {
    const std::size_t column = best_.column;
    const CodedColumn& of = columns_[column];
    const std::uint32_t size = rows.size(column);
    made.column = static_cast<std::uint32_t>(column);
    made.missing = static_cast<std::int8_t>(best_.missing);
    made.apart = best_.apart;
    rows.gather(column, node.begin, node.count, ids_.data());
    const std::uint8_t side_of_missing = best_.missing == 1;
    if (of.kind == CodedColumn::Kind::values) {
      side_of_.assign(size + 1, side_of_missing);
      made.cut = static_cast<std::uint32_t>(tree_.sides.size());
      tree_.sides.resize(tree_.sides.size() + of.known, 2);
      for (std::size_t v = 0; v < best_.ids.size(); ++v) {
        side_of_[best_.ids[v]] = best_.sides[v];
        tree_.sides[made.cut + rows.code(column, best_.ids[v])] = best_.sides[v];
      }
      side_of_[size] = side_of_missing;
      for (std::size_t i = 0; i < node.count; ++i) sides_[i] = side_of_[ids_[i]];
    } else {
      made.cut = rows.code(column, best_.below);
      if (best_.apart) {
        made.limit = infinity;
      } else if (best_.drawn_cut) {
        const std::vector<double>& cuts = of.cuts;
        made.limit = cuts.empty() ? best_.cut : cuts[static_cast<std::size_t>(std::floor(best_.cut))];
      }
      if (!best_.apart)
        unsettled_.push_back({static_cast<std::uint32_t>(tree_.nodes.size() - 1),
                              best_.drawn_cut ? of.known : rows.code(column, best_.above), best_.drawn_cut});
      const std::uint32_t last = best_.below;
      if (best_.missing < 0) {
        for (std::size_t i = 0; i < node.count; ++i) sides_[i] = ids_[i] > last;
      } else {
        for (std::size_t i = 0; i < node.count; ++i) sides_[i] = ids_[i] == size ? side_of_missing : ids_[i] > last;
      }
    }
    weigh(rows, node, made);
    return rows.part(node.begin, node.count, sides_.data());
  }

  // The cuts between two numbers of a node, when all nodes are there: to look numbers up one node at a time is to wait for
  // each. Others than these two may lie between them: which of those the cut leaves below it, rows that were not drawn ask.
  void settle_cuts() {
    std::array<LastNotAbove, searched_abreast> searches;
    for (std::size_t begin = 0; begin < unsettled_.size(); begin += searched_abreast) {
      const std::size_t count = std::min(searched_abreast, unsettled_.size() - begin);
      for (std::size_t i = begin + searched_abreast; i < std::min(unsettled_.size(), begin + 2 * searched_abreast); ++i) {
        const ForestNode& node = tree_.nodes[unsettled_[i].node];
        __builtin_prefetch(columns_[node.column].steps.data() + node.cut);
        __builtin_prefetch(columns_[node.column].steps.data() + unsettled_[i].above);
      }
      bool searching = false;
      for (std::size_t i = 0; i < count; ++i) {
        const Unsettled& each = unsettled_[begin + i];
        ForestNode& node = tree_.nodes[each.node];
        const std::vector<double>&values = columns_[node.column].steps, &cuts = columns_[node.column].cuts;
        if (!each.drawn)
          node.limit = cuts.empty() ? midpoint(values[node.cut], values[each.above])
                                    : cuts[static_cast<std::size_t>(values[node.cut])];
        const bool asked = settings_.out_of_bag && cuts.empty();
        searches[i] = {&values, node.cut, asked ? each.above : node.cut, node.limit};
        searching |= !searches[i].done();
      }
      while (searching) {
        searching = false;
        for (std::size_t i = 0; i < count; ++i) {
          if (searches[i].done()) continue;
          searches[i].step();
          searching |= !searches[i].done();
        }
      }
      for (std::size_t i = 0; i < count; ++i) tree_.nodes[unsettled_[begin + i].node].cut = searches[i].low;
    }
    unsettled_.clear();
  }

  // What goes to each side; the branches' parts of it, and where rows go that no branch takes.
  template <class Rows>
  void weigh(Rows& rows, const Waiting& node, ForestNode& made) {
    const std::size_t width = measure_.width;
    sums_.assign(4 * width, 0.0);
    double* const sums = sums_.data();
    double* const known = sums + 2 * width;
    if (whole_) {
      for (std::size_t i = 0; i < node.count; ++i) {
        const std::uint32_t tag = rows.tag(node.begin + i);
        sums[sides_[i] * width + (tag & 0xFFFF)] += static_cast<std::int32_t>(tag >> 16);
      }
    } else {
      for (std::size_t i = 0; i < node.count; ++i) add(sums + sides_[i] * width, rows.tag(node.begin + i), 0);
    }
    const double weights[2] = {measure_.weight(sums), measure_.weight(sums + width)};
    const double all = weights[0] + weights[1];
    made.left_share = weights[0] / all;
    made.right_share = weights[1] / all;
    double first = weights[0], second = weights[1];
    if (best_.missing >= 0) {
      const std::uint32_t size = rows.size(best_.column);
      for (std::size_t i = 0; i < node.count; ++i)
        if (ids_[i] != size) add(known + sides_[i] * width, rows.tag(node.begin + i), 0);
      first = measure_.weight(known);
      second = measure_.weight(known + width);
    }
    // Values that the node has not met, or too seldom, follow the missing cells where there are such.
    if (columns_[best_.column].kind == CodedColumn::Kind::values && best_.missing >= 0) {
      made.otherwise = static_cast<std::int8_t>(best_.missing);
      return;
    }
    made.otherwise = second > first + tie_part * std::max(first + second, 1e-300) ? 1 : 0;
  }

  void note_constant(std::size_t column) {
    is_constant_[column] = 1;
    constants_.push_back(static_cast<std::uint32_t>(column));
  }

  void forget_constants(std::size_t down_to) {
    while (constants_.size() > down_to) {
      is_constant_[constants_.back()] = 0;
      constants_.pop_back();
    }
  }

  // Not inlined, as the next: among what surrounds their calls the loops would run out of registers.
  template <class Rows>
  [[gnu::noinline]] void sum_values(Rows& rows, const Waiting& node, std::size_t column, double mean) {
    const std::size_t width = measure_.width;
    values_.ids.clear();
    values_.sums.clear();
    values_.missing.assign(width, 0.0);
    values_.any_missing = false;
    const std::uint32_t size = rows.size(column);
    if ((size + 1) * width <= 2 * node.count) {
      // Few values: summed in the order of rows, then those met are put together.
      rows.gather(column, node.begin, node.count, ids_.data());
      std::vector<double>& sums = values_.sums;
      sums.assign((size + 1) * width, 0.0);
      slot_of_.assign(size + 1, 0);
      for (std::size_t i = 0; i < node.count; ++i) {
        add(sums.data() + ids_[i] * width, rows.tag(node.begin + i), mean);
        slot_of_[ids_[i]] = 1;
      }
      if (slot_of_[size]) {
        values_.any_missing = true;
        std::copy_n(sums.begin() + static_cast<std::ptrdiff_t>(size * width), width, values_.missing.begin());
      }
      for (std::uint32_t id = 0; id < size; ++id) {
        if (!slot_of_[id]) continue;
        std::copy_n(sums.begin() + static_cast<std::ptrdiff_t>(id * width), width,
                    sums.begin() + static_cast<std::ptrdiff_t>(values_.ids.size() * width));
        values_.ids.push_back(id);
      }
      sums.resize(values_.ids.size() * width);
      return;
    }
    if (!rows.order(column, node.begin, node.count, ids_.data(), tags_.data())) return;
    for (std::size_t i = 0; i < node.count; ++i) {
      if (ids_[i] == size) {
        values_.any_missing = true;
        add(values_.missing.data(), tags_[i], mean);
        continue;
      }
      if (values_.ids.empty() || values_.ids.back() != ids_[i]) {
        values_.ids.push_back(ids_[i]);
        values_.sums.resize(values_.sums.size() + width, 0.0);
      }
      add(values_.sums.data() + values_.sums.size() - width, tags_[i], mean);
    }
  }

  // Values of few rows at the node go where the missing go: each would be put on the side of its own few rows' chance.
  void set_rare_aside() {
    const std::size_t width = measure_.width;
    std::size_t kept = 0;
    for (std::size_t v = 0; v < values_.ids.size(); ++v) {
      const double* const sums = values_.sums.data() + v * width;
      if (measure_.rows(sums) >= settings_.min_value - 1e-9) {
        std::copy_n(sums, width, values_.sums.data() + kept * width);
        values_.ids[kept++] = values_.ids[v];
      } else {
        values_.any_missing = true;
        for (std::size_t k = 0; k < width; ++k) values_.missing[k] += sums[k];
      }
    }
    values_.ids.resize(kept);
    values_.sums.resize(kept * width);
  }

  template <class Rows>
  [[gnu::noinline]] void ask_drawn_cut(Rows& rows, const Waiting& node, std::size_t column, const double* counts) {
    const std::uint32_t size = rows.size(column);
    rows.gather(column, node.begin, node.count, ids_.data());
    std::uint32_t least = size, most = 0;
    bool any_missing = false, any_known = false;
    for (std::size_t i = 0; i < node.count; ++i) {
      if (ids_[i] == size) {
        any_missing = true;
        continue;
      }
      any_known = true;
      least = std::min(least, ids_[i]);
      most = std::max(most, ids_[i]);
    }
    if (!any_known || (least == most && !any_missing)) return note_constant(column);
    std::uint32_t last = most;
    double cut = 0;
    if (least < most) {
      const std::vector<double>& values = columns_[column].steps;
      const double low = values[rows.code(column, least)], high = values[rows.code(column, most)];
      const double at = clearwood::part(key_after(key_after(node.key, chance_of_cuts), column), 0);
      cut = low * (1 - at) + high * at;
      if (!(low <= cut && cut < high)) cut = low;
      // The last id whose value is not above the cut.
      std::uint32_t above = most;
      for (last = least; above - last > 1;) {
        const std::uint32_t middle = last + (above - last) / 2;
        (values[rows.code(column, middle)] <= cut ? last : above) = middle;
      }
    }
    const double mean = measure_.numbers ? counts[1] : 0.0;
    const std::size_t width = measure_.width;
    std::vector<double>& sums = values_.sums;
    sums.assign(5 * width, 0.0);
    for (std::size_t i = 0; i < node.count; ++i)
      add(sums.data() + (ids_[i] == size ? 2 : ids_[i] > last ? 1 : 0) * width, rows.tag(node.begin + i), mean);
    const double *low = sums.data(), *high = low + width, *missing = high + width;
    double *first = sums.data() + 3 * width, *second = first + width;
    auto offer = [&](int side, bool apart) {
      if (!best_.offer(measure_, first, second, column)) return;
      best_.below = last;
      best_.cut = cut;
      best_.drawn_cut = !apart;
      best_.apart = apart;
      best_.missing = side;
    };
    if (least == most) {
      std::copy_n(low, width, first);
      std::copy_n(missing, width, second);
      return offer(1, true);
    }
    for (int side = 1; side >= (any_missing ? 0 : 1); --side) {
      for (std::size_t k = 0; k < width; ++k) {
        first[k] = side == 0 ? low[k] + missing[k] : low[k];
        second[k] = side == 1 && any_missing ? high[k] + missing[k] : high[k];
      }
      offer(any_missing ? side : -1, false);
    }
  }

  double row_weight(std::uint32_t tag) const { return times_[tag] * draws_.weight(tag); }

  // Inlined: it is called for every row, in loops of their own.
  [[gnu::always_inline]] void add(double* sums, std::uint32_t tag, double mean) const {
    if (whole_) {
      sums[tag & 0xFFFF] += tag >> 16;
    } else if (measure_.numbers) {
      const double weight = row_weight(tag);
      sums[0] += weight;
      sums[1] += weight * (problem_.number_of[tag] - mean);
    } else {
      sums[problem_.class_of[tag]] += row_weight(tag);
    }
  }

  const Problem& problem_;
  const std::vector<CodedColumn>& columns_;
  const RowDraws& draws_;
  const ForestSettings& settings_;
  const StopFlag& stop_;
  ForestMeasure measure_;
  bool whole_ = false;  // this tree: tags are class and weight, and Gini is exact
  std::size_t width_;
  std::vector<std::uint32_t> times_;
  Far far_;
  Near near_;
  ForestTree tree_;
  std::vector<Unsettled> unsettled_;
  std::size_t last_size_ = 0;  // nodes of the tree before
  std::vector<double> waiting_counts_;  // [waiting][width] of classes, found when their parent was parted
  std::vector<double> sums_;            // [side][class], then of the known cells alone
  ForestSplit best_;
  WholeCuts whole_cuts_;
  ValueSums values_;
  std::vector<std::uint32_t> ids_, tags_, table_, slot_of_;
  std::vector<std::uint8_t> sides_, side_of_;
  std::vector<std::uint32_t> order_, swaps_;      // of the columns; which were exchanged
  std::vector<std::uint32_t> constants_;          // columns that are constant from some node above on
  std::vector<std::uint8_t> is_constant_;
};

}  // namespace

std::function<ForestTree(std::size_t, std::vector<std::uint32_t>&)> forest_tree_grower(
    const Problem& problem, const ForestRows& by_row, const RowDraws& draws, const ForestSettings& settings,
    const StopFlag& stop) {
  return [grower = std::make_shared<ForestTreeGrower>(problem, by_row, draws, settings, stop)](
             std::size_t tree, std::vector<std::uint32_t>& times) { return grower->grow(tree, times); };
}

}  // namespace clearwood
