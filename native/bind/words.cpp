// Words of texts: Python's strings seen as UTF-8, which Python keeps beside each string that is not ASCII.
#include "core/counting/words.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/halves.hpp"
#include "bind/interruptible.hpp"
#include "bind/strings.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {
using Weights = std::optional<Numbers>;

// Strings and None as views into them; the list must stay. `spare` keeps the texts with half of a surrogate pair.
struct Seen {
  Texts texts;
  std::vector<nb::object> spare;
};

// Ten for a byte.
std::size_t steps_of(const Seen& given) {
  std::size_t steps = given.texts.size();
  for (const std::string_view text : given.texts) steps += 10 * text.size();
  return steps;
}

Seen seen(const nb::list& strings) {
  Seen read;
  read.texts.reserve(strings.size());
  for (const nb::handle each : strings) {
    if (each.is_none()) {
      read.texts.emplace_back();
      continue;
    }
    if (!PyUnicode_Check(each.ptr())) throw nb::type_error("A text is a str or None.");
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(each.ptr(), &size);
    if (!data) {
      PyErr_Clear();
      read.spare.push_back(nb::steal(PyUnicode_AsEncodedString(each.ptr(), "utf-8", "replace")));
      char* bytes = nullptr;
      if (!read.spare.back() || PyBytes_AsStringAndSize(read.spare.back().ptr(), &bytes, &size)) throw nb::python_error();
      data = bytes;
    }
    read.texts.emplace_back(data, static_cast<std::size_t>(size));
  }
  return read;
}

void fill(Dictionary& words, const Texts& texts) {
  for (const std::string_view text : texts) {
    if (!text.data()) throw nb::type_error("A word is a str.");
    words.code(text, 0, text.data() + text.size());
  }
}

// How a text is read, with the stop words it needs.
class Reader {
 public:
  Reader(bool lower, std::pair<int, int> ngrams, const nb::list& stop) : stop_(seen(stop)) {
    if (ngrams.first < 1 || ngrams.second < ngrams.first) throw nb::value_error("N-grams begin at 1.");
    fill(words_, stop_.texts);
    reading = {lower, ngrams.first, ngrams.second, stop_.texts.empty() ? nullptr : &words_};
  }
  TextReading reading;

 private:
  Seen stop_;
  Dictionary words_;
};

auto count_texts(nb::list texts, Codes target, std::int32_t classes, Weights weights, bool lower, std::pair<int, int> ngrams,
                 nb::list stop_words) {
  const Seen given = seen(texts);
  const std::size_t rows = target.shape(0);
  const Reader reader(lower, ngrams, stop_words);
  const WeightUnits units = weight_units(optional_data(weights, rows), rows);
  const RowsByClass classed{target.data(), rows, classes, &units};
  WordCounts counts;
  run_interruptible(steps_of(given), [&](const StopFlag& stop) {
    counts = count_words(given.texts, classed, reader.reading, thread_count(), stop);
  });
  const std::vector<std::string_view> words(counts.words.begin(), counts.words.end());
  return std::make_tuple(give_strings(words), halves_of(counts.times), halves_of(counts.documents), halves_of(counts.known),
                         units.exponent);
}

auto sum_words(nb::list texts, nb::list words, Matrix logs, Numbers base, bool once, bool lower, std::pair<int, int> ngrams,
               nb::list stop_words) {
  const Seen given = seen(texts);
  const Seen vocabulary = seen(words);
  const std::size_t classes = base.shape(0);
  if (logs.shape(0) != vocabulary.texts.size() || logs.shape(1) != classes)
    throw nb::value_error("One log per word and class.");
  const Reader reader(lower, ngrams, stop_words);
  Dictionary known;
  fill(known, vocabulary.texts);
  if (known.size() != vocabulary.texts.size()) throw nb::value_error("A word stands twice in the vocabulary.");
  const WordLogs by_word{&known, logs.data(), base.data(), classes, once};
  std::unique_ptr<double[]> out(new double[given.texts.size() * classes]);
  run_interruptible(steps_of(given), [&](const StopFlag& stop) {
    add_words(given.texts, by_word, reader.reading, out.get(), thread_count(), stop);
  });
  return give_array(std::move(out), {given.texts.size(), classes});
}

nb::object words_of(nb::list text, bool lower, std::pair<int, int> ngrams, nb::list stop_words) {
  const Seen given = seen(text);
  const Reader reader(lower, ngrams, stop_words);
  Tokens tokens;
  std::vector<std::string_view> words;
  if (given.texts.at(0).data()) {
    tokens.read(given.texts[0], reader.reading);
    tokens.each(reader.reading, [&](std::string_view word, const char*) { words.push_back(word); });
  }
  return give_strings(words);
}
}  // namespace

void bind_words(nb::module_& m) {
  m.def("count_words", &count_texts, nb::arg("texts"), nb::arg("target").noconvert(), nb::arg("classes"),
        nb::arg("weights").noconvert().none(), nb::arg("lower"), nb::arg("ngrams"), nb::arg("stop_words"),
        "Words in order, units of their occurrences and documents [class × word, 2], of known texts, the unit's power of two.");
  m.def("add_words", &sum_words, nb::arg("texts"), nb::arg("words"), nb::arg("logs").noconvert(), nb::arg("base").noconvert(),
        nb::arg("once"), nb::arg("lower"), nb::arg("ngrams"), nb::arg("stop_words"),
        "float64 [row, class]: the base and the log of each word; 0 for a missing text.");
  m.def("words_of", &words_of, nb::arg("text"), nb::arg("lower"), nb::arg("ngrams"), nb::arg("stop_words"),
        "The words of the one text of a list.");
  m.def("letter_runs", &letter_runs, "(first code point, kind) of each run of characters of one kind.");
  m.def("case_pairs", &case_pairs, "(code point, its lower case).");
}
