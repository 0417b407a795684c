#include "core/reading/csv_join.hpp"

#include <algorithm>
#include <limits>

namespace clearwood {
namespace {

// How many different whole numbers, or -1 if they are too far apart to tick off on a short list.
std::int64_t count_close(const double* numbers, std::size_t rows) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t row = 0; row < rows; ++row) {
    if (numbers[row] < low) low = numbers[row];
    if (numbers[row] > high) high = numbers[row];
  }
  if (high < low) return 0;
  if (high - low >= 65536) return -1;
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(high - low) + 1);
  for (std::size_t row = 0; row < rows; ++row)
    if (numbers[row] == numbers[row]) seen[static_cast<std::size_t>(numbers[row] - low)] = 1;
  return std::count(seen.begin(), seen.end(), std::uint8_t{1});
}

}  // namespace

void join_numbers(std::deque<CsvChunk>& chunks, std::size_t column, std::size_t rows, CsvColumn& result) {
  result.numbers = std::make_unique_for_overwrite<double[]>(rows);
  double* to = result.numbers.get();
  for (CsvChunk& chunk : chunks) {
    CsvPiece& piece = chunk.pieces[column];
    to = std::copy_n(piece.numbers.get(), chunk.rows, to);
    piece.numbers.reset();
    result.whole &= piece.whole;
    result.plain &= piece.plain;
    result.padded |= piece.padded;
    if (result.infinite_at < 0) result.infinite_at = piece.infinite_at;
  }
  if (result.whole && result.infinite_at < 0) result.distinct = count_close(result.numbers.get(), rows);
}

void join_strings(std::deque<CsvChunk>& chunks, const std::deque<CsvWorker>& workers, std::size_t column,
                  std::size_t rows, CsvColumn& result) {
  std::vector<std::vector<std::int32_t>> global(workers.size());  // a worker's code → the column's
  std::vector<std::size_t> next(workers.size());
  for (std::size_t w = 0; w < workers.size(); ++w) global[w].resize(workers[w].dictionaries[column].size());
  Dictionary merged;
  for (;;) {  // each worker's values rise by place of first appearance: take the earliest of their heads
    std::size_t best = workers.size();
    std::uint64_t earliest = 0;
    for (std::size_t w = 0; w < workers.size(); ++w) {
      const Dictionary& dictionary = workers[w].dictionaries[column];
      if (next[w] == dictionary.size()) continue;
      const std::uint64_t position = dictionary.position(next[w]);
      if (best == workers.size() || position < earliest) {
        best = w;
        earliest = position;
      }
    }
    if (best == workers.size()) break;
    const std::string_view text = workers[best].dictionaries[column].text(next[best]);
    global[best][next[best]++] = merged.code(text, 0, text.data() + text.size());
  }
  result.values.reserve(merged.size());
  for (std::size_t code = 0; code < merged.size(); ++code) result.values.push_back(merged.text(code));

  result.codes = std::make_unique_for_overwrite<std::int32_t[]>(rows);
  std::int32_t* to = result.codes.get();
  for (CsvChunk& chunk : chunks) {
    CsvPiece& piece = chunk.pieces[column];
    if (piece.codes) {
      const std::int32_t* map = global[piece.dictionary].data();
      for (std::size_t row = 0; row < chunk.rows; ++row)
        *to++ = piece.codes[row] < 0 ? Dictionary::missing : map[piece.codes[row]];
    } else {
      to = std::fill_n(to, chunk.rows, Dictionary::missing);
    }
    piece = CsvPiece{};
  }
}

}  // namespace clearwood
