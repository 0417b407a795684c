// A Pack: instances and, for every numeric column, their order.
//
// An instance is a row, or a part of a row's weight where a missing value sent it down several branches. A node of the
// tree is a range of a Block: the same range of every column's entries and of the list of instances. Splitting a node
// is a stable partition of that range, so every column stays sorted and no node ever sorts again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/trees/grown.hpp"
#include "core/numeric/parallel.hpp"
#include "core/counting/problem.hpp"
#include "core/numeric/sorting.hpp"

namespace clearwood {

// A nominal column in a pack: 0 is missing, 1 the first value, …; two bytes a row unless there are too many values.
struct CodeColumn {
  std::vector<std::uint16_t> narrow;
  std::vector<std::uint32_t> wide;
  std::uint32_t at(std::size_t row) const { return wide.empty() ? narrow[row] : wide[row]; }
};

// Storage that nodes share: [numeric column][position] entries and [position] instances.
struct Block {
  std::size_t length;
  std::unique_ptr<Entry[]> entries;
  std::unique_ptr<std::uint32_t[]> instances;
  Block(std::size_t size, std::size_t numeric_columns)
      : length(size), entries(std::make_unique_for_overwrite<Entry[]>(size * numeric_columns)),
        instances(std::make_unique_for_overwrite<std::uint32_t[]>(size)) {}
};

// The rows of one node.
struct Range {
  std::shared_ptr<Block> block;
  std::size_t begin = 0;
  std::size_t size = 0;
};

// [branch] the running sum of the shares; the last branch that has one takes what is left.
std::vector<double> ends_of_shares(const std::vector<double>& shares);

class Pack {
 public:
  // All rows of a problem; sorts every numeric column.
  Pack(const Problem& problem, bool keep_values, int threads, const StopFlag& stop);
  // The rows of one node of another pack under numbers of their own, so that a thread can grow it alone and in cache.
  Pack(Pack& from, const Range& range);

  const Problem& problem() const { return *problem_; }
  const Range& all() const { return all_; }

  bool unit() const { return unit_; }  // every instance weighs 1
  // A row of the pack, and the same row of the problem's table.
  std::uint32_t row(std::uint32_t instance) const { return rows_.empty() ? instance : rows_[instance]; }
  std::uint32_t table_row(std::uint32_t instance) const {
    const std::uint32_t own = row(instance);
    return origin_.empty() ? own : origin_[own];
  }
  std::int32_t class_of(std::uint32_t instance) const { return classes_[row(instance)]; }
  std::int32_t code(std::uint32_t instance, int attribute) const {
    return static_cast<std::int32_t>(codes(attribute).at(row(instance))) - 1;
  }
  double number(std::uint32_t instance, int attribute) const {
    return problem_->columns[static_cast<std::size_t>(attribute)].number(table_row(instance));
  }
  double number_of(std::uint32_t instance) const { return problem_->number_of[table_row(instance)]; }
  double weight(std::uint32_t instance) const { return unit_ ? 1.0 : weights_[instance]; }
  const CodeColumn& codes(int attribute) const { return codes_[static_cast<std::size_t>(attribute)]; }
  const std::int32_t* classes() const { return classes_.data(); }  // [row]
  const std::uint32_t* rows() const { return rows_.empty() ? nullptr : rows_.data(); }  // [instance]; null: the same
  const double* weights() const { return weights_.data(); }  // [instance] unless unit

  int class_bits() const { return class_bits_; }
  std::uint32_t rank(Entry entry) const { return static_cast<std::uint32_t>(entry >> 32) >> class_bits_; }
  std::uint32_t missing_rank() const { return 0xFFFFFFFFu >> class_bits_; }
  // The column's number among the numeric ones; −1 for codes.
  int slot(int attribute) const { return slots_[static_cast<std::size_t>(attribute)]; }
  const std::vector<double>& values(int attribute) const {
    return (*sorted_)[static_cast<std::size_t>(attribute)].values;
  }
  bool any_missing(int attribute) const { return (*sorted_)[static_cast<std::size_t>(attribute)].any_missing; }

