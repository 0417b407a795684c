// Tokens: the words of a text.
//
// A word is a run of letters, digits and the marks on them; an apostrophe or a zero-width joiner between two of them
// belongs to it (’ is written '), a soft hyphen or mark of direction there is dropped. Each ideograph and kana, with its
// marks, is a word; so is each emoji with all that is joined to it, and each flag. All else parts words.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/reading/dictionary.hpp"

namespace clearwood {

// How a text is read. N-grams of `shortest` to `longest` words, of those that are left without the stop words.
struct TextReading {
  bool lower = true;
  int shortest = 1;
  int longest = 1;
  const Dictionary* stop = nullptr;
};

// The words of one text, each followed by a blank, so that an n-gram is a stretch of `text`.
class Tokens {
 public:
  // Bytes that are not UTF-8 part words.
  void read(std::string_view utf8, const TextReading& reading);

  // Calls use(n-gram, end of readable memory) for all n-grams, the short ones first.
  template <class Use>
  void each(const TextReading& reading, Use&& use) const {
    const char* const end = text_.data() + text_.size();
    for (int n = reading.shortest; n <= reading.longest; ++n)
      for (std::size_t i = 0; i + static_cast<std::size_t>(n) <= spans_.size(); ++i) {
        const std::size_t first = spans_[i].first;
        const std::size_t last = spans_[i + static_cast<std::size_t>(n) - 1].second;
        use(std::string_view(text_.data() + first, last - first), end);
      }
  }

 private:
  void add(std::size_t first, const TextReading& reading);

  std::string text_;
  std::vector<std::pair<std::size_t, std::size_t>> spans_;
};

// Letters, which kind of character each code point is, and its lower case, are those of one Unicode version, so that words are
// the same on every machine. The whole table: where each run of one kind begins, and the pairs of upper and lower case.
std::vector<std::pair<std::uint32_t, std::uint32_t>> letter_runs();
std::vector<std::pair<std::uint32_t, std::uint32_t>> case_pairs();

}  // namespace clearwood
