// The rows of a node and their order by a column. Far: in the table, sorted at each node. Near: a subtree of few rows whose
// columns are sorted once, so that a node's rows come in order by a bit set, and every step stays in the cache.
//
// Of a cell they give an id: from 0 to size(column) − 1 in the order of values, and size(column) if it is missing.
#pragma once
#include <algorithm>
#include <bit>
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

constexpr std::size_t cells_ahead = 32;  // rows: their cells are on the way while others are looked at
constexpr std::size_t few_rows = 64;  // rows whose places are found by comparing each with each, many at a time

inline void insertion_sort(std::uint64_t* keys, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i) {
    const std::uint64_t key = keys[i];
    std::size_t at = i;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

// Stable, by bits [from, from + bits) of the keys; the result is in the first or the other array.
template <class Key>
Key* sort_keys(Key* keys, Key* other, std::size_t count, int from, int bits, std::vector<std::uint32_t>& starts) {
  const int widest = count >= 16384 ? 11 : count >= 1024 ? 10 : 8;
  const int passes = (bits + widest - 1) / widest;
  if (passes == 0) return keys;
  const int digit = (bits + passes - 1) / passes;
  const std::size_t size = std::size_t{1} << digit;
  const auto mask = static_cast<Key>(size - 1);
  starts.assign(size * static_cast<std::size_t>(passes), 0);
  for (std::size_t i = 0; i < count; ++i) {
    Key key = keys[i] >> from;
    for (int pass = 0; pass < passes; ++pass, key >>= digit) ++starts[static_cast<std::size_t>(pass) * size + (key & mask)];
  }
  for (int pass = 0; pass < passes; ++pass) {
    std::uint32_t* const first = starts.data() + static_cast<std::size_t>(pass) * size;
    std::uint32_t start = 0;
    for (std::size_t d = 0; d < size; ++d) start += std::exchange(first[d], start);
    const int shift = from + pass * digit;
    for (std::size_t i = 0; i < count; ++i) other[first[keys[i] >> shift & mask]++] = keys[i];
    std::swap(keys, other);
  }
  return keys;
}

// A tag is what a row brings along: its class and weight, or its number.
class Far {
 public:
  explicit Far(const std::vector<CodedColumn>& columns) : columns_(columns) {}
  // Room for the rows of a tree and their tags, to be written. Where all tags are class and weight, of which the largest
  // is given, they may be sorted in half of the space.
  std::pair<std::uint32_t*, std::uint32_t*> begin(std::size_t rows,
                                                       std::optional<std::pair<std::uint32_t, std::uint32_t>> most) {
    class_bits_ = most ? std::bit_width(most->first) : 0;
    tag_bits_ = most ? class_bits_ + std::bit_width(most->second) : 32;
    if (rows_.size() < rows)
      for (LargeArray<std::uint32_t>* each : {&rows_, &tags_, &more_rows_, &more_tags_})
        *each = LargeArray<std::uint32_t>(rows);
    return {rows_.data(), tags_.data()};
  }

  std::uint32_t size(std::size_t column) const { return columns_[column].known; }
  std::uint32_t code(std::size_t, std::uint32_t id) const { return id; }
  bool any_missing(std::size_t column) const { return columns_[column].any_missing; }
  std::uint32_t row(std::size_t i) const { return rows_[i]; }
  std::uint32_t tag(std::size_t i) const { return tags_[i]; }
  const std::uint32_t* rows(std::size_t begin) const { return rows_.data() + begin; }
  void gather(std::size_t column, std::size_t begin, std::size_t count, std::uint32_t* ids) const {
    const std::uint32_t* const rows = rows_.data() + begin;
    columns_[column].visit([&](const auto* codes) {
      for (std::size_t i = 0; i < count; ++i) ids[i] = codes[rows[i]];
    });
  }

  // False where all cells are alike; nothing is written then.
  bool order(std::size_t column, std::size_t begin, std::size_t count, std::uint32_t* ids, std::uint32_t* tags) {
    if (tag_bits_ == 32 || tag_bits_ + std::bit_width(columns_[column].known) > 32)
      return order_by(room_.keys, room_.other, 32, column, begin, count, ids, tags, [](std::uint32_t tag) { return tag; },
                      [](std::uint64_t low) { return static_cast<std::uint32_t>(low); });
    const int class_bits = class_bits_;
    return order_by(room_.short_keys, room_.short_other, tag_bits_, column, begin, count, ids, tags,
                    [=](std::uint32_t tag) { return tag >> 16 << class_bits | (tag & 0xFFFF); },
                    [=](std::uint32_t low) { return low >> class_bits << 16 | (low & ((1u << class_bits) - 1)); });
  }

  // Rows whose side is 1 go last; both parts keep their order. Returns how many come first.
  std::size_t part(std::size_t begin, std::size_t count, const std::uint8_t* sides) {
    std::uint32_t* const rows = rows_.data() + begin;
    std::uint32_t* const tags = tags_.data() + begin;
    std::size_t left = 0, right = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t row = rows[i], tag = tags[i];
      more_rows_[right] = row;
      more_tags_[right] = tag;
      rows[left] = row;
      tags[left] = tag;
      right += sides[i];
      left += 1 - sides[i];
    }
    std::copy_n(more_rows_.data(), right, rows + left);
    std::copy_n(more_tags_.data(), right, tags + left);
    return left;
  }

 private:
  // A key is a code above its row's tag, which takes so many bits.
  template <class Key, class Pack, class Unpack>
  bool order_by(std::vector<Key>& room, std::vector<Key>& other, int tag_bits, std::size_t column, std::size_t begin,
                std::size_t count, std::uint32_t* ids, std::uint32_t* tags, Pack pack, Unpack unpack) {
    room.resize(count);
    other.resize(count);
    const std::uint32_t* const rows = rows_.data() + begin;
    const std::uint32_t* const given = tags_.data() + begin;
    Key* const keys = room.data();
    std::uint32_t least = ~0u, most = 0;
    columns_[column].visit([&](const auto* codes) {
      for (std::size_t i = 0; i < count; ++i) {
        __builtin_prefetch(codes + rows[std::min(i + cells_ahead, count - 1)]);
        const std::uint32_t code = codes[rows[i]];
        least = std::min(least, code);
        most = std::max(most, code);
        keys[i] = Key{code} << tag_bits | pack(given[i]);
      }
    });
    if (least == most) return false;
    // Only the bits in which the codes differ have to be sorted.
    const Key* const sorted = sort_keys(keys, other.data(), count, tag_bits, std::bit_width(least ^ most), room_.starts);
    const Key all = (Key{1} << tag_bits) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      ids[i] = static_cast<std::uint32_t>(sorted[i] >> tag_bits);
      tags[i] = unpack(sorted[i] & all);
    }
    return true;
  }

  const std::vector<CodedColumn>& columns_;
  LargeArray<std::uint32_t> rows_, tags_, more_rows_, more_tags_;
  int class_bits_ = 0, tag_bits_ = 32;  // of a tag in a short key
  OrderRoom room_;
};

