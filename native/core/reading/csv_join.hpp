// The chunks of a column joined, each piece freed as it is joined: numbers one after the other, strings under one
// dictionary by place of first appearance.
#pragma once
#include <deque>

#include "core/reading/csv_chunk.hpp"

namespace clearwood {

void join_numbers(std::deque<CsvChunk>& chunks, std::size_t column, std::size_t rows, CsvColumn& result);

void join_strings(std::deque<CsvChunk>& chunks, const std::deque<CsvWorker>& workers, std::size_t column,
                  std::size_t rows, CsvColumn& result);

}  // namespace clearwood