  const Entry* entries(const Range& range, int attribute) const {
    return range.block->entries.get() + static_cast<std::size_t>(slot(attribute)) * range.block->length + range.begin;
  }
  const std::uint32_t* instances(const Range& range) const { return range.block->instances.get() + range.begin; }
  // How many entries of a node's column are known; they come first.
  std::size_t known(const Range& range, int attribute) const;

  // Where each instance of a node goes under a choice: branch by branch; `shared_branch` for those that go down all.
  // Surrogates and `otherwise` are applied.
  static constexpr std::uint32_t shared_branch = 0xFFFFFFFFu;
  struct Routed {
    std::vector<double> taken;              // [branch] weight of the rows that its own condition takes
    std::vector<double> counts;             // [branch][class] without the shared ones; empty for numbers
    std::vector<double> own;                // the same of the rows that the branch's own condition takes
    std::vector<std::size_t> sizes;         // [branch] instances, without the shared ones
    std::vector<std::uint32_t> shared;      // instances that go down all
  };
  Routed route(const Range& range, const Candidate& choice);
  // The part of a shared instance that goes down a branch, in whole units: counting/engine.py's `part_of`.
  double part(std::uint32_t instance, const std::vector<double>& shares, const std::vector<double>& ends,
              std::size_t b) const {
    return part_of(weight(instance), shares, ends, b);
  }
  std::uint32_t branch(std::uint32_t instance) const {
    if (!by_bits_) return branch_[instance];
    return static_cast<std::uint32_t>(side_[instance >> 6] >> (instance & 63) & 1u) ^ branch_of_zero_;
  }

  // Room for the numbers that packs made from this one give its instances.
  void prepare_to_divide() { part_.resize(std::max(part_.size(), instances_)); }

  // The ranges of the branches after `route`; instances that go down all are divided by `shares`.
  // Branches that may not split get no entries (their size is kept).
  std::vector<Range> split(const Range& range, int branches, const Routed& routed, const std::vector<double>& shares,
                           const std::vector<char>& may_split, int threads);

 private:
  double part_of(double weight, const std::vector<double>& shares, const std::vector<double>& ends, std::size_t b) const;
  void route_cut(const Range& range, const Candidate& choice, Routed& routed);

  const Problem* problem_;
  std::vector<int> slots_;
  std::size_t numeric_ = 0;
  int class_bits_ = 0;
  bool unit_ = true;
  std::size_t instances_ = 0;           // numbers given out
  std::vector<std::uint32_t> rows_;     // [instance]; empty: the instance is the row
  std::vector<std::uint32_t> origin_;   // [row] the problem's row; empty: the same
  std::vector<std::int32_t> classes_;   // [row]
  std::vector<CodeColumn> codes_;       // [attribute], empty for numbers
  std::vector<double> weights_;         // [instance]; empty while unit
  std::vector<std::uint32_t> branch_;   // [instance] of the split at hand, or where every row goes one of two ways,
  std::vector<std::uint64_t> side_;     // a bit per instance, which stays in a near cache
  bool by_bits_ = false;
  std::uint32_t branch_of_zero_ = 0;    // what a clear bit means
  std::vector<std::uint32_t> part_;     // [instance] which of the shared instances, in the split at hand
  std::shared_ptr<std::vector<SortedColumn>> sorted_;
  std::vector<std::vector<Entry>> room_;  // [thread]
  std::vector<std::uint32_t> instance_room_;
  Range all_;
};

// The class of an entry's row: from the entry, where it fits there.
class EntryClass {
 public:
  explicit EntryClass(const Pack& pack)
      : pack_(pack), mask_((1u << pack.class_bits()) - 1), packed_(pack.class_bits() > 0 || pack.problem().classes == 1) {}
  bool packed() const { return packed_; }
  std::uint32_t operator()(Entry entry) const {
    return packed_ ? static_cast<std::uint32_t>(entry >> 32) & mask_
                   : static_cast<std::uint32_t>(pack_.class_of(instance_of(entry)));
  }

 private:
  const Pack& pack_;
  std::uint32_t mask_;
  bool packed_;
};

}  // namespace clearwood
