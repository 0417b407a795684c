// Words by class: how often each word occurs in the texts of each class, and what its words say of a new text.
#pragma once
#include <string_view>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/counting/tally.hpp"
#include "core/reading/tokens.hpp"

namespace clearwood {

// One text a row; one without data (nullptr) is missing.
using Texts = std::vector<std::string_view>;

// Sums in units of weight (rows, where there are no weights). Words are in order of their bytes, which is that of their
// code points, whatever the number of threads. Memory: each thread keeps the words it met, at 16 bytes a word and class.
struct WordCounts {
  std::vector<std::string> words;
  std::vector<Whole> times;      // [class][word] how often it occurs
  std::vector<Whole> documents;  // [class][word] the texts that hold it
  std::vector<Whole> known;      // [class] the texts that are not missing
};
WordCounts count_words(const Texts& texts, const RowsByClass& rows, const TextReading& reading, int threads,
                       const StopFlag& stop);

// A vocabulary and what each word adds to the log of each class: each time it occurs, or once if it does (`once`).
struct WordLogs {
  const Dictionary* vocabulary = nullptr;
  const double* logs = nullptr;  // [word][class]
  const double* base = nullptr;  // [class] of a text without words
  std::size_t classes = 0;
  bool once = false;
};
// out[row][class]: the base and the words' logs; 0 for a missing text. Words outside the vocabulary say nothing.
void add_words(const Texts& texts, const WordLogs& words, const TextReading& reading, double* out, int threads,
               const StopFlag& stop);

}  // namespace clearwood
