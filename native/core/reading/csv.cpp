#include "core/reading/csv.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <mutex>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/reading/number_text.hpp"

namespace clearwood {
namespace {

constexpr std::size_t chunk_bytes = 256 * 1024;  // its cells and their text stay in the second-level cache
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// One bit for each of the next 64 bytes that is a delimiter, a newline or a quote.
std::uint64_t marks_in_block(const char* at, std::size_t length, char delimiter) {
#if defined(__SSE2__)
  if (length >= 64) {
    const __m128i d = _mm_set1_epi8(delimiter), n = _mm_set1_epi8('\n'), q = _mm_set1_epi8('"');
    std::uint64_t bits = 0;
    for (int part = 0; part < 4; ++part) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * part));
      const __m128i hit =
          _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, d), _mm_cmpeq_epi8(bytes, n)), _mm_cmpeq_epi8(bytes, q));
      bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(hit))) << (16 * part);
    }
    return bits;
  }
#endif
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(length, 64); ++i)
    bits |= static_cast<std::uint64_t>(at[i] == delimiter || at[i] == '\n' || at[i] == '"') << i;
  return bits;
}

bool is_blank(char c, char delimiter) { return (c == ' ' || c == '\t' || c == '\r') && c != delimiter; }

bool all_blank(const char* from, const char* to, char delimiter) {
  while (from != to && is_blank(*from, delimiter)) ++from;
  return from == to;
}

enum class Ending { end_of_text, stopped, inside_quotes };

// Walks over [begin, end): on_cell(begin, end) for each cell as it stands in the text, on_row(begin of next row) after
// the last cell of a row; on_row returning false stops the walk. A quote opens only where nothing but blanks precedes
// it in the cell; elsewhere it is an ordinary character. Lines of blanks are stepped over.
template <class OnCell, class OnRow>
Ending walk(std::string_view text, std::size_t begin, std::size_t end, char delimiter, OnCell&& on_cell,
            OnRow&& on_row) {
  const char* const data = text.data();
  std::size_t cell = begin;
  std::size_t doubled = std::string_view::npos;  // the second of two quotes inside quotes: already read
  bool inside = false;
  bool first = true;  // the cell is the first of its row
  for (std::size_t block = begin; block < end; block += 64) {
    std::uint64_t marks = marks_in_block(data + block, end - block, delimiter);
    for (; marks != 0; marks &= marks - 1) {
      const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(marks));
      const char mark = data[at];
      if (mark == '"') [[unlikely]] {
        if (!inside) {
          inside = all_blank(data + cell, data + at, delimiter);
        } else if (at != doubled) {
          if (at + 1 < end && data[at + 1] == '"') doubled = at + 1;
          else inside = false;
        }
        continue;
      }
      if (inside) continue;
      if (mark == '\n') {
        if (!first || !all_blank(data + cell, data + at, delimiter)) {
          on_cell(cell, at);
          if (!on_row(at + 1)) return Ending::stopped;
        }
        first = true;
      } else {
        on_cell(cell, at);
        first = false;
      }
      cell = at + 1;
    }
  }
  if (inside) return Ending::inside_quotes;
  if (!first || !all_blank(data + cell, data + end, delimiter)) {  // a last row without a newline
    on_cell(cell, end);
    if (!on_row(end)) return Ending::stopped;
  }
  return Ending::end_of_text;
}

struct CellText {
  std::string_view text;
  bool quoted = false;
  bool copied = false;  // the text is in the scratch string, not in the file
};

// What a cell says: without outer blanks, without its quotes, doubled quotes made single. Text after the closing
// quote is kept, as Python's csv module keeps it.
CellText cell_text(const char* from, const char* to, char delimiter, std::string& scratch) {
  while (from != to && is_blank(*from, delimiter)) ++from;
  while (from != to && is_blank(to[-1], delimiter)) --to;
  if (from == to || *from != '"') return {{from, static_cast<std::size_t>(to - from)}};
  ++from;
  const auto* close = static_cast<const char*>(std::memchr(from, '"', static_cast<std::size_t>(to - from)));
  if (close && close + 1 == to) return {{from, static_cast<std::size_t>(close - from)}, true};
  scratch.clear();
  bool inside = true;
  for (; from != to; ++from) {
    if (inside && *from == '"') {
      if (from + 1 != to && from[1] == '"') ++from;
      else {
        inside = false;
        continue;
      }
    }
    scratch.push_back(*from);
  }
  return {scratch, true, true};
}

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

struct Cell {
  std::uint32_t begin, end;  // from the chunk's begin
};

