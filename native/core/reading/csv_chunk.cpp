#include "core/reading/csv_chunk.hpp"

#include <cmath>
#include <limits>

#include "core/reading/csv_walk.hpp"
#include "core/reading/number_text.hpp"

namespace clearwood {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

CsvCoder::CsvCoder(std::string_view text, const CsvForm& form, std::size_t width)
    : text_(text), form_(form), width_(width) {
  for (const auto& mark : form.missing) numeric_marks_ |= read_number(mark, form.decimal).valid;
}

void CsvCoder::split(CsvChunk& chunk, CsvWorker& worker) const {
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

void CsvCoder::find_spans(CsvChunk& chunk, const CsvWorker& worker) const {
  chunk.spans.reserve(2 * chunk.rows);
  for (std::size_t row = 0; row < chunk.rows; ++row) {
    const std::size_t begin = chunk.begin + worker.cells[row * width_].begin;
    std::size_t end = chunk.begin + worker.cells[(row + 1) * width_ - 1].end;
    if (end > begin && text_[end - 1] == '\r') --end;
    chunk.spans.push_back(static_cast<std::int64_t>(begin));
    chunk.spans.push_back(static_cast<std::int64_t>(end));
  }
}

bool CsvCoder::is_missing(std::string_view text) const {
  for (const auto& mark : form_.missing)
    if (text == mark) return true;
  return false;
}

bool CsvCoder::code_numbers(CsvChunk& chunk, std::size_t column, CsvWorker& worker) const {
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

void CsvCoder::code_strings(CsvChunk& chunk, std::size_t column, std::deque<CsvWorker>& workers,
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

}  // namespace clearwood
