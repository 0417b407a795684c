#include "core/ensembles/boosted_tree.hpp"

#include <mutex>
#include <numeric>
#include <queue>

namespace clearwood {
namespace {

constexpr std::size_t counted_at_once = 2 * packed_rows;  // rows of a job
constexpr std::size_t divided_at_once = 32768;
constexpr std::size_t most_bytes = std::size_t{256} << 20;  // of histograms kept to spare their counting below

std::vector<std::int32_t> places_of(const std::vector<SplitColumn>& columns) {
  std::vector<std::int32_t> places;
  for (const SplitColumn& column : columns) places.push_back(column.place);
  return places;
}

class BoostedTreeGrower {
 public:
  BoostedTreeGrower(const CodedRows& coded, const RowSums& values, const std::vector<SplitColumn>& columns,
                    const TreeRules& rules, TreeRoom& room, int threads, const StopFlag& stop)
      : coded_(coded), values_(values), columns_(columns), rules_(rules), threads_(threads), stop_(stop),
        counted_(coded, places_of(columns)), room_(room),
        rooms_(static_cast<std::size_t>(std::max(1, threads))),
        most_kept_(std::max<std::size_t>(4, most_bytes / (sizeof(Sum) * std::max<std::size_t>(1, coded.bins)))) {
    for (const SplitColumn& column : columns) groups_ |= column.grouped() && rules.gain.min_value > 0.0;
    for (std::size_t place = room.histograms.size(); place-- > 0;) free_.push_back(static_cast<std::int32_t>(place));
  }

  BoostedTree grow(const std::vector<std::uint32_t>* sample) {
    in_order_ = sample == nullptr;
    if (room_.index.size() < coded_.rows) {
      room_.index = LargeArray<std::uint32_t>(coded_.rows);
      room_.divided = LargeArray<std::uint32_t>(coded_.rows);
    }
    tree_.index = {room_.index.data(), in_order_ ? coded_.rows : sample->size()};
    if (in_order_) {
      std::iota(tree_.index.begin(), tree_.index.end(), 0u);
    } else {
      std::copy(sample->begin(), sample->end(), tree_.index.begin());
    }
    begin_root();
    if (rules_.leaves > 0) {
      best_first();
    } else {
      level_by_level();
    }
    cut_by_gamma();
    return std::move(tree_);
  }

 private:
  struct Family {  // the branches of a split
    std::int32_t left, right;
    bool left_open, right_open;
    std::int32_t subtracted;  // the branch that has its parent's histogram still, less its sibling's; −1: neither has
  };
  int threads_for(std::size_t steps) const { return steps < small_work ? 1 : threads_; }

  void begin_root() {
    BoostedNode root;
    root.end = tree_.index.size();
    tree_.nodes.push_back(std::move(root));
    count({0});
    BoostedNode& node = tree_.nodes[0];
    std::size_t first = 0;
    while (first < columns_.size() && coded_.offset[static_cast<std::size_t>(columns_[first].place)] == CodedRows::nowhere) ++first;
    if (first < columns_.size()) {
      const auto c = static_cast<std::size_t>(columns_[first].place);
      const Sum* const bins = bins_of(0, c);
      for (std::size_t bin = 0; bin < coded_.columns[c].bins(); ++bin) node.total += bins[bin];
    } else {
      for (const std::uint32_t row : tree_.index) node.total += values_.at(row);
    }
    weigh(node);
    if (is_open(node)) search({{0, 0, true, false, -1}});
  }

  void weigh(BoostedNode& node) const {
    if (rules_.weights == nullptr) {
      node.weight = static_cast<double>(node.end - node.begin);
    } else if (groups_) {
      for (std::size_t i = node.begin; i < node.end; ++i) node.weight += rules_.weights[tree_.index[i]];
    }
  }

  bool is_open(const BoostedNode& node) const {
    return (rules_.max_depth < 0 || node.depth < rules_.max_depth) && node.end - node.begin > 1 && !columns_.empty() &&
           rules_.gain.h(node.total) >= 2.0 * rules_.gain.min_child;
  }

  void level_by_level() {
    std::vector<std::int32_t> level{0};
    while (!level.empty()) {
      std::vector<std::int32_t> next;
      for (std::size_t from = 0; from < level.size(); from += most_kept_ / 2) {
        std::vector<std::int32_t> split;
        for (std::size_t i = from; i < std::min(level.size(), from + most_kept_ / 2); ++i) {
          BoostedNode& node = tree_.nodes[static_cast<std::size_t>(level[i])];
          if (node.split.column >= 0) {
            split.push_back(level[i]);
          } else {
            release(node);
          }
        }
        const auto first = static_cast<std::int32_t>(tree_.nodes.size());
        if (!split.empty()) expand(split);
        for (auto node = first; node < static_cast<std::int32_t>(tree_.nodes.size()); ++node) next.push_back(node);
      }
      level = std::move(next);
    }
  }

