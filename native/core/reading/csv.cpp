#include "core/reading/csv.hpp"

#include <cmath>
#include <mutex>

#include "core/reading/csv_walk.hpp"

namespace clearwood {
namespace {

// A chunk of whole rows: split into cells, and each of its columns coded while it is in the cache.

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
  CsvCoder(std::string_view text, const CsvForm& form, std::size_t width)
      : text_(text), form_(form), width_(width) {
    for (const auto& mark : form.missing) numeric_marks_ |= read_number(mark, form.decimal).valid;
  }

  // The chunk's cells, into the worker; a fault of its rows goes into the chunk.
  void split(CsvChunk& chunk, CsvWorker& worker) const {
    auto& cells = worker.cells;
    cells.clear();
    chunk.rows = 0;
    if (chunk.end - chunk.begin > std::numeric_limits<std::uint32_t>::max()) {
      chunk.fault = {CsvFault::too_long, chunk.begin, 0};
      return;
    }
    std::size_t row = 0;  // index of the row's first cell
    const auto ending = walk(
        text_, chunk.begin, chunk.end, form_.delimiter,
        [&](std::size_t from, std::size_t to) {
          cells.push_back(
              {static_cast<std::uint32_t>(from - chunk.begin), static_cast<std::uint32_t>(to - chunk.begin)});
        },
        [&](std::size_t) {
          if (cells.size() - row != width_) {
            chunk.fault = {CsvFault::ragged, chunk.begin + cells[row].begin, cells.size() - row};
            return false;
          }
          row = cells.size();
          ++chunk.rows;
          return true;
        });
    if (ending == Ending::inside_quotes)
      chunk.fault = {CsvFault::unclosed, cells.empty() ? chunk.begin : chunk.begin + cells.back().end, 0};
  }

  // Where each row of a chunk that was split begins and ends, without its line end.
  void find_spans(CsvChunk& chunk, const CsvWorker& worker) const {
    chunk.spans.reserve(2 * chunk.rows);
    for (std::size_t row = 0; row < chunk.rows; ++row) {
      const std::size_t begin = chunk.begin + worker.cells[row * width_].begin;
      std::size_t end = chunk.begin + worker.cells[(row + 1) * width_ - 1].end;
      if (end > begin && text_[end - 1] == '\r') --end;
      chunk.spans.push_back(static_cast<std::int64_t>(begin));
      chunk.spans.push_back(static_cast<std::int64_t>(end));
    }
  }

  // False, and nothing changed, if a cell is neither a number nor missing.
  bool code_numbers(CsvChunk& chunk, std::size_t column, CsvWorker& worker) const {
    CsvPiece piece;
    piece.numbers = std::make_unique_for_overwrite<double[]>(chunk.rows);
    const char* const base = text_.data() + chunk.begin;
    const CsvCell* cell = worker.cells.data() + column;
    for (std::size_t row = 0; row < chunk.rows; ++row, cell += width_) {
      const CellText read = cell_text(base + cell->begin, base + cell->end, form_.delimiter, worker.scratch);
      const std::string_view text = read.quoted ? without_blanks(read.text) : read.text;
      const NumberText number = read_number(text, form_.decimal);
      if (!number.valid || numeric_marks_) {
        if (is_missing(text)) {
          piece.numbers[row] = std::numeric_limits<double>::quiet_NaN();
          continue;
        }
        if (!number.valid) return false;
      }
      piece.known = true;
      piece.plain &= number.plain;
      piece.padded |= number.padded;
      piece.numbers[row] = number.value;
      if (!number.plain && piece.whole) piece.whole = number.value == std::trunc(number.value);
      if (std::isinf(number.value) && piece.infinite_at < 0)
        piece.infinite_at = static_cast<std::int64_t>(chunk.begin + worker.cells[row * width_].begin);
    }
    chunk.pieces[column] = std::move(piece);
    return true;
  }

