// Boosted rounds on random codes: the same scores for any number of threads, and sums as one would add them.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "core/counting/codes.hpp"
#include "core/ensembles/boosted_round.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

struct RandomRows {
  std::vector<std::uint8_t> first, second;
  std::vector<std::uint16_t> third;
  std::vector<std::uint32_t> fourth;
  std::vector<std::uint8_t> held;
  std::vector<std::int32_t> code;
  std::vector<double> number, weight, cuts;
  CodedRows coded;

  RandomRows(std::size_t rows, unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned limit) { return static_cast<std::uint32_t>(random() % limit); };
    cuts.resize(70000);
    for (std::size_t i = 0; i < cuts.size(); ++i) cuts[i] = static_cast<double>(i);
    for (std::size_t row = 0; row < rows; ++row) {
      first.push_back(static_cast<std::uint8_t>(below(256)));
      second.push_back(static_cast<std::uint8_t>(below(6)));
      third.push_back(static_cast<std::uint16_t>(below(301)));
      fourth.push_back(below(70001));
      code.push_back(static_cast<std::int32_t>((first.back() > 128) ^ (below(4) == 0)));
      number.push_back(static_cast<double>(first.back()) + second.back());
      weight.push_back(1.0 + below(3));
      held.push_back(below(5) == 0);
    }
    coded.rows = rows;
    coded.columns = {{first.data(), 1, 255}, {second.data(), 1, 5}, {third.data(), 2, 300}, {fourth.data(), 4, 70000}};
    coded.lay_out(4096);
    const StopFlag stop{false};
    coded.join(1, stop);
  }
};

std::vector<double> scores_after(RandomRows& data, Loss loss, std::size_t leaves, int threads, bool some) {
  BoostedRows rows;
  rows.loss = loss;
  rows.rows = data.coded.rows;
  rows.scores = loss == Loss::softmax ? 2 : 1;
  rows.code = data.code.data();
  rows.number = data.number.data();
  rows.weight = data.weight.data();
  rows.held = some ? data.held.data() : nullptr;
  RoundRules rules;
  rules.tree.max_depth = 5;
  rules.tree.leaves = leaves;
  rules.tree.gamma = 0.2;
  for (std::size_t c = 0; c < 4; ++c) rules.cuts.push_back(c == 1 ? nullptr : data.cuts.data());
  const std::vector<SplitColumn> columns{{0, 255, true, 0}, {1, 5, false, 0}, {2, 300, true, 0}, {3, 70000, true, 0}};
  rules.columns.assign(rows.scores, columns);
  std::vector<std::uint32_t> sample;
  for (std::uint32_t row = 0; row < rows.rows; ++row)
    if (data.held[row] == 0) sample.push_back(row);
  std::vector<double> scores(rows.rows * rows.scores);
  const StopFlag stop{false};
  RoundRoom room;
  for (int round = 0; round < 3; ++round) boost(data.coded, rows, some ? &sample : nullptr, rules, scores.data(), room, threads, stop);
  return scores;
}

}  // namespace

TEST("boosting moves the same scores on any number of threads") {
  for (const std::size_t rows : {1u, 2u, 300u, 20000u}) {
    RandomRows data(rows, 7);
    for (const Loss loss : {Loss::logistic, Loss::softmax, Loss::squared, Loss::absolute, Loss::poisson})
      for (const bool some : {false, true}) {
        const auto one = scores_after(data, loss, some ? 9 : 0, 1, some);
        CHECK(one == scores_after(data, loss, some ? 9 : 0, 3, some));
        CHECK(std::isfinite(one[0]));
      }
  }
}

TEST("sums by region are those of rows one by one") {
  RandomRows data(40000, 3);
  data.coded.lay_out(~std::size_t{0});
  const StopFlag stop{false};
  data.coded.join(1, stop);
  std::vector<Word> words;
  std::vector<std::int32_t> region;
  std::vector<Sum> plain(2 * data.coded.bins), sums(2 * data.coded.bins);
  for (std::size_t row = 0; row < data.coded.rows; ++row) {
    const std::int64_t g = static_cast<std::int64_t>(row % 1000) * 131 - 65000, h = static_cast<std::int64_t>(row % 77) * 1000;
    words.push_back(packed(g, h));
    region.push_back(static_cast<std::int32_t>(row % 3) - 1);
    if (region.back() < 0) continue;
    for (std::size_t c = 0; c < 4; ++c)
      plain[static_cast<std::size_t>(region.back()) * data.coded.bins + data.coded.offset[c] + data.coded.columns[c].at(row)] += Sum{g, h};
  }
  RowSums values;
  values.words = words.data();
  add_region_sums(data.coded, values, region.data(), 2, sums.data(), 3, stop);
  CHECK(plain == sums);
}