  void best_first() {
    // Of equal gains the older leaf.
    const auto worse = [&](std::int32_t a, std::int32_t b) {
      const double of_a = tree_.nodes[static_cast<std::size_t>(a)].split.gain;
      const double of_b = tree_.nodes[static_cast<std::size_t>(b)].split.gain;
      return of_a != of_b ? of_a < of_b : a > b;
    };
    std::priority_queue<std::int32_t, std::vector<std::int32_t>, decltype(worse)> waiting(worse);
    const auto wait = [&](std::int32_t node) {
      if (tree_.nodes[static_cast<std::size_t>(node)].split.column >= 0) waiting.push(node);
    };
    wait(0);
    for (std::size_t leaves = 1; leaves < rules_.leaves && !waiting.empty(); ++leaves) {
      const std::int32_t node = waiting.top();
      waiting.pop();
      expand({node});
      wait(tree_.nodes[static_cast<std::size_t>(node)].left);
      wait(tree_.nodes[static_cast<std::size_t>(node)].right);
    }
  }

  void expand(const std::vector<std::int32_t>& split) {
    std::vector<std::size_t> lefts(split.size());
    divide(split, lefts);
    std::vector<Family> families;
    std::vector<std::int32_t> counted;
    for (std::size_t i = 0; i < split.size(); ++i) {
      add_branches(split[i], lefts[i]);
      BoostedNode& parent = tree_.nodes[static_cast<std::size_t>(split[i])];
      BoostedNode& left = tree_.nodes[static_cast<std::size_t>(parent.left)];
      BoostedNode& right = tree_.nodes[static_cast<std::size_t>(parent.right)];
      Family family{parent.left, parent.right, is_open(left), is_open(right), -1};
      if (!family.left_open && !family.right_open) {
        release(parent);
        continue;
      }
      const bool left_smaller = left.end - left.begin <= right.end - right.begin;
      const std::int32_t smaller = left_smaller ? family.left : family.right;
      const std::int32_t larger = left_smaller ? family.right : family.left;
      const bool larger_open = left_smaller ? family.right_open : family.left_open;
      if (larger_open && parent.histogram >= 0) {
        // The larger branch's sums are what the smaller's leave of the parent's.
        counted.push_back(smaller);
        tree_.nodes[static_cast<std::size_t>(larger)].histogram = std::exchange(parent.histogram, -1);
        family.subtracted = larger;
      } else {
        release(parent);
        if (larger_open) counted.push_back(larger);
        if (left_smaller ? family.left_open : family.right_open) counted.push_back(smaller);
      }
      families.push_back(family);
    }
    count(counted);
    search(families);
  }

  void add_branches(std::int32_t place, std::size_t lefts) {
    BoostedNode left, right;
    {
      const BoostedNode& node = tree_.nodes[static_cast<std::size_t>(place)];
      left.depth = right.depth = node.depth + 1;
      left.begin = node.begin;
      left.end = right.begin = node.begin + lefts;
      right.end = node.end;
      left.total = node.split.left_sum;
      right.total = node.total - node.split.left_sum;
      left.limits = right.limits = node.limits;
      weigh(left);
      weigh(right);
      if (!rules_.together.empty()) {
        left.asked = node.asked;
        if (std::find(left.asked.begin(), left.asked.end(), node.split.column) == left.asked.end())
          left.asked.push_back(node.split.column);
        right.asked = left.asked;
      }
      const auto column = std::find_if(columns_.begin(), columns_.end(),
                                       [&](const SplitColumn& each) { return each.place == node.split.column; });
      if (column->monotone != 0) {
        const GainRules& rules = rules_.gain;
        const double middle = 0.5 * (rules.step(left.total, rules.l2, node.limits) + rules.step(right.total, rules.l2, node.limits));
        (column->monotone > 0 ? left.limits.high : left.limits.low) = middle;
        (column->monotone > 0 ? right.limits.low : right.limits.high) = middle;
      }
    }
    const auto first = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes[static_cast<std::size_t>(place)].left = first;
    tree_.nodes[static_cast<std::size_t>(place)].right = first + 1;
    tree_.nodes.push_back(std::move(left));
    tree_.nodes.push_back(std::move(right));
  }

