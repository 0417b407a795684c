#include "core/counting/words.hpp"

#include <memory>

namespace clearwood {

namespace {

constexpr std::size_t texts_of_job = 512;

// What one thread has met: words in order of appearance, sums [word][class].
template <class Unit>
struct Met {
  Dictionary words;
  std::vector<Unit> times;
  std::vector<Unit> documents;
  std::vector<std::uint64_t> latest;  // [word] the last text that held it, counted from 1
  std::vector<Unit> known;
  Tokens tokens;
};

template <class Unit>
void count_text(Met<Unit>& met, std::string_view text, std::size_t row, std::size_t of_class, std::size_t classes,
                Unit unit, const TextReading& reading) {
  met.known[of_class] += unit;
  met.tokens.read(text, reading);
  met.tokens.each(reading, [&](std::string_view word, const char* readable) {
    const auto code = static_cast<std::size_t>(met.words.code(word, 0, readable, true));
    if (code == met.latest.size()) {
      met.latest.push_back(0);
      met.times.resize(met.times.size() + classes, 0);
      met.documents.resize(met.documents.size() + classes, 0);
    }
    met.times[code * classes + of_class] += unit;
    if (met.latest[code] == row + 1) return;
    met.latest[code] = row + 1;
    met.documents[code * classes + of_class] += unit;
  });
}

template <class Unit>
WordCounts together(const std::vector<std::unique_ptr<Met<Unit>>>& met, std::size_t classes) {
  struct Place {
    std::string_view word;
    std::uint32_t thread;
    std::uint32_t code;
  };
  std::vector<Place> places;
  for (std::uint32_t t = 0; t < met.size(); ++t)
    for (std::uint32_t code = 0; met[t] && code < met[t]->words.size(); ++code)
      places.push_back({met[t]->words.text(code), t, code});
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.word < b.word; });
  WordCounts counts;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (i == 0 || places[i].word != places[i - 1].word) counts.words.emplace_back(places[i].word);
  const std::size_t width = counts.words.size();
  counts.times.assign(classes * width, 0);
  counts.documents.assign(classes * width, 0);
  counts.known.assign(classes, 0);
  std::size_t word = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i && places[i].word != places[i - 1].word) ++word;
    const Met<Unit>& from = *met[places[i].thread];
    for (std::size_t c = 0; c < classes; ++c) {
      counts.times[c * width + word] += from.times[places[i].code * classes + c];
      counts.documents[c * width + word] += from.documents[places[i].code * classes + c];
    }
  }
  for (const auto& each : met)
    for (std::size_t c = 0; each && c < classes; ++c) counts.known[c] += each->known[c];
  return counts;
}

template <class Unit>
WordCounts count_all(const Texts& texts, const RowsByClass& rows, const TextReading& reading, int threads,
                     const StopFlag& stop) {
  const auto classes = static_cast<std::size_t>(rows.classes);
  std::vector<std::unique_ptr<Met<Unit>>> met(static_cast<std::size_t>(std::max(threads, 1)));
  over_rows(texts.size(), texts_of_job, threads, stop, [&](std::size_t begin, std::size_t end, int thread) {
    auto& mine = met[static_cast<std::size_t>(thread)];
    if (!mine) {
      mine = std::make_unique<Met<Unit>>();
      mine->known.assign(classes, 0);
    }
    for (std::size_t row = begin; row < end; ++row) {
      check(stop);
      if (!texts[row].data()) continue;
      Unit unit = 1;
      if constexpr (std::is_same_v<Unit, Whole>) unit = rows.weights->units[row];
      count_text(*mine, texts[row], row, static_cast<std::size_t>(rows.classes_of[row]), classes, unit, reading);
    }
  });
  return together(met, classes);
}

}  // namespace

WordCounts count_words(const Texts& texts, const RowsByClass& rows, const TextReading& reading, int threads,
                       const StopFlag& stop) {
  if (texts.size() != rows.rows) throw std::invalid_argument("one text per row");
  check_classes(rows);
  return rows.weighted() ? count_all<Whole>(texts, rows, reading, threads, stop)
                         : count_all<std::uint64_t>(texts, rows, reading, threads, stop);
}

void add_words(const Texts& texts, const WordLogs& words, const TextReading& reading, double* out, int threads,
               const StopFlag& stop) {
  struct Mine {
    Tokens tokens;
    std::vector<std::uint64_t> latest;
  };
  std::vector<Mine> mine(static_cast<std::size_t>(std::max(threads, 1)));
  over_rows(texts.size(), texts_of_job, threads, stop, [&](std::size_t begin, std::size_t end, int thread) {
    auto& [tokens, latest] = mine[static_cast<std::size_t>(thread)];
    if (words.once) latest.resize(words.vocabulary->size(), 0);
    for (std::size_t row = begin; row < end; ++row) {
      check(stop);
      double* const sums = out + row * words.classes;
      if (!texts[row].data()) {
        std::fill(sums, sums + words.classes, 0.0);
        continue;
      }
      std::copy(words.base, words.base + words.classes, sums);
      tokens.read(texts[row], reading);
      tokens.each(reading, [&](std::string_view word, const char* readable) {
        const std::int32_t code = words.vocabulary->find(word, readable);
        if (code < 0) return;
        if (words.once) {
          if (latest[static_cast<std::size_t>(code)] == row + 1) return;
          latest[static_cast<std::size_t>(code)] = row + 1;
        }
        const double* const logs = words.logs + static_cast<std::size_t>(code) * words.classes;
        for (std::size_t c = 0; c < words.classes; ++c) sums[c] += logs[c];
      });
    }
  });
}

}  // namespace clearwood
