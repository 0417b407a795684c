#include "core/selecting/relieff.hpp"

#include <cmath>
#include <cstdlib>
#include <memory>

#include "core/numeric/wide.hpp"

namespace clearwood {
namespace {

// Missing cells: how much a cell differs on average from the known cells of a class in the same column.

// Of one column. A class without a known cell is taken for all rows; a column without one differs by 0.
class ExpectedDifferences {
 public:
  // `class_of` null: all rows are of one class.
  ExpectedDifferences(const ReliefTask& task, const ReliefColumn& column, const std::int32_t* class_of,
                                           std::int32_t classes)
      : ordered_(column.ordered), unit_(task.unit), by_class_(static_cast<std::size_t>(classes)) {
    for (std::size_t row = 0; row < task.rows; ++row) {
      if (column.cells[row] < 0) continue;
      const Cell cell{column.cells[row], task.weight_of ? task.weight_of[row] : 1.0};
      by_class_[class_of ? static_cast<std::size_t>(class_of[row]) : 0].cells.push_back(cell);
      all_.cells.push_back(cell);
    }
    auto sum_up = [](Known& known) {
      std::vector<Cell>& cells = known.cells;
      std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.value < b.value; });
      std::size_t end = 0;
      for (const Cell& cell : cells) {
        if (end && cells[end - 1].value == cell.value) {
          cells[end - 1].weight += cell.weight;
        } else {
          cells[end++] = cell;
        }
      }
      cells.resize(end);
      known.weight.assign(end + 1, 0.0);
      known.moment.assign(end + 1, 0.0);
      for (std::size_t i = 0; i < end; ++i) {
        known.weight[i + 1] = known.weight[i] + cells[i].weight;
        known.moment[i + 1] = known.moment[i] + cells[i].weight * cells[i].value;
      }
    };
    for (Known& known : by_class_) sum_up(known);
    sum_up(all_);
  }

  // a known cell and a missing one
  std::int32_t of(std::int32_t cell, std::int32_t other_class) const {
    return static_cast<std::int32_t>(std::lround(average(cell, known(other_class))));
  }
  // two missing ones
  std::int32_t of_missing(std::int32_t one_class, std::int32_t other_class) const {
    const Known& one = known(one_class);
    const Known& other = known(other_class);
    if (one.cells.empty()) return 0;
    double sum = 0.0;
    for (const Cell& cell : one.cells) sum += cell.weight * average(cell.value, other);
    return static_cast<std::int32_t>(std::lround(sum / one.weight.back()));
  }

 private:
  struct Cell {
    std::int32_t value;
    double weight;
  };
  // The known cells of a class, equal ones as one, ascending, and their sums up to each.
  struct Known {
    std::vector<Cell> cells;
    std::vector<double> weight, moment;
  };
  const Known& known(std::int32_t one_class) const {
    const Known& known = by_class_[static_cast<std::size_t>(one_class)];
    return known.cells.empty() ? all_ : known;
  }
  double average(std::int32_t cell, const Known& known) const {
    if (known.cells.empty()) return 0.0;
    const auto place = std::lower_bound(known.cells.begin(), known.cells.end(), cell,
                                        [](const Cell& each, std::int32_t value) { return each.value < value; });
    const double total = known.weight.back();
    if (!ordered_) {
      const double same = place != known.cells.end() && place->value == cell ? place->weight : 0.0;
      return unit_ * ((total - same) / total);
    }
    const auto below = static_cast<std::size_t>(place - known.cells.begin());
    const double lower = cell * known.weight[below] - known.moment[below];
    const double upper = known.moment.back() - known.moment[below] - cell * (total - known.weight[below]);
    return (lower + upper) / total;
  }

  bool ordered_;
  std::int32_t unit_;
  std::vector<Known> by_class_;
  Known all_;
};

constexpr std::size_t tile = 512;  // rows whose cells of one column are compared with
constexpr std::size_t block = 16;  // reference rows, so that all their distances stay in the nearest cache
constexpr std::int32_t farthest = std::numeric_limits<std::int32_t>::max();

CLEARWOOD_WIDE void add_ordered(std::int32_t* __restrict distance, const std::int32_t* __restrict cells, std::int32_t cell,
                                std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) distance[i] += std::abs(cells[i] - cell);
}