  void count(const std::vector<std::int32_t>& nodes) {
    struct Job {
      std::int32_t node;
      std::size_t begin, end;
      bool alone;
      std::mutex* guard;
    };
    std::vector<Job> jobs;
    std::vector<std::mutex> guards(nodes.size());
    std::size_t steps = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      BoostedNode& node = tree_.nodes[static_cast<std::size_t>(nodes[i])];
      node.histogram = new_histogram();
      steps += (node.end - node.begin) * (counted_.joints.size() + counted_.others.size());
      for (std::size_t from = node.begin; from < node.end; from += counted_at_once) {
        const std::size_t to = std::min(node.end, from + counted_at_once);
        jobs.push_back({nodes[i], from, to, to - from == node.end - node.begin, &guards[i]});
      }
    }
    std::vector<std::vector<Sum>> own(rooms_.size());
    run_parallel(jobs.size(), threads_for(steps), [&](std::size_t j, int thread) {
      check(stop_);
      const Job& job = jobs[j];
      const BoostedNode& node = tree_.nodes[static_cast<std::size_t>(job.node)];
      Sum* const out = room_.histograms[static_cast<std::size_t>(node.histogram)].get();
      const std::uint32_t* const rows = in_order_ && job.node == 0 ? nullptr : tree_.index.data();
      HistogramRoom& room = rooms_[static_cast<std::size_t>(thread)];
      if (job.alone) return add_sums(coded_, values_, rows, job.begin, job.end, counted_, room, out);
      std::vector<Sum>& mine = own[static_cast<std::size_t>(thread)];
      mine.assign(coded_.bins, Sum{});
      add_sums(coded_, values_, rows, job.begin, job.end, counted_, room, mine.data());
      const std::lock_guard lock(*job.guard);
      for (std::size_t bin = 0; bin < coded_.bins; ++bin) out[bin] += mine[bin];
    });
  }

  void search(const std::vector<Family>& families) {
    const std::size_t width = columns_.size();
    std::vector<BoostedSplit> best(2 * families.size() * width);
    std::vector<std::vector<Bin>> bins(rooms_.size());
    std::vector<std::vector<Sum>> dense(rooms_.size());
    std::vector<std::vector<std::uint8_t>> allowed(rules_.together.empty() ? 0 : 2 * families.size());
    for (std::size_t i = 0; i < allowed.size(); ++i)
      allowed[i] = allowed_at(i % 2 == 0 ? families[i / 2].left : families[i / 2].right);
    std::size_t steps = 4 * families.size() * coded_.bins;
    for (const SplitColumn& column : columns_)
      if (coded_.offset[static_cast<std::size_t>(column.place)] == CodedRows::nowhere) steps += small_work;
    run_parallel(families.size() * width, threads_for(steps), [&](std::size_t job, int thread) {
      check(stop_);
      const std::size_t f = job / width, c = job % width;
      const Family& family = families[f];
      const auto place = static_cast<std::size_t>(columns_[c].place);
      if (family.subtracted >= 0 && coded_.offset[place] != CodedRows::nowhere) {
        const std::int32_t other = family.subtracted == family.left ? family.right : family.left;
        Sum* const from = bins_of(family.subtracted, place);
        const Sum* const part = bins_of(other, place);
        for (std::size_t bin = 0; bin < coded_.columns[place].bins(); ++bin) from[bin] = from[bin] - part[bin];
      }
      for (std::size_t side = 0; side < 2; ++side) {
        const std::size_t which = 2 * f + side;
        if (!(side == 0 ? family.left_open : family.right_open)) continue;
        if (!allowed.empty() && allowed[which][place] == 0) continue;
        search_column(side == 0 ? family.left : family.right, columns_[c], bins[static_cast<std::size_t>(thread)],
                      dense[static_cast<std::size_t>(thread)], best[which * width + c]);
      }
    });
    for (std::size_t which = 0; which < 2 * families.size(); ++which) {
      const Family& family = families[which / 2];
      if (family.left == family.right && which % 2 == 1) continue;  // the root has no sibling
      BoostedNode& node = tree_.nodes[static_cast<std::size_t>(which % 2 == 0 ? family.left : family.right)];
      for (std::size_t c = 0; c < width; ++c)
        if (BoostedSplit& each = best[which * width + c]; each.column >= 0 && each.gain > node.split.gain) node.split = std::move(each);
      if (node.split.column < 0 || kept_ > most_kept_) release(node);
    }
  }