class Near {
 public:
  Near(const std::vector<CodedColumn>& columns, const ForestRows& by_row)
      : columns_(columns), by_row_(by_row), far_rows_(near_rows), tags_(near_rows), rows_(near_rows), more_rows_(near_rows),
        prepared_(columns.size(), 0), sizes_(columns.size(), 0), words_(near_rows / 64, 0), slots_(near_rows) {}

  // The rows of a node of `far`, from now on numbered from 0.
  void begin(const Far& far, std::size_t begin, std::size_t count) {
    count_ = count;
    ++block_;
    for (std::size_t i = 0; i < count; ++i) {
      far_rows_[i] = far.row(begin + i);
      tags_[i] = far.tag(begin + i);
      rows_[i] = static_cast<std::uint16_t>(i);
    }
    const std::size_t cells = columns_.size() * count;
    if (places_.size() < cells) {
      places_.resize(cells);
      ids_.resize(cells);
      codes_.resize(cells);
    }
  }

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
  void gather(std::size_t column, std::size_t begin, std::size_t count, std::uint32_t* ids) {
    prepare(column);
    const std::uint16_t* const places = places_.data() + column * count_;
    const std::uint16_t* const id_of = ids_.data() + column * count_;
    const std::uint16_t* const rows = rows_.data() + begin;
    if (few_values(column)) {
      for (std::size_t i = 0; i < count; ++i) ids[i] = places[rows[i]];
      return;
    }
    for (std::size_t i = 0; i < count; ++i) ids[i] = id_of[places[rows[i]]];
  }