// One column of one chunk.
struct Piece {
  std::unique_ptr<double[]> numbers;
  std::unique_ptr<std::int32_t[]> codes;
  std::size_t dictionary = 0;  // which worker's
  bool known = false, whole = true, plain = true, padded = false;
  std::int64_t infinite_at = -1;
};

struct Chunk {
  std::size_t begin = 0, end = 0, rows = 0;
  std::vector<Piece> pieces;
  CsvFault fault;
};

// A thread's own dictionaries, one a column, and its scratch space.
struct Worker {
  std::vector<Dictionary> dictionaries;
  std::vector<Cell> cells;
  std::string scratch;
};

class Reader {
 public:
  Reader(std::string_view text, const CsvForm& form, std::size_t begin, std::size_t width, int only, int threads,
         const StopFlag& stop)
      : text_(text), form_(form), width_(width), only_(only), stop_(stop), at_(begin), strings_(width) {
    const std::size_t most = (text.size() - begin) / chunk_bytes + 1;
    threads_ = static_cast<int>(std::min<std::size_t>(most, static_cast<std::size_t>(std::max(1, threads))));
    for (const auto& mark : form.missing) numeric_marks_ |= read_number(mark, form.decimal).valid;
    if (only >= 0) strings_[static_cast<std::size_t>(only)] = true;
  }

  CsvColumns read() {
    first_pass();
    CsvColumns result;
    for (const Chunk& chunk : chunks_)
      if (chunk.fault.kind != CsvFault::none) {
        result.fault = chunk.fault;
        return result;
      }
    second_pass();
    for (const Chunk& chunk : chunks_) result.rows += chunk.rows;
    result.columns.resize(width_);
    std::vector<std::size_t> wanted;
    for (std::size_t column = 0; column < width_; ++column)
      if (only_ < 0 || column == static_cast<std::size_t>(only_)) wanted.push_back(column);
    run_parallel(wanted.size(), threads_, [&](std::size_t i, int) {
      check(stop_);
      if (strings_[wanted[i]]) join_strings(wanted[i], result.rows, result.columns[wanted[i]]);
      else join_numbers(wanted[i], result.rows, result.columns[wanted[i]]);
    });
    for (Worker& worker : workers_) result.owners.push_back(std::move(worker.dictionaries));
    return result;
  }

 private:
  void add_workers() {
    for (int thread = 0; thread < threads_; ++thread) {
      Worker& worker = workers_.emplace_back();
      for (std::size_t column = 0; column < width_; ++column) worker.dictionaries.emplace_back(form_.missing);
    }
  }

  void first_pass() {
    add_workers();
    run_parallel(static_cast<std::size_t>(threads_), threads_, [&](std::size_t thread, int) {
      while (Chunk* chunk = next_chunk()) {
        check(stop_);
        split(*chunk, workers_[thread]);
        if (chunk->fault.kind != CsvFault::none) {
          failed_ = true;
          break;
        }
        chunk->pieces.resize(width_);
        for (std::size_t column = 0; column < width_; ++column) {
          if (only_ >= 0 && column != static_cast<std::size_t>(only_)) continue;
          if (strings_[column] || !code_numbers(*chunk, column, workers_[thread])) {
            strings_[column] = true;
            code_strings(*chunk, column, thread);
          }
        }
      }
    });
  }