  void code_strings(CsvChunk& chunk, std::size_t column, std::deque<CsvWorker>& workers,
                              std::size_t which) const {
    CsvWorker& worker = workers[which];
    CsvPiece piece;
    piece.dictionary = which;
    piece.codes = std::make_unique_for_overwrite<std::int32_t[]>(chunk.rows);
    Dictionary& dictionary = worker.dictionaries[column];
    const char* const base = text_.data() + chunk.begin;
    const char* const end_of_text = text_.data() + text_.size();
    const CsvCell* cell = worker.cells.data() + column;
    for (std::size_t row = 0; row < chunk.rows; ++row, cell += width_) {
      const CellText read = cell_text(base + cell->begin, base + cell->end, form_.delimiter, worker.scratch);
      if (read.quoted && is_missing(without_blanks(read.text))) {
        piece.codes[row] = Dictionary::missing;
        continue;
      }
      const char* const readable = read.copied ? read.text.data() + read.text.size() : end_of_text;
      piece.codes[row] =
          dictionary.code(read.text, chunk.begin + worker.cells[row * width_].begin, readable, read.copied);
    }
    chunk.pieces[column] = std::move(piece);
  }

 private:
  bool is_missing(std::string_view text) const {
    for (const auto& mark : form_.missing)
      if (text == mark) return true;
    return false;
  }

  const std::string_view text_;
  const CsvForm& form_;
  const std::size_t width_;
  bool numeric_marks_ = false;
};

// The chunks of a column joined, each piece freed as it is joined: numbers one after the other, strings under one
// dictionary by place of first appearance.

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

constexpr std::size_t chunk_bytes = 256 * 1024;  // its cells and their text stay in the second-level cache

class Reader {
 public:
  Reader(std::string_view text, const CsvForm& form, std::size_t begin, std::size_t width, int only, bool with_spans,
         int threads, const StopFlag& stop)
      : text_(text), form_(form), coder_(text, form, width), width_(width), only_(only), with_spans_(with_spans),
        stop_(stop), at_(begin), strings_(width) {
    const std::size_t most = (text.size() - begin) / chunk_bytes + 1;
    threads_ = static_cast<int>(std::min<std::size_t>(most, static_cast<std::size_t>(std::max(1, threads))));
    if (only >= 0) strings_[static_cast<std::size_t>(only)] = true;
  }

  CsvColumns read() {
    first_pass();
    CsvColumns result;
    for (const CsvChunk& chunk : chunks_)
      if (chunk.fault.kind != CsvFault::none) {
        result.fault = chunk.fault;
        return result;
      }
    second_pass();
    for (const CsvChunk& chunk : chunks_) result.rows += chunk.rows;
    if (with_spans_) result.spans = join_spans(result.rows);
    result.columns.resize(width_);
    std::vector<std::size_t> needed;
    for (std::size_t column = 0; column < width_; ++column)
      if (only_ < 0 || column == static_cast<std::size_t>(only_)) needed.push_back(column);
    run_parallel(needed.size(), threads_, [&](std::size_t i, int) {
      check(stop_);
      if (strings_[needed[i]]) join_strings(chunks_, workers_, needed[i], result.rows, result.columns[needed[i]]);
      else join_numbers(chunks_, needed[i], result.rows, result.columns[needed[i]]);
    });
    for (CsvWorker& worker : workers_) result.owners.push_back(std::move(worker.dictionaries));
    return result;
  }

 private:
  std::unique_ptr<std::int64_t[]> join_spans(std::size_t rows) const {
    auto spans = std::make_unique_for_overwrite<std::int64_t[]>(2 * rows);
    std::int64_t* to = spans.get();
    for (const CsvChunk& chunk : chunks_) to = std::copy(chunk.spans.begin(), chunk.spans.end(), to);
    return spans;
  }

  void add_workers() {
    for (int thread = 0; thread < threads_; ++thread) {
      CsvWorker& worker = workers_.emplace_back();
      for (std::size_t column = 0; column < width_; ++column) worker.dictionaries.emplace_back(form_.missing);
    }
  }

