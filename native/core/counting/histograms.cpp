#include "core/counting/histograms.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace clearwood {
namespace {

constexpr std::size_t byte_bins = 256;
constexpr std::size_t ahead = 24;  // rows sent for before they are needed
constexpr std::size_t at_once = 4;  // byte columns

template <class Code>
void add_words(const Code* codes, const std::uint32_t* rows, std::size_t begin, std::size_t count, const Word* words,
               Word* out) {
  if (rows == nullptr) {
    for (std::size_t i = 0; i < count; ++i) out[codes[begin + i]] += words[i];
  } else {
    for (std::size_t i = 0; i < count; ++i) out[codes[rows[begin + i]]] += words[i];
  }
}

void add_words(const CodedColumn& column, const std::uint32_t* rows, std::size_t begin, std::size_t count, const Word* words,
               Word* out) {
  switch (column.bytes) {
    case 1:
      return add_words(static_cast<const std::uint8_t*>(column.data), rows, begin, count, words, out);
    case 2:
      return add_words(static_cast<const std::uint16_t*>(column.data), rows, begin, count, words, out);
    default:
      return add_words(static_cast<const std::uint32_t*>(column.data), rows, begin, count, words, out);
  }
}

template <class Code>
void add_each(const Code* codes, const RowSums& values, const std::uint32_t* rows, std::size_t begin, std::size_t end,
              Sum* out) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = rows != nullptr ? rows[i] : i;
    out[codes[row]] += values.at(row);
  }
}

void add_each(const CodedColumn& column, const RowSums& values, const std::uint32_t* rows, std::size_t begin,
              std::size_t end, Sum* out) {
  switch (column.bytes) {
    case 1:
      return add_each(static_cast<const std::uint8_t*>(column.data), values, rows, begin, end, out);
    case 2:
      return add_each(static_cast<const std::uint16_t*>(column.data), values, rows, begin, end, out);
    default:
      return add_each(static_cast<const std::uint32_t*>(column.data), values, rows, begin, end, out);
  }
}

// Four byte columns side by side: a word is read once for all, and a bin is seldom added to twice in a row.
void add_words_of_four(const std::uint8_t* const* codes, std::size_t count, const Word* words, Word* out) {
  const std::uint8_t *const first = codes[0], *const second = codes[1], *const third = codes[2], *const fourth = codes[3];
  for (std::size_t i = 0; i < count; ++i) {
    const Word word = words[i];
    out[first[i]] += word;
    out[byte_bins + second[i]] += word;
    out[2 * byte_bins + third[i]] += word;
    out[3 * byte_bins + fourth[i]] += word;
  }
}

// Rows that lie row by row: `places` are the bytes to read, out [place, 256].
void add_lines(const CodedRows& coded, const Word* words, const std::uint32_t* rows, std::size_t count,
               const std::vector<std::size_t>& places, Word* out) {
  const std::size_t width = places.size();
  const std::size_t* const place = places.data();
  const bool all = width > 0 && places.back() + 1 == width;
  for (std::size_t i = 0; i < count; ++i) {
    if (i + ahead < count) {
      const std::size_t next = rows[i + ahead];
      __builtin_prefetch(words + next);
      __builtin_prefetch(coded.matrix + next * coded.stride);
      __builtin_prefetch(coded.matrix + (next + 1) * coded.stride - 1);
    }
    const std::uint8_t* const line = coded.matrix + rows[i] * coded.stride;
    const Word word = words[rows[i]];
    if (all) {
      std::size_t j = 0;
      for (Word* at = out; j + 4 <= width; j += 4, at += 4 * byte_bins) {
        at[line[j]] += word;
        at[byte_bins + line[j + 1]] += word;
        at[2 * byte_bins + line[j + 2]] += word;
        at[3 * byte_bins + line[j + 3]] += word;
      }
      for (; j < width; ++j) out[j * byte_bins + line[j]] += word;
    } else {
      for (std::size_t j = 0; j < width; ++j) out[j * byte_bins + line[place[j]]] += word;
    }
  }
}

void move_words(const Word* words, std::size_t bins, Sum* out) {
  for (std::size_t bin = 0; bin < bins; ++bin) out[bin] += unpacked(words[bin]);
}

}  // namespace

void CodedRows::lay_out(std::size_t widest) {
  offset.assign(columns.size(), nowhere);
  bins = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].bins() > widest) continue;
    offset[c] = bins;
    bins += columns[c].bins();
  }
}