CLEARWOOD_WIDE void add_nominal(std::int32_t* __restrict distance, const std::int32_t* __restrict cells, std::int32_t cell,
                                std::int32_t unit, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) distance[i] += cells[i] == cell ? 0 : unit;
}

CLEARWOOD_WIDE void add_all(std::int32_t* __restrict distance, const std::int32_t* __restrict differences,
                            std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) distance[i] += differences[i];
}

struct Near {
  std::int32_t distance;
  std::uint32_t row;
  bool operator<(const Near& other) const {
    return distance != other.distance ? distance < other.distance : row < other.row;
  }
};

// The nearest rows that together have the weight wanted: a heap whose top is the farthest of them.
struct Nearest {
  std::vector<Near> rows;
  double wanted = 0.0, weight = 0.0;

  void begin(double weight_wanted) {
    rows.clear();
    wanted = weight_wanted;
    weight = 0.0;
  }
  // The distance from which on no row is near enough, if rows come in their order.
  std::int32_t limit() const { return wanted <= 0 ? 0 : weight >= wanted ? rows.front().distance : farthest; }
  template <class WeightOf>
  void add(const Near& near, const WeightOf& weight_of) {
    rows.push_back(near);
    std::push_heap(rows.begin(), rows.end());
    weight += weight_of(near.row);
    while (weight - weight_of(rows.front().row) >= wanted) {
      std::pop_heap(rows.begin(), rows.end());
      weight -= weight_of(rows.back().row);
      rows.pop_back();
    }
  }
};

// A column with missing cells.
struct Gaps {
  std::vector<std::uint32_t> rows;  // ascending
  std::unique_ptr<ExpectedDifferences> expected;
  std::vector<std::int32_t> to_missing;  // [row] from a missing cell of the class at hand
};

class Search {
 public:
  Search(const ReliefTask& task, const StopFlag& stop) : task_(task), stop_(stop), gaps_(task.columns.size()) {
    classes_ = task.classes ? task.classes : 1;
    if (!task.classes) one_class_.assign(task.rows, 0);
    class_of_ = task.classes ? task.target : one_class_.data();
    share_of_.assign(static_cast<std::size_t>(classes_), 0.0);
    for (std::size_t row = 0; row < task.rows; ++row) share_of_[class_at(row)] += weight(row);
    double total = 0.0;
    for (const double each : share_of_) total += each;
    for (double& each : share_of_) each /= total;
    for (std::size_t c = 0; c < task.columns.size(); ++c) {
      const std::int32_t* const cells = task.columns[c].cells;
      for (std::size_t row = 0; row < task.rows; ++row)
        if (cells[row] < 0) gaps_[c].rows.push_back(static_cast<std::uint32_t>(row));
      if (!gaps_[c].rows.empty())
        gaps_[c].expected = std::make_unique<ExpectedDifferences>(task, task.columns[c], class_of_, classes_);
    }
  }

  std::vector<double> scores(int threads) {
    const std::size_t width = task_.columns.size();
    std::vector<std::vector<std::uint32_t>> by_class(static_cast<std::size_t>(classes_));
    for (std::size_t row = 0; row < task_.references; ++row)
      by_class[class_at(row)].push_back(static_cast<std::uint32_t>(row));
    Sums all(width);
    for (std::size_t c = 0; c < by_class.size(); ++c) {
      const std::vector<std::uint32_t>& references = by_class[c];
      if (references.empty()) continue;
      prepare_class(static_cast<std::int32_t>(c), references);
      const std::size_t blocks = (references.size() + block - 1) / block;
      std::vector<Sums> sums(blocks, Sums(width));
      run_parallel(blocks, threads, [&](std::size_t b, int) {
        const std::size_t begin = b * block;
        compare(references.data() + begin, std::min(block, references.size() - begin), sums[b]);
      });
      // In the order of the blocks: the same sums at any number of threads.
      for (const Sums& each : sums) all.add(each);
    }
    return task_.classes ? all.of_classes() : all.of_numbers();
  }

 private:
  struct Sums {
    explicit Sums(std::size_t width) : column(width, 0.0), together(width, 0.0) {}
    double weight = 0.0;           // of the reference rows
    double target = 0.0;           // differences of the target, where it is a number
    std::vector<double> column;    // [column] differences; of classes, those to misses less those to hits
    std::vector<double> together;  // [column] products of the two

