// The rows of a node and their order by a column. Far: in the table, sorted at each node. Near: a subtree of few rows whose
// columns are sorted once, so that a node's rows come in order by a bit set, and every step stays in the cache.
//
// Of a cell they give an id: from 0 to size(column) − 1 in the order of values, and size(column) if it is missing.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/ensembles/forest_rows.hpp"

namespace clearwood {

constexpr std::size_t near_rows = 4096;  // 64 words of 64 bits, so that one word says which of them have a bit

constexpr std::uint32_t most_counted = 32;  // values of a column whose rows are counted by value rather than sorted

struct OrderRoom {
  std::vector<std::uint64_t> keys, other;
  std::vector<std::uint32_t> short_keys, short_other;
  std::vector<std::uint32_t> starts;
};

// A tag is what a row brings along: its class and weight, or its number.
class Far {
 public:
  explicit Far(const std::vector<CodedColumn>& columns) : columns_(columns) {}
  // Room for the rows of a tree and their tags, to be written. Where all tags are class and weight, of which the largest
  // is given, they may be sorted in half of the space.
  std::pair<std::uint32_t*, std::uint32_t*> begin(std::size_t rows, std::optional<std::pair<std::uint32_t, std::uint32_t>> most);

  std::uint32_t size(std::size_t column) const { return columns_[column].known; }
  std::uint32_t code(std::size_t, std::uint32_t id) const { return id; }
  bool any_missing(std::size_t column) const { return columns_[column].any_missing; }
  std::uint32_t row(std::size_t i) const { return rows_[i]; }
  std::uint32_t tag(std::size_t i) const { return tags_[i]; }
  const std::uint32_t* rows(std::size_t begin) const { return rows_.data() + begin; }
  void gather(std::size_t column, std::size_t begin, std::size_t count, std::uint32_t* ids) const;
  // False where all cells are alike; nothing is written then.
  bool order(std::size_t column, std::size_t begin, std::size_t count, std::uint32_t* ids, std::uint32_t* tags);
  // Rows whose side is 1 go last; both parts keep their order. Returns how many come first.
  std::size_t part(std::size_t begin, std::size_t count, const std::uint8_t* sides);

 private:
  const std::vector<CodedColumn>& columns_;
  template <class Key, class Pack, class Unpack>
  bool order_by(std::vector<Key>& room, std::vector<Key>& other, int tag_bits, std::size_t column, std::size_t begin,
                std::size_t count, std::uint32_t* ids, std::uint32_t* tags, Pack pack, Unpack unpack);

  LargeArray<std::uint32_t> rows_, tags_, more_rows_, more_tags_;
  int class_bits_ = 0, tag_bits_ = 32;  // of a tag in a short key
  OrderRoom room_;
};

class Near {
 public:
  Near(const std::vector<CodedColumn>& columns, const ForestRows& by_row);
  // The rows of a node of `far`, from now on numbered from 0.
  void begin(const Far& far, std::size_t begin, std::size_t count);

  std::uint32_t size(std::size_t column) {
    prepare(column);
    return sizes_[column];
  }
  std::uint32_t code(std::size_t column, std::uint32_t id) const {
    return few_values(column) ? id : codes_[column * count_ + id];
  }
  bool any_missing(std::size_t column) const { return columns_[column].any_missing; }
  std::uint32_t row(std::size_t i) const { return far_rows_[rows_[i]]; }
  std::uint32_t tag(std::size_t i) const { return tags_[rows_[i]]; }
  void gather(std::size_t column, std::size_t begin, std::size_t count, std::uint32_t* ids);
  bool order(std::size_t column, std::size_t begin, std::size_t count, std::uint32_t* ids, std::uint32_t* tags);
  std::size_t part(std::size_t begin, std::size_t count, const std::uint8_t* sides);

 private:
  void prepare(std::size_t column) {
    if (prepared_[column] == block_) return;
    prepared_[column] = block_;
    sort(column);
  }
  // Columns of few values are counted, not sorted: their ids are the codes themselves, kept by row.
  bool few_values(std::size_t column) const { return columns_[column].known <= most_counted; }
  void sort(std::size_t column);

  const std::vector<CodedColumn>& columns_;
  const ForestRows& by_row_;
  std::size_t count_ = 0;
  std::uint32_t block_ = 0;
  std::vector<std::uint32_t> far_rows_, tags_;    // [row]
  std::vector<std::uint16_t> rows_, more_rows_;   // [place]
  std::vector<std::uint32_t> prepared_, sizes_;   // [column] the block it was prepared for; number of ids
  std::vector<std::uint16_t> places_, ids_;       // [column][row] its place in the column's order (or its code); [column][place] id
  std::vector<std::uint32_t> codes_;              // [column][id]
  std::vector<std::uint64_t> words_;              // bits of places, all 0 between calls
  std::vector<std::uint32_t> slots_;              // [place] tag
  OrderRoom room_;
};

}  // namespace clearwood
