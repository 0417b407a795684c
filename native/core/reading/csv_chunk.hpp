// A chunk of whole rows: split into cells, and each of its columns coded while it is in the cache.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/reading/csv.hpp"
#include "core/reading/dictionary.hpp"

namespace clearwood {

struct CsvCell {
  std::uint32_t begin, end;  // from the chunk's begin
};

// One column of one chunk.
struct CsvPiece {
  std::unique_ptr<double[]> numbers;
  std::unique_ptr<std::int32_t[]> codes;
  std::size_t dictionary = 0;  // which worker's
  bool known = false, whole = true, plain = true, padded = false;
  std::int64_t infinite_at = -1;
};

struct CsvChunk {
  std::size_t begin = 0, end = 0, rows = 0;
  std::vector<CsvPiece> pieces;
  std::vector<std::int64_t> spans;  // [row, 2], if requested
  CsvFault fault;
};

// A thread's own dictionaries, one a column, and its scratch space.
struct CsvWorker {
  std::vector<Dictionary> dictionaries;
  std::vector<CsvCell> cells;
  std::string scratch;
};

// Text, how it is written, and how many cells its rows have: what every chunk is coded by.
class CsvCoder {
 public:
  CsvCoder(std::string_view text, const CsvForm& form, std::size_t width);

  // The chunk's cells, into the worker; a fault of its rows goes into the chunk.
  void split(CsvChunk& chunk, CsvWorker& worker) const;

  // Where each row of a chunk that was split begins and ends, without its line end.
  void find_spans(CsvChunk& chunk, const CsvWorker& worker) const;

  // False, and nothing changed, if a cell is neither a number nor missing.
  bool code_numbers(CsvChunk& chunk, std::size_t column, CsvWorker& worker) const;

  void code_strings(CsvChunk& chunk, std::size_t column, std::deque<CsvWorker>& workers, std::size_t which) const;

 private:
  bool is_missing(std::string_view text) const;

  const std::string_view text_;
  const CsvForm& form_;
  const std::size_t width_;
  bool numeric_marks_ = false;
};

}  // namespace clearwood