    void add(const Sums& other) {
      weight += other.weight;
      target += other.target;
      for (std::size_t c = 0; c < column.size(); ++c) {
        column[c] += other.column[c];
        together[c] += other.together[c];
      }
    }
    std::vector<double> of_classes() const {
      std::vector<double> scores(column);
      for (double& each : scores) each = weight > 0 ? each / weight : 0.0;
      return scores;
    }
    std::vector<double> of_numbers() const {
      std::vector<double> scores(column.size(), 0.0);
      if (!(target > 0) || !(weight > target)) return scores;
      for (std::size_t c = 0; c < column.size(); ++c)
        scores[c] = together[c] / target - (column[c] - together[c]) / (weight - target);
      return scores;
    }
  };

  std::size_t class_at(std::size_t row) const { return static_cast<std::size_t>(class_of_[row]); }
  double weight(std::size_t row) const { return task_.weight_of ? task_.weight_of[row] : 1.0; }

  // What missing cells of reference rows of this class differ by.
  void prepare_class(std::int32_t one_class, const std::vector<std::uint32_t>& references) {
    for (std::size_t c = 0; c < gaps_.size(); ++c) {
      Gaps& gaps = gaps_[c];
      const std::int32_t* const cells = task_.columns[c].cells;
      gaps.to_missing.clear();
      if (std::none_of(references.begin(), references.end(), [&](std::uint32_t row) { return cells[row] < 0; })) continue;
      check(stop_);
      gaps.to_missing.resize(task_.rows);
      std::vector<std::int32_t> between(static_cast<std::size_t>(classes_), -1);
      for (std::size_t row = 0; row < task_.rows; ++row) {
        if (cells[row] >= 0) {
          gaps.to_missing[row] = gaps.expected->of(cells[row], one_class);
          continue;
        }
        std::int32_t& both = between[class_at(row)];
        if (both < 0) both = gaps.expected->of_missing(one_class, class_of_[row]);
        gaps.to_missing[row] = both;
      }
    }
  }

  struct Reference {
    std::uint32_t row = 0;
    std::vector<Nearest> nearest;                        // [class]
    std::vector<std::int32_t> limit;                     // [class] of each
    std::vector<std::vector<std::int32_t>> to_missing;   // [column][class] from its cell to a missing one
  };

  void compare(const std::uint32_t* rows, std::size_t count, Sums& sums) const {
    std::vector<Reference> references(count);
    for (std::size_t r = 0; r < count; ++r) begin(references[r], rows[r]);
    std::vector<std::int32_t> distances(count * tile);  // [reference][row]
    for (std::size_t start = 0; start < task_.rows; start += tile) {
      check(stop_);
      const std::size_t end = std::min(task_.rows, start + tile);
      std::fill(distances.begin(), distances.end(), 0);
      for (std::size_t c = 0; c < task_.columns.size(); ++c)
        for (std::size_t r = 0; r < count; ++r) measure(references[r], c, start, end, distances.data() + r * tile);
      for (std::size_t r = 0; r < count; ++r) {
        Reference& each = references[r];
        std::int32_t* const distance = distances.data() + r * tile;
        if (each.row >= start && each.row < end) distance[each.row - start] = farthest;
        for (std::size_t row = start; row < end; ++row) {
          const std::size_t its_class = class_at(row);
          if (distance[row - start] >= each.limit[its_class]) continue;
          Nearest& nearest = each.nearest[its_class];
          nearest.add({distance[row - start], static_cast<std::uint32_t>(row)},
                      [&](std::uint32_t near) { return weight(near); });
          each.limit[its_class] = nearest.limit();
        }
      }
    }
    for (Reference& each : references) task_.classes ? add_classes(each, sums) : add_numbers(each, sums);
  }

  void begin(Reference& reference, std::uint32_t row) const {
    reference.row = row;
    reference.nearest.resize(static_cast<std::size_t>(classes_));
    for (std::size_t c = 0; c < reference.nearest.size(); ++c) {
      reference.nearest[c].begin(c == class_at(row) ? task_.neighbours - own_copies(row) : task_.neighbours);
      reference.limit.push_back(reference.nearest[c].limit());
    }
    reference.to_missing.resize(task_.columns.size());
    for (std::size_t c = 0; c < task_.columns.size(); ++c) {
      const std::int32_t cell = task_.columns[c].cells[row];
      if (cell < 0 || gaps_[c].rows.empty()) continue;
      for (std::int32_t k = 0; k < classes_; ++k) reference.to_missing[c].push_back(gaps_[c].expected->of(cell, k));
    }
  }