  // A column may have looked like numbers until a later chunk said otherwise: those earlier chunks are coded again,
  // with dictionaries of their own so that each keeps its places of first appearance in rising order.
  void second_pass() {
    std::vector<Chunk*> again;
    auto mistaken = [&](const Chunk& chunk, std::size_t column) {
      return strings_[column] && chunk.pieces[column].numbers && chunk.pieces[column].known;
    };
    for (Chunk& chunk : chunks_) {
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
      split(*again[i], workers_[worker]);
      for (std::size_t column = 0; column < width_; ++column)
        if (mistaken(*again[i], column)) code_strings(*again[i], column, worker);
    });
  }

  // The next whole rows, at least chunk_bytes of them; null at the end.
  Chunk* next_chunk() {
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
    Chunk& chunk = chunks_.emplace_back();
    chunk.begin = begin;
    chunk.end = end;
    return &chunk;
  }

  void split(Chunk& chunk, Worker& worker) {
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

  bool is_missing(std::string_view text) const {
    for (const auto& mark : form_.missing)
      if (text == mark) return true;
    return false;
  }

  // False, and nothing changed, if a cell is neither a number nor missing.
  bool code_numbers(Chunk& chunk, std::size_t column, Worker& worker) {
    Piece piece;
    piece.numbers = std::make_unique_for_overwrite<double[]>(chunk.rows);
    const char* const base = text_.data() + chunk.begin;
    const Cell* cell = worker.cells.data() + column;
    for (std::size_t row = 0; row < chunk.rows; ++row, cell += width_) {
      const CellText read = cell_text(base + cell->begin, base + cell->end, form_.delimiter, worker.scratch);
      const std::string_view text = read.quoted ? without_blanks(read.text) : read.text;
      const NumberText number = read_number(text, form_.decimal);
      if (!number.valid || numeric_marks_) {
        if (is_missing(text)) {
          piece.numbers[row] = nan;
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

  void code_strings(Chunk& chunk, std::size_t column, std::size_t worker_index) {
    Worker& worker = workers_[worker_index];
    Piece piece;
    piece.dictionary = worker_index;
    piece.codes = std::make_unique_for_overwrite<std::int32_t[]>(chunk.rows);
    Dictionary& dictionary = worker.dictionaries[column];
    const char* const base = text_.data() + chunk.begin;
    const char* const end_of_text = text_.data() + text_.size();
    const Cell* cell = worker.cells.data() + column;
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

  void join_numbers(std::size_t column, std::size_t rows, CsvColumn& result) {
    result.numbers = std::make_unique_for_overwrite<double[]>(rows);
    double* to = result.numbers.get();
    for (Chunk& chunk : chunks_) {
      Piece& piece = chunk.pieces[column];
      to = std::copy_n(piece.numbers.get(), chunk.rows, to);
      piece.numbers.reset();
      result.whole &= piece.whole;
      result.plain &= piece.plain;
      result.padded |= piece.padded;
      if (result.infinite_at < 0) result.infinite_at = piece.infinite_at;
    }
    if (result.whole && result.infinite_at < 0) result.distinct = count_close(result.numbers.get(), rows);
  }

  // How many different whole numbers, or -1 if they are too far apart to tick off on a short list.
  static std::int64_t count_close(const double* numbers, std::size_t rows) {
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

  void join_strings(std::size_t column, std::size_t rows, CsvColumn& result) {
    std::vector<std::vector<std::int32_t>> global(workers_.size());  // a worker's code → the column's
    std::vector<std::size_t> next(workers_.size());
    for (std::size_t w = 0; w < workers_.size(); ++w) global[w].resize(workers_[w].dictionaries[column].size());
    Dictionary merged;
    for (;;) {  // each worker's values rise by place of first appearance: take the earliest of their heads
      std::size_t best = workers_.size();
      std::uint64_t earliest = 0;
      for (std::size_t w = 0; w < workers_.size(); ++w) {
        const Dictionary& dictionary = workers_[w].dictionaries[column];
        if (next[w] == dictionary.size()) continue;
        const std::uint64_t position = dictionary.position(next[w]);
        if (best == workers_.size() || position < earliest) {
          best = w;
          earliest = position;
        }
      }
      if (best == workers_.size()) break;
      const std::string_view text = workers_[best].dictionaries[column].text(next[best]);
      global[best][next[best]++] = merged.code(text, 0, text.data() + text.size());
    }
    result.values.reserve(merged.size());
    for (std::size_t code = 0; code < merged.size(); ++code) result.values.push_back(merged.text(code));

    result.codes = std::make_unique_for_overwrite<std::int32_t[]>(rows);
    std::int32_t* to = result.codes.get();
    for (Chunk& chunk : chunks_) {
      Piece& piece = chunk.pieces[column];
      if (piece.codes) {
        const std::int32_t* map = global[piece.dictionary].data();
        for (std::size_t row = 0; row < chunk.rows; ++row)
          *to++ = piece.codes[row] < 0 ? Dictionary::missing : map[piece.codes[row]];
      } else {
        to = std::fill_n(to, chunk.rows, Dictionary::missing);
      }
      piece = Piece{};
    }
  }

  const std::string_view text_;
  const CsvForm& form_;
  const std::size_t width_;
  const int only_;
  const StopFlag& stop_;
  int threads_ = 1;
  bool numeric_marks_ = false;
  std::mutex guard_;  // of at_ and of chunks_ while it grows
  std::size_t at_;
  std::deque<Chunk> chunks_;
  std::vector<std::atomic<bool>> strings_;  // the column has a cell that is no number
  std::atomic<bool> failed_{false};
  std::deque<Worker> workers_;
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
                       int threads, const StopFlag& stop) {
  return Reader(text, form, begin, width, only, threads, stop).read();
}

}  // namespace clearwood