TEST("columns of few combinations are counted as one, and their sums are those of rows one by one") {
  constexpr std::size_t rows = 40000, values = 40, coins = 10;
  std::mt19937 random(5);
  std::vector<std::vector<std::uint8_t>> cells(values + coins + 2, std::vector<std::uint8_t>(rows));
  std::vector<std::uint16_t> wide(rows);
  std::vector<Word> words;
  std::vector<std::int64_t> g, h;
  for (std::size_t row = 0; row < rows; ++row) {
    cells[random() % values][row] = 1;  // one 1 among zeros
    for (std::size_t c = 0; c < coins; ++c) cells[values + c][row] = static_cast<std::uint8_t>(random() % 2);
    cells[values + coins][row] = static_cast<std::uint8_t>(random() % 256);
    cells[values + coins + 1][row] = static_cast<std::uint8_t>(random() % 200);
    wide[row] = static_cast<std::uint16_t>(random() % 300);
    g.push_back(static_cast<std::int64_t>(random() % 131072) - 65536);
    h.push_back(static_cast<std::int64_t>(random() % 131072));
    words.push_back(packed(g.back(), h.back()));
  }
  CodedRows coded;
  coded.rows = rows;
  for (std::size_t c = 0; c < cells.size(); ++c) coded.columns.push_back({cells[c].data(), 1, c < values + coins ? 2u : 255u});
  coded.columns.push_back({wide.data(), 2, 300});
  coded.lay_out(4096);
  const StopFlag stop{false};
  coded.join(2, stop);
  CHECK(coded.joints.size() == 4);  // all 40 with 2 coins, 8 coins, and two columns by themselves
  std::vector<std::int32_t> all(coded.columns.size()), some;
  std::iota(all.begin(), all.end(), 0);
  for (const std::int32_t c : all)
    if (c % 3 != 0) some.push_back(c);
  RowSums in_words, in_numbers;
  in_words.words = words.data();
  in_numbers.g = g.data(), in_numbers.h = h.data();
  std::vector<std::uint32_t> picked;
  for (std::uint32_t row = 0; row < rows; ++row)
    if (random() % 4 != 0) picked.push_back(row);
  HistogramRoom room;
  for (const std::vector<std::int32_t>& columns : {all, some})
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}, std::size_t{200}, std::size_t{5000}, picked.size()})
      for (const bool in_order : {true, false})
        for (const RowSums& values_of : {in_words, in_numbers}) {
          std::vector<Sum> sums(coded.bins), plain(coded.bins);
          add_sums(coded, values_of, in_order ? nullptr : picked.data(), 0, end, Counted(coded, columns), room, sums.data());
          for (std::size_t i = 0; i < end; ++i) {
            const std::size_t row = in_order ? i : picked[i];
            for (const std::int32_t c : columns)
              plain[coded.offset[static_cast<std::size_t>(c)] + coded.columns[static_cast<std::size_t>(c)].at(row)] += Sum{g[row], h[row]};
          }
          bool same = true;
          for (const std::int32_t c : columns) {
            const std::size_t first = coded.offset[static_cast<std::size_t>(c)];
            const std::size_t last = first + coded.columns[static_cast<std::size_t>(c)].bins();
            same &= std::equal(sums.begin() + static_cast<std::ptrdiff_t>(first), sums.begin() + static_cast<std::ptrdiff_t>(last),
                               plain.begin() + static_cast<std::ptrdiff_t>(first));
          }
          CHECK(same);
        }
}

TEST("a code is how many cuts lie below") {
  const std::vector<float> numbers{3.0f, NAN, -1.0f, 3.0f, 7.5f, -0.0f, 0.0f};
  Column column;
  column.type = Column::Type::float32;
  column.data = reinterpret_cast<const std::byte*>(numbers.data());
  column.stride = sizeof(float);
  Coding coding;
  coding.cuts = cuts_of(column, numbers.size(), nullptr, 254);
  coding.known = static_cast<std::uint32_t>(coding.cuts.size()) + 1;
  CHECK((coding.cuts == std::vector<double>{-0.5, 1.5, 5.25}));
  std::vector<std::uint8_t> codes(numbers.size());
  write_codes(column, coding, 0, numbers.size(), codes.data());
  CHECK((codes == std::vector<std::uint8_t>{2, 4, 0, 2, 3, 1, 1}));
}