  // A row of weight 3 has two copies of itself beside it, which differ in nothing.
  double own_copies(std::size_t row) const { return std::clamp(weight(row) - 1.0, 0.0, task_.neighbours); }

  // Adds the differences in one column.
  void measure(const Reference& reference, std::size_t c, std::size_t start, std::size_t end,
               std::int32_t* distance) const {
    const std::size_t rows = end - start;
    const ReliefColumn& column = task_.columns[c];
    const std::int32_t cell = column.cells[reference.row];
    const Gaps& gaps = gaps_[c];
    if (cell < 0) {
      add_all(distance, gaps.to_missing.data() + start, rows);
      return;
    }
    if (column.ordered) {
      add_ordered(distance, column.cells + start, cell, rows);
    } else {
      add_nominal(distance, column.cells + start, cell, task_.unit, rows);
    }
    if (gaps.rows.empty()) return;
    // Missing cells are −1: what that added is taken off again.
    const std::int32_t added = column.ordered ? cell + 1 : task_.unit;
    auto gap = std::lower_bound(gaps.rows.begin(), gaps.rows.end(), static_cast<std::uint32_t>(start));
    for (; gap != gaps.rows.end() && *gap < end; ++gap)
      distance[*gap - start] += reference.to_missing[c][class_at(*gap)] - added;
  }

  double difference(const Reference& reference, std::size_t row, std::size_t c) const {
    const ReliefColumn& column = task_.columns[c];
    const std::int32_t one = column.cells[reference.row];
    const std::int32_t other = column.cells[row];
    if (one < 0) return gaps_[c].to_missing[row];
    if (other < 0) return reference.to_missing[c][class_at(row)];
    return column.ordered ? std::abs(one - other) : one == other ? 0 : task_.unit;
  }

  // The nearest rows with the weight of each that counts, all together 1; `copies` are near rows without a difference.
  template <class Use>
  void each_near(Nearest& nearest, double copies, const Use& use) const {
    std::sort_heap(nearest.rows.begin(), nearest.rows.end());
    const double all = copies + std::min(nearest.wanted, nearest.weight);
    double left = nearest.wanted;
    for (const Near& near : nearest.rows) {
      const double part = std::min(weight(near.row), left);
      left -= part;
      if (part > 0) use(near.row, part / all);
    }
  }

  void add_classes(Reference& reference, Sums& sums) const {
    const std::size_t own = class_at(reference.row);
    const double own_weight = weight(reference.row);
    sums.weight += own_weight;
    for (std::size_t k = 0; k < reference.nearest.size(); ++k) {
      if (reference.nearest[k].rows.empty()) continue;
      const double sign = k == own ? -1.0 : share_of_[k] / (1.0 - share_of_[own]);
      each_near(reference.nearest[k], k == own ? own_copies(reference.row) : 0.0, [&](std::uint32_t row, double part) {
        for (std::size_t c = 0; c < sums.column.size(); ++c)
          sums.column[c] += own_weight * sign * part * difference(reference, row, c) / task_.unit;
      });
    }
  }

  void add_numbers(Reference& reference, Sums& sums) const {
    const double own_weight = weight(reference.row);
    sums.weight += own_weight;
    each_near(reference.nearest[0], own_copies(reference.row), [&](std::uint32_t row, double part) {
      const double apart = std::abs(task_.target[reference.row] - task_.target[row]) / static_cast<double>(task_.unit);
      sums.target += own_weight * part * apart;
      for (std::size_t c = 0; c < sums.column.size(); ++c) {
        const double differs = own_weight * part * difference(reference, row, c) / task_.unit;
        sums.column[c] += differs;
        sums.together[c] += differs * apart;
      }
    });
  }

  const ReliefTask& task_;
  const StopFlag& stop_;
  std::vector<Gaps> gaps_;
  std::int32_t classes_ = 1;
  std::vector<std::int32_t> one_class_;
  const std::int32_t* class_of_ = nullptr;
  std::vector<double> share_of_;
};

}  // namespace

std::vector<double> relieff(const ReliefTask& task, int threads, const StopFlag& stop) {
  if (!task.rows || !task.references) return std::vector<double>(task.columns.size(), 0.0);
  return Search(task, stop).scores(threads);
}

}  // namespace clearwood
