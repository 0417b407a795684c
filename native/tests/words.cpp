// Words: what parts them, broken bytes, and sums that do not depend on the threads.
#include "core/counting/words.hpp"

#include <random>
#include <string>
#include <vector>

#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag go{false};

std::vector<std::string> words(std::string_view text, TextReading reading = {}) {
  Tokens tokens;
  tokens.read(text, reading);
  std::vector<std::string> words;
  tokens.each(reading, [&](std::string_view word, const char*) { words.emplace_back(word); });
  return words;
}

std::vector<std::string> junk(std::size_t texts) {
  std::mt19937 random(7);
  const std::vector<std::string> parts{"free", "Win", " ", " ", "'", "\xC3\xA9", "\xE2\x80\x8D", "\xF0\x9F\x91\x8D", "\xE6\x97\xA5", "\xFF", "\xF0\x9F"};
  std::vector<std::string> texts_made(texts);
  for (auto& text : texts_made)
    for (int i = 0; i < 12; ++i) text += parts[random() % parts.size()];
  return texts_made;
}

}  // namespace

TEST("words are lowered, joined by apostrophes and parted by all else") {
  CHECK((words("Don't STOP, \xC3\x89t\xC3\xA9!") == std::vector<std::string>{"don't", "stop", "\xC3\xA9t\xC3\xA9"}));
  CHECK((words("a'b'", {.lower = false}) == std::vector<std::string>{"a'b"}));
  CHECK((words("a b c", {.longest = 2}) == std::vector<std::string>{"a", "b", "c", "a b", "b c"}));
  CHECK(words("").empty());
}

TEST("bytes that are not UTF-8 part words and are never read beyond") {
  for (const std::string text : {"a\xFFz", "a\xC3", "a\xE2\x80", "\xF0\x9F\x91", "a\xC0\x80z", "\xED\xA0\x80", "\xF8\x88\x80\x80\x80"}) {
    const std::vector<char> tight(text.begin(), text.end());
    for (const auto& word : words({tight.data(), tight.size()})) CHECK(word == "a" || word == "z");
  }
}

TEST("the sums of words are the same for any number of threads, with and without weights") {
  const auto owned = junk(3000);
  Texts texts(owned.begin(), owned.end());
  texts[5] = {};
  std::vector<std::int32_t> classes(texts.size());
  std::vector<double> weights(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    classes[i] = static_cast<std::int32_t>(i % 3);
    weights[i] = 0.5 * static_cast<double>(i % 4 + 1);
  }
  for (const double* given : {static_cast<const double*>(nullptr), static_cast<const double*>(weights.data())}) {
    const WeightUnits units = weight_units(given, texts.size());
    const RowsByClass rows{classes.data(), texts.size(), 3, &units};
    const TextReading reading{.longest = 2};
    const WordCounts one = count_words(texts, rows, reading, 1, go);
    const WordCounts four = count_words(texts, rows, reading, 4, go);
    CHECK(one.words == four.words && one.times == four.times && one.documents == four.documents && one.known == four.known);
    CHECK(one.words.size() > 100);
  }
}

TEST("what words add is the same for any number of threads; a missing text adds nothing") {
  const auto owned = junk(2000);
  Texts texts(owned.begin(), owned.end());
  texts[3] = {};
  const std::vector<std::string> known{"free", "win", "free win"};
  Dictionary vocabulary;
  for (const auto& word : known) vocabulary.code(word, 0, word.data() + word.size());
  const std::vector<double> logs{0.5, -1, 0.25, 2, 8, 16}, base{1, 2};
  for (const bool once : {false, true}) {
    const WordLogs by_word{&vocabulary, logs.data(), base.data(), 2, once};
    std::vector<double> one(2 * texts.size()), four(2 * texts.size());
    add_words(texts, by_word, {.longest = 2}, one.data(), 1, go);
    add_words(texts, by_word, {.longest = 2}, four.data(), 4, go);
    CHECK(one == four);
    CHECK(one[6] == 0 && one[7] == 0);
  }
}
