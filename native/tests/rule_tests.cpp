// Counts by condition, against counting row by row.
#include "core/rules/matching.hpp"

#include <random>
#include <stdexcept>
#include <vector>

#include "tests/testing.hpp"

using namespace clearwood;

namespace {

struct Example {
  std::size_t rows, words;
  std::vector<Word> bits;
  std::vector<std::int32_t> target, members;
  std::vector<std::int64_t> starts{0};
  std::vector<double> weights;

  Example(std::size_t rows_, std::size_t conditions, std::size_t rules, std::int32_t classes, unsigned seed)
      : rows(rows_), words(words_for(rows_)), bits(conditions * words, 0), target(rows_), weights(rows_) {
    std::mt19937 random(seed);
    for (std::size_t c = 0; c < conditions; ++c)
      for (std::size_t row = 0; row < rows; ++row)
        if (random() % 3) bits[c * words + row / 64] |= Word{1} << (row % 64);
    for (std::size_t row = 0; row < rows; ++row) {
      target[row] = static_cast<std::int32_t>(random() % static_cast<unsigned>(classes));
      weights[row] = static_cast<double>(1 + random() % 3);
    }
    for (std::size_t rule = 0; rule < rules; ++rule) {
      for (std::size_t k = random() % 4; k > 0; --k)
        members.push_back(static_cast<std::int32_t>(random() % conditions));
      starts.push_back(static_cast<std::int64_t>(members.size()));
    }
  }

  bool holds(std::int32_t condition, std::size_t row) const {
    return bits[static_cast<std::size_t>(condition) * words + row / 64] >> (row % 64) & 1;
  }
};

bool as_counted_row_by_row(const Example& e, std::int32_t classes, bool weighted, int threads) {
  const StopFlag stop{false};
  const auto width = static_cast<std::size_t>(classes);
  std::vector<double> counts(e.members.size() * 2 * width, 0.0), expected = counts;
  count_by_condition({e.bits.data(), e.bits.size() / e.words}, {e.starts, e.members},
                     {e.rows, classes, e.target.data(), weighted ? e.weights.data() : nullptr}, counts.data(), threads, stop);
  for (std::size_t rule = 0; rule + 1 < e.starts.size(); ++rule)
    for (auto m = e.starts[rule]; m < e.starts[rule + 1]; ++m)
      for (std::size_t row = 0; row < e.rows; ++row) {
        bool others = true;
        for (auto n = e.starts[rule]; n < e.starts[rule + 1]; ++n)
          others = others && (n == m || e.holds(e.members[static_cast<std::size_t>(n)], row));
        if (!others) continue;
        const std::size_t side = e.holds(e.members[static_cast<std::size_t>(m)], row) ? 0 : 1;
        expected[(static_cast<std::size_t>(m) * 2 + side) * width + static_cast<std::size_t>(e.target[row])] +=
            weighted ? e.weights[row] : 1.0;
      }
  return counts == expected;
}

TEST("conditions are counted by class among the rows of the rule's other conditions") {
  for (unsigned seed = 0; seed < 12; ++seed)
    for (const int threads : {1, 3}) {
      CHECK(as_counted_row_by_row(Example(1 + seed * 37, 9, 40, 3, seed), 3, seed % 2, threads));
      CHECK(as_counted_row_by_row(Example(150, 5, 20, 90, seed), 90, false, threads));
    }
}

TEST("a code, start or member out of range is refused") {
  const StopFlag stop{false};
  std::vector<double> counts(1000);
  const auto refused = [&](const Example& e, std::int32_t classes) {
    try {
      count_by_condition({e.bits.data(), e.bits.size() / e.words}, {e.starts, e.members},
                         {e.rows, classes, e.target.data(), nullptr}, counts.data(), 1, stop);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  Example e(70, 4, 10, 3, 1);
  CHECK(refused(e, 1));
  Example far = e;
  far.members[0] = 4;
  CHECK(refused(far, 3));
  Example astray = e;
  astray.starts.back() += 1;
  CHECK(refused(astray, 3));
}

}  // namespace
