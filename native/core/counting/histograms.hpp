// Histograms: whole numbers of rows added up by code, so that rows may come in any order, batch and thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/codes.hpp"
#include "core/numeric/large_pages.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// Sums of gradients and second derivatives, in whole units.
struct Sum {
  std::int64_t g = 0, h = 0;

  Sum& operator+=(const Sum& other) {
    g += other.g;
    h += other.h;
    return *this;
  }
  Sum& operator-=(const Sum& other) {
    g -= other.g;
    h -= other.h;
    return *this;
  }
  Sum operator+(const Sum& other) const { return {g + other.g, h + other.h}; }
  Sum operator-(const Sum& other) const { return {g - other.g, h - other.h}; }
  bool operator==(const Sum& other) const = default;
  bool none() const { return g == 0 && h == 0; }
};

// Both in one word, the gradient above: one addition adds both. Neither may leave its half, so that numbers of at most
// `packed_bits` bits are added over at most `packed_rows` rows before they are moved into a Sum.
using Word = std::uint64_t;
constexpr int packed_bits = 17;
constexpr std::size_t packed_rows = (std::size_t{1} << (31 - packed_bits)) - 1;
inline Word packed(std::int64_t g, std::int64_t h) { return (static_cast<Word>(g) << 32) + static_cast<Word>(h); }
inline Sum unpacked(Word word) {
  return {static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 32)), static_cast<std::uint32_t>(word)};
}

// What is added of each row: packed, or where that would overflow as two numbers. The unit is the same either way.
struct RowSums {
  const Word* words = nullptr;  // [row], or
  const std::int64_t* g = nullptr;
  const std::int64_t* h = nullptr;

  Sum at(std::size_t row) const { return words != nullptr ? unpacked(words[row]) : Sum{g[row], h[row]}; }
};

// Byte columns that are counted as one, since rows have few combinations of their codes; or one of them by itself.
struct JointColumn {
  struct Move {
    std::uint32_t bin, usual;
  };
  std::vector<std::size_t> columns;
  const std::uint8_t* data = nullptr;   // [row] the number of its combination, or of one column the code
  LargeArray<std::uint8_t> own;         // where the combinations are kept
  std::size_t bins = 0;                 // combinations, or codes
  std::size_t first = 0;                // of one column: its first bin
  std::vector<std::uint32_t> usual;     // of several: the bin of each that most rows have; …
  std::vector<std::uint32_t> start;     // … [combination + 1] and where its others begin in …
  std::vector<Move> moves;              // … this list

  bool alone() const { return columns.size() == 1; }
};

// Coded rows, and where the histogram of each column begins.
struct CodedRows {
  std::size_t rows = 0;
  std::vector<CodedColumn> columns;
  std::vector<std::size_t> offset;  // [column]
  std::size_t bins = 0;
  std::vector<JointColumn> joints;    // of byte columns; empty: each is counted by itself
  LargeArray<std::uint8_t> matrix;  // [row, joint column]: rows picked from all over are read a line each

  static constexpr std::size_t nowhere = ~std::size_t{0};  // the offset of a column that has no histogram
  // Gives every column of at most `widest` codes its place.
  void lay_out(std::size_t widest);
  // Joins byte columns that have a place. A row of ones and zeros for each value of a column is then counted by one
  // addition instead of one for each, and the sums of the columns are those of its combinations: whole numbers, so the same.
  void join(int threads, const StopFlag& stop);
};

// What is counted for some columns: joint columns with one of them, those that stand alone first; and all others.
struct Counted {
  Counted(const CodedRows& coded, const std::vector<std::int32_t>& columns);
  std::vector<std::size_t> joints, others;
};

// Scratch of one thread.
struct HistogramRoom {
  std::vector<Word> words;     // [bin]
  std::vector<Word> gathered;  // [row of a stretch]
  std::vector<Sum> sums;       // [combination]
};

// Adds the rows rows[begin … end) (all of these numbers themselves where `rows` is null) to out [bin], in what is counted;
// a column without a place is left out.
void add_sums(const CodedRows& coded, const RowSums& values, const std::uint32_t* rows, std::size_t begin, std::size_t end,
              const Counted& counted, HistogramRoom& room, Sum* out);

// The same for many regions: out [region, bin]. `region` [row] is below zero where a row is not counted.
void add_region_sums(const CodedRows& coded, const RowSums& values, const std::int32_t* region, std::size_t regions,
                     Sum* out, int threads, const StopFlag& stop);

// out [region, code, class] += units[row], of one column; `units` null: 1 each.
void add_class_counts(const CodedColumn& column, std::size_t rows, const std::int32_t* region, const std::int32_t* classes_of,
                      std::size_t classes, const std::int64_t* units, std::int64_t* out);

}  // namespace clearwood