  bool order(std::size_t column, std::size_t begin, std::size_t count, std::uint32_t* ids, std::uint32_t* tags) {
    prepare(column);
    const std::uint16_t* const places = places_.data() + column * count_;
    const std::uint16_t* const id_of = ids_.data() + column * count_;
    const std::uint16_t* const rows = rows_.data() + begin;
    if (count <= few_rows) {
      // Places differ, so a row comes after as many others as have a lower place.
      std::uint16_t here[few_rows], rank[few_rows];
      const bool counted = few_values(column);
      for (std::size_t i = 0; i < count; ++i) here[i] = places[rows[i]];
      if (counted)
        for (std::size_t i = 0; i < count; ++i) here[i] = static_cast<std::uint16_t>(here[i] << 6 | i);
      for (std::size_t i = 0; i < count; ++i) rank[i] = 0;
      for (std::size_t j = 0; j < count; ++j) {
        const std::uint16_t other = here[j];
        for (std::size_t i = 0; i < count; ++i) rank[i] = static_cast<std::uint16_t>(rank[i] + (here[i] > other));
      }
      for (std::size_t i = 0; i < count; ++i) {
        ids[rank[i]] = counted ? here[i] >> 6 : id_of[here[i]];
        tags[rank[i]] = tags_[rows[i]];
      }
      return ids[0] != ids[count - 1];
    }
    if (few_values(column)) {
      std::uint32_t starts[most_counted + 2] = {};
      for (std::size_t i = 0; i < count; ++i) ++starts[places[rows[i]] + 1];
      for (std::size_t id = 0; id <= most_counted; ++id) starts[id + 1] += starts[id];
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t at = starts[places[rows[i]]]++;
        ids[at] = places[rows[i]];
        tags[at] = tags_[rows[i]];
      }
      return ids[0] != ids[count - 1];
    }
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t row = rows[i];
      const std::uint32_t place = places[row];
      words_[place >> 6] |= std::uint64_t{1} << (place & 63);
      used |= std::uint64_t{1} << (place >> 6);
      slots_[place] = tags_[row];
    }
    std::size_t k = 0;
    for (; used; used &= used - 1) {
      const auto word = static_cast<std::size_t>(std::countr_zero(used));
      std::uint64_t bits = words_[word];
      words_[word] = 0;
      for (; bits; bits &= bits - 1) {
        const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        ids[k] = id_of[place];
        tags[k++] = slots_[place];
      }
    }
    return ids[0] != ids[count - 1];
  }

  std::size_t part(std::size_t begin, std::size_t count, const std::uint8_t* sides) {
    std::uint16_t* const rows = rows_.data() + begin;
    std::size_t left = 0, right = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t row = rows[i];
      more_rows_[right] = row;
      rows[left] = row;
      right += sides[i];
      left += 1 - sides[i];
    }
    std::copy_n(more_rows_.begin(), right, rows + left);
    return left;
  }

 private:
  void prepare(std::size_t column) {
    if (prepared_[column] == block_) return;
    prepared_[column] = block_;
    sort(column);
  }
  // Columns of few values are counted, not sorted: their ids are the codes themselves, kept by row.
  bool few_values(std::size_t column) const { return columns_[column].known <= most_counted; }
  void sort(std::size_t column) {
    if (few_values(column)) {
      std::uint16_t* const codes_of_rows = places_.data() + column * count_;
      sizes_[column] = columns_[column].known;
      by_row_.visit([&](const auto* codes) {
        codes += column;
        for (std::size_t i = 0; i < count_; ++i)
          codes_of_rows[i] = static_cast<std::uint16_t>(codes[std::size_t{far_rows_[i]} * by_row_.columns]);
      });
      return;
    }
    room_.keys.resize(near_rows);
    room_.other.resize(near_rows);
    std::uint32_t least = ~0u, most = 0;
    by_row_.visit([&](const auto* codes) {
      codes += column;
      for (std::size_t i = 0; i < count_; ++i) {
        const std::uint32_t code = codes[std::size_t{far_rows_[i]} * by_row_.columns];
        least = std::min(least, code);
        most = std::max(most, code);
        room_.keys[i] = std::uint64_t{code} << 16 | i;
      }
    });
    std::uint64_t* sorted = room_.keys.data();
    if (count_ <= 32) {
      insertion_sort(sorted, count_);
    } else {
      sorted = sort_keys(sorted, room_.other.data(), count_, 16, std::bit_width(least ^ most), room_.starts);
    }
    std::uint16_t* const places = places_.data() + column * count_;
    std::uint16_t* const ids = ids_.data() + column * count_;
    std::uint32_t* const codes = codes_.data() + column * count_;
    const std::uint32_t missing = columns_[column].known;
    std::uint32_t met = 0, last = ~0u;
    for (std::size_t place = 0; place < count_; ++place) {
      const auto code = static_cast<std::uint32_t>(sorted[place] >> 16);
      places[sorted[place] & 0xFFFF] = static_cast<std::uint16_t>(place);
      if (code != last && code != missing) codes[met++] = code;
      last = code;
      ids[place] = static_cast<std::uint16_t>(code == missing ? met : met - 1);
    }
    sizes_[column] = met;
  }

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