  void search_column(std::int32_t place, const SplitColumn& split, std::vector<Bin>& bins, std::vector<Sum>& dense,
                     BoostedSplit& best) {
    const BoostedNode& node = tree_.nodes[static_cast<std::size_t>(place)];
    const auto c = static_cast<std::size_t>(split.place);
    const CodedColumn& column = coded_.columns[c];
    bins.clear();
    Sum missing;
    const auto keep = [&](const Sum* sums) {
      for (std::uint32_t code = 0; code < column.known; ++code)
        if (!sums[code].none()) bins.push_back({code, sums[code]});
      missing = sums[column.known];
    };
    if (coded_.offset[c] != CodedRows::nowhere) {
      keep(bins_of(place, c));
    } else if (8 * (node.end - node.begin) > column.bins()) {
      dense.assign(column.bins(), Sum{});
      for (std::size_t i = node.begin; i < node.end; ++i) dense[column.at(tree_.index[i])] += values_.at(tree_.index[i]);
      keep(dense.data());
    } else {
      // Few rows of a column of many codes: those that occur, in order.
      std::vector<std::uint64_t> cells;
      for (std::size_t i = node.begin; i < node.end; ++i)
        cells.push_back(static_cast<std::uint64_t>(column.at(tree_.index[i])) << 32 | tree_.index[i]);
      std::sort(cells.begin(), cells.end());
      for (std::size_t i = 0; i < cells.size();) {
        const auto code = static_cast<std::uint32_t>(cells[i] >> 32);
        Sum sum;
        for (; i < cells.size() && cells[i] >> 32 == code; ++i) sum += values_.at(static_cast<std::uint32_t>(cells[i]));
        if (code == column.known) {
          missing = sum;
        } else if (!sum.none()) {
          bins.push_back({code, sum});
        }
      }
    }
    better_split(split, bins, missing, node.total, node.weight, rules_.gain, node.limits, best);
  }

  std::vector<std::uint8_t> allowed_at(std::int32_t place) const {
    const std::vector<std::int32_t>& asked = tree_.nodes[static_cast<std::size_t>(place)].asked;
    std::vector<std::uint8_t> allowed(coded_.columns.size(), asked.empty());
    for (const std::int32_t column : asked) allowed[static_cast<std::size_t>(column)] = 1;
    for (const auto& group : rules_.together) {
      const auto in_group = [&](std::int32_t column) { return std::find(group.begin(), group.end(), column) != group.end(); };
      if (!std::all_of(asked.begin(), asked.end(), in_group)) continue;
      for (const std::int32_t column : group) allowed[static_cast<std::size_t>(column)] = 1;
    }
    return allowed;
  }

  std::int32_t new_histogram() {
    ++kept_;
    if (free_.empty()) {
      free_.push_back(static_cast<std::int32_t>(room_.histograms.size()));
      room_.histograms.push_back(std::make_unique_for_overwrite<Sum[]>(coded_.bins));
    }
    const std::int32_t place = free_.back();
    free_.pop_back();
    std::fill_n(room_.histograms[static_cast<std::size_t>(place)].get(), coded_.bins, Sum{});
    return place;
  }

  Sum* bins_of(std::int32_t node, std::size_t column) {
    const std::int32_t place = tree_.nodes[static_cast<std::size_t>(node)].histogram;
    return room_.histograms[static_cast<std::size_t>(place)].get() + coded_.offset[column];
  }

  void release(BoostedNode& node) {
    if (node.histogram < 0) return;
    free_.push_back(std::exchange(node.histogram, -1));
    --kept_;
  }

  void cut_by_gamma() {
    if (rules_.gamma <= 0.0) return;
    for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
      BoostedNode& node = tree_.nodes[i];
      if (node.is_leaf() || node.split.gain >= rules_.gamma) continue;
      BoostedNode& left = tree_.nodes[static_cast<std::size_t>(node.left)];
      BoostedNode& right = tree_.nodes[static_cast<std::size_t>(node.right)];
      if (!left.is_leaf() || !right.is_leaf()) continue;
      left.end = left.begin, right.end = right.begin;  // their rows are the node's alone again
      node.left = node.right = -1;
    }
  }