void add_sums(const CodedRows& coded, const RowSums& values, const std::uint32_t* rows, std::size_t begin, std::size_t end,
              const std::vector<std::int32_t>& columns, HistogramRoom& room, Sum* out) {
  // Few rows are added one by one: to clear and move the words of all codes would take longer.
  if (values.words == nullptr || end - begin < byte_bins) {
    for (const std::int32_t c : columns)
      if (const std::size_t first = coded.offset[static_cast<std::size_t>(c)]; first != CodedRows::nowhere)
        add_each(coded.columns[static_cast<std::size_t>(c)], values, rows, begin, end, out + first);
    return;
  }
  // Places of byte columns in a line count the byte columns before them.
  std::vector<std::size_t> places, of_lines, others, bytes;
  std::vector<std::size_t> place_of(coded.columns.size());
  for (std::size_t c = 0, place = 0; c < coded.columns.size(); ++c) place_of[c] = coded.columns[c].bytes == 1 ? place++ : 0;
  for (const std::int32_t each : columns) {
    const auto c = static_cast<std::size_t>(each);
    if (coded.offset[c] == CodedRows::nowhere) continue;
    if (rows != nullptr && coded.matrix != nullptr && coded.columns[c].bytes == 1) {
      places.push_back(place_of[c]);
      of_lines.push_back(c);
    } else if (rows == nullptr && coded.columns[c].bytes == 1) {
      bytes.push_back(c);
    } else {
      others.push_back(c);
    }
  }
  for (; bytes.size() % at_once != 0; bytes.pop_back()) others.push_back(bytes.back());
  std::size_t widest = bytes.empty() ? 0 : at_once * byte_bins;
  for (const std::size_t c : others) widest = std::max(widest, coded.columns[c].bins());
  room.words.resize(std::max(widest, places.size() * byte_bins));
  for (std::size_t from = begin; from < end; from += packed_rows) {
    const std::size_t count = std::min(packed_rows, end - from);
    if (!places.empty()) {
      std::fill_n(room.words.begin(), places.size() * byte_bins, Word{0});
      add_lines(coded, values.words, rows + from, count, places, room.words.data());
      for (std::size_t j = 0; j < of_lines.size(); ++j)
        move_words(room.words.data() + j * byte_bins, coded.columns[of_lines[j]].bins(), out + coded.offset[of_lines[j]]);
    }
    for (std::size_t j = 0; j < bytes.size(); j += at_once) {
      std::array<const std::uint8_t*, at_once> codes;
      for (std::size_t k = 0; k < at_once; ++k)
        codes[k] = static_cast<const std::uint8_t*>(coded.columns[bytes[j + k]].data) + from;
      std::fill_n(room.words.begin(), at_once * byte_bins, Word{0});
      add_words_of_four(codes.data(), count, values.words + from, room.words.data());
      for (std::size_t k = 0; k < at_once; ++k)
        move_words(room.words.data() + k * byte_bins, coded.columns[bytes[j + k]].bins(), out + coded.offset[bytes[j + k]]);
    }
    if (others.empty()) continue;
    const Word* words = values.words + from;
    if (rows != nullptr) {
      room.gathered.resize(packed_rows);
      for (std::size_t i = 0; i < count; ++i) room.gathered[i] = values.words[rows[from + i]];
      words = room.gathered.data();
    }
    for (const std::size_t c : others) {
      const std::size_t bins = coded.columns[c].bins();
      std::fill_n(room.words.begin(), bins, Word{0});
      add_words(coded.columns[c], rows, from, count, words, room.words.data());
      move_words(room.words.data(), bins, out + coded.offset[c]);
    }
  }
}

void add_region_sums(const CodedRows& coded, const RowSums& values, const std::int32_t* region, std::size_t regions,
                     Sum* out, int threads, const StopFlag& stop) {
  std::vector<std::size_t> start(regions + 1);
  for (std::size_t row = 0; row < coded.rows; ++row)
    if (region[row] >= 0) ++start[static_cast<std::size_t>(region[row]) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint32_t> rows(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (std::size_t row = 0; row < coded.rows; ++row)
    if (region[row] >= 0) rows[next[static_cast<std::size_t>(region[row])]++] = static_cast<std::uint32_t>(row);
  std::vector<HistogramRoom> rooms(static_cast<std::size_t>(std::max(1, threads)));
  run_parallel(coded.columns.size(), threads, [&](std::size_t c, int thread) {
    const std::vector<std::int32_t> column{static_cast<std::int32_t>(c)};
    for (std::size_t r = 0; r < regions; ++r) {
      check(stop);
      add_sums(coded, values, rows.data(), start[r], start[r + 1], column, rooms[static_cast<std::size_t>(thread)],
               out + r * coded.bins);
    }
  });
}

void add_class_counts(const CodedColumn& column, std::size_t rows, const std::int32_t* region, const std::int32_t* classes_of,
                      std::size_t classes, const std::int64_t* units, std::int64_t* out) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (region[row] < 0) continue;
    const std::size_t cell = static_cast<std::size_t>(region[row]) * column.bins() + column.at(row);
    out[cell * classes + static_cast<std::size_t>(classes_of[row])] += units != nullptr ? units[row] : 1;
  }
}

}  // namespace clearwood