  void first_pass() {
    add_workers();
    run_parallel(static_cast<std::size_t>(threads_), threads_, [&](std::size_t thread, int) {
      while (CsvChunk* chunk = next_chunk()) {
        check(stop_);
        coder_.split(*chunk, workers_[thread]);
        if (chunk->fault.kind != CsvFault::none) {
          failed_ = true;
          break;
        }
        if (with_spans_) coder_.find_spans(*chunk, workers_[thread]);
        chunk->pieces.resize(width_);
        for (std::size_t column = 0; column < width_; ++column) {
          if (only_ >= 0 && column != static_cast<std::size_t>(only_)) continue;
          if (strings_[column] || !coder_.code_numbers(*chunk, column, workers_[thread])) {
            strings_[column] = true;
            coder_.code_strings(*chunk, column, workers_, thread);
          }
        }
      }
    });
  }

  // A column may have looked like numbers until a later chunk had a text: those earlier chunks are coded again,
  // with dictionaries of their own so that each keeps its places of first appearance in rising order.
  void second_pass() {
    std::vector<CsvChunk*> again;
    auto mistaken = [&](const CsvChunk& chunk, std::size_t column) {
      return strings_[column] && chunk.pieces[column].numbers && chunk.pieces[column].known;
    };
    for (CsvChunk& chunk : chunks_) {
      for (std::size_t column = 0; column < width_; ++column)
        if (mistaken(chunk, column)) {
          again.push_back(&chunk);
          break;
        }
    }
    if (again.empty()) return;
    add_workers();
    run_parallel(again.size(), threads_, [&](std::size_t i, int thread) {
      check(stop_);
      const std::size_t worker = static_cast<std::size_t>(threads_ + thread);
      coder_.split(*again[i], workers_[worker]);
      for (std::size_t column = 0; column < width_; ++column)
        if (mistaken(*again[i], column)) coder_.code_strings(*again[i], column, workers_, worker);
    });
  }

  // The next whole rows, at least chunk_bytes of them; null at the end.
  CsvChunk* next_chunk() {
    std::lock_guard lock(guard_);
    if (failed_ || at_ >= text_.size()) return nullptr;
    const std::size_t begin = at_;
    const std::size_t target = begin + chunk_bytes;
    std::size_t end = text_.size();
    if (target < text_.size()) {
      const auto newline = text_.find('\n', target - 1);
      end = newline == std::string_view::npos ? text_.size() : newline + 1;
      // Without a quote every newline ends a row; with one, only a walk from the row's begin can tell.
      if (std::memchr(text_.data() + begin, '"', end - begin)) {
        end = text_.size();
        walk(text_, begin, text_.size(), form_.delimiter, [](std::size_t, std::size_t) {},
             [&](std::size_t next) {
               if (next < target) return true;
               end = next;
               return false;
             });
      }
    }
    at_ = end;
    CsvChunk& chunk = chunks_.emplace_back();
    chunk.begin = begin;
    chunk.end = end;
    return &chunk;
  }

  const std::string_view text_;
  const CsvForm& form_;
  const CsvCoder coder_;
  const std::size_t width_;
  const int only_;
  const bool with_spans_;
  const StopFlag& stop_;
  int threads_ = 1;
  std::mutex guard_;  // of at_ and of chunks_ while it grows
  std::size_t at_;
  std::deque<CsvChunk> chunks_;
  std::vector<std::atomic<bool>> strings_;  // the column has a cell that is no number
  std::atomic<bool> failed_{false};
  std::deque<CsvWorker> workers_;
};

}  // namespace

std::vector<std::vector<std::string>> csv_rows(std::string_view text, const CsvForm& form, std::size_t begin,
                                               std::size_t limit, std::vector<std::size_t>& ends) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string scratch;
  walk(
      text, begin, text.size(), form.delimiter,
      [&](std::size_t from, std::size_t to) {
        row.emplace_back(cell_text(text.data() + from, text.data() + to, form.delimiter, scratch).text);
      },
      [&](std::size_t next) {
        rows.push_back(std::move(row));
        row.clear();
        ends.push_back(next);
        return rows.size() < limit;
      });
  return rows;
}

CsvColumns csv_columns(std::string_view text, const CsvForm& form, std::size_t begin, std::size_t width, int only,
                       bool with_spans, int threads, const StopFlag& stop) {
  return Reader(text, form, begin, width, only, with_spans, threads, stop).read();
}

}  // namespace clearwood