  // A split's rows to their sides, in order: stretches are divided side by side, then moved to where they belong.
  void divide(const std::vector<std::int32_t>& split, std::vector<std::size_t>& lefts) {
    struct Job {
      std::size_t family, begin, end, lefts;
      bool alone;
    };
    std::vector<Job> jobs;
    std::size_t steps = 0;
    for (std::size_t i = 0; i < split.size(); ++i) {
      BoostedNode& node = tree_.nodes[static_cast<std::size_t>(split[i])];
      const std::uint32_t known = coded_.columns[static_cast<std::size_t>(node.split.column)].known;
      if (node.split.grouped) {
        node.to_left.assign(known + 1u, node.split.missing_left);
        for (const std::uint32_t code : node.split.left) node.to_left[code] = 1;
        for (const std::uint32_t code : node.split.right) node.to_left[code] = 0;
      }
      steps += 4 * (node.end - node.begin);
      for (std::size_t from = node.begin; from < node.end; from += divided_at_once) {
        const std::size_t to = std::min(node.end, from + divided_at_once);
        jobs.push_back({i, from, to, 0, to - from == node.end - node.begin});
      }
    }
    std::uint32_t* const index = tree_.index.data();
    std::uint32_t* const room = room_.divided.data();
    std::vector<std::vector<std::uint32_t>> aside(rooms_.size());
    // Lefts to the front of the job's room and rights behind them, both in order: each row is written to both sides, and
    // counts on one.
    const auto part = [&](Job& job, std::vector<std::uint32_t>& rights, const auto* codes, const auto& goes_left) {
      rights.resize(divided_at_once);
      std::uint32_t* left = room + job.begin;
      std::uint32_t* right = rights.data();
      for (std::size_t i = job.begin; i < job.end; ++i) {
        const std::uint32_t row = index[i];
        const std::size_t goes = goes_left(codes[row]);
        *left = row;
        *right = row;
        left += goes;
        right += 1 - goes;
      }
      std::copy(rights.data(), right, left);
      job.lefts = static_cast<std::size_t>(left - (room + job.begin));
    };
    const auto part_by = [&](Job& job, std::vector<std::uint32_t>& rights, const auto* codes, const BoostedNode& node,
                             std::uint32_t known) {
      if (node.split.grouped) {
        const std::uint8_t* const to_left = node.to_left.data();
        part(job, rights, codes, [=](std::uint32_t code) -> std::size_t { return to_left[code]; });
      } else if (const std::uint32_t last = node.split.last; node.split.missing_left) {
        part(job, rights, codes, [=](std::uint32_t code) -> std::size_t { return (code <= last) | (code == known); });
      } else {
        part(job, rights, codes, [=](std::uint32_t code) -> std::size_t { return code <= last; });
      }
    };
    const int threads = threads_for(steps);
    run_parallel(jobs.size(), threads, [&](std::size_t j, int thread) {
      check(stop_);
      Job& job = jobs[j];
      const BoostedNode& node = tree_.nodes[static_cast<std::size_t>(split[job.family])];
      std::vector<std::uint32_t>& rights = aside[static_cast<std::size_t>(thread)];
      const CodedColumn& column = coded_.columns[static_cast<std::size_t>(node.split.column)];
      column.visit([&](const auto* codes) { part_by(job, rights, codes, node, column.known); });
      if (!job.alone) return;
      std::copy(room + job.begin, room + job.end, index + job.begin);
    });
    std::vector<std::size_t> to_left(jobs.size()), to_right(jobs.size());
    for (const Job& job : jobs) lefts[job.family] += job.lefts;
    for (std::size_t j = 0, left = 0, right = 0; j < jobs.size(); ++j) {
      const BoostedNode& node = tree_.nodes[static_cast<std::size_t>(split[jobs[j].family])];
      if (jobs[j].begin == node.begin) left = node.begin, right = node.begin + lefts[jobs[j].family];
      to_left[j] = left, to_right[j] = right;
      left += jobs[j].lefts;
      right += jobs[j].end - jobs[j].begin - jobs[j].lefts;
    }
    if (std::all_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.alone; })) return;
    run_parallel(jobs.size(), threads, [&](std::size_t j, int) {
      const Job& job = jobs[j];
      if (job.alone) return;
      std::copy(room + job.begin, room + job.begin + job.lefts, index + to_left[j]);
      std::copy(room + job.begin + job.lefts, room + job.end, index + to_right[j]);
    });
  }

  const CodedRows& coded_;
  const RowSums& values_;
  const std::vector<SplitColumn>& columns_;
  const TreeRules& rules_;
  const int threads_;
  const StopFlag& stop_;
  const Counted counted_;
  BoostedTree tree_;
  bool groups_ = false;    // are there columns whose values are grouped?
  bool in_order_ = false;  // the root's rows are all rows
  TreeRoom& room_;
  std::vector<HistogramRoom> rooms_;
  std::vector<std::int32_t> free_;
  std::size_t kept_ = 0, most_kept_ = 0;
};

}  // namespace

BoostedTree grow_boosted_tree(const CodedRows& coded, const RowSums& values, const std::vector<SplitColumn>& columns,
                              const TreeRules& rules, const std::vector<std::uint32_t>* sample, TreeRoom& room, int threads,
                              const StopFlag& stop) {
  return BoostedTreeGrower(coded, values, columns, rules, room, threads, stop).grow(sample);
}

}  // namespace clearwood
