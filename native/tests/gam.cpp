// Additive models: steps, bags and sums on small tables, at any number of threads.
#include "core/ensembles/gam.hpp"

#include <cmath>
#include <limits>

#include "tests/testing.hpp"

using namespace clearwood;

namespace {

struct Curves {
  std::vector<std::int32_t> logistic, exponential;
  std::vector<double> softplus;
  Curves() {
    for (int k = 0; k <= 4096; ++k) {
      const double s = (k - 2048) / 128.0;
      logistic.push_back(static_cast<std::int32_t>(std::lround(gam_unit / (1 + std::exp(-s)))));
      softplus.push_back(std::log1p(std::exp(s)));
    }
    for (int k = 0; k <= 2048; ++k)
      exponential.push_back(static_cast<std::int32_t>(std::lround(16777216.0 * std::exp((k - 2048) / 128.0))));
  }
  GamCurves view() const { return {logistic.data(), exponential.data(), softplus.data()}; }
};

TEST("an additive model has the same tables at any number of threads, for every loss") {
  const std::size_t rows = 200;
  std::vector<std::uint16_t> first(rows), second(rows), both(rows);
  std::vector<std::int32_t> classes(rows);
  std::vector<std::int64_t> numbers(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    first[r] = static_cast<std::uint16_t>(r % 7);   // the last of 7 + 2 cells are missing and unseen
    second[r] = static_cast<std::uint16_t>(r % 5);
    both[r] = static_cast<std::uint16_t>(first[r] * 7 + second[r]);
    classes[r] = (r % 7 > 3) != (r % 5 > 2);
    numbers[r] = static_cast<std::int64_t>(classes[r]) << gam_bits;
  }
  const Curves curves;
  const StopFlag never{false};
  for (const GamLoss loss : {GamLoss::logistic, GamLoss::softmax, GamLoss::squared}) {
    const std::vector<std::int64_t> base(loss == GamLoss::softmax ? 3 : 1, 0);
    GamRows table;
    table.rows = rows;
    table.loss = loss;
    table.scores = static_cast<std::int32_t>(base.size());
    table.classes = classes.data();
    table.numbers = numbers.data();
    table.base = base.data();
    GamTerm one, two, pair;
    one.codes = first.data();
    one.cells = 9;
    two.codes = second.data();
    two.cells = 7;
    two.ordered = false;
    pair.codes = both.data();
    pair.cells = 63;
    pair.pair = true;
    pair.wide = 7;
    pair.first = {0, 1, 2, 3, 4, 5, 6, -1, -1};
    pair.second = {0, 1, 2, 3, 4, -1, -1};
    GamSettings settings;
    settings.rounds = 20;
    settings.smoothing = 5;
    std::vector<std::int64_t> seen;
    for (const int threads : {1, 2, 4}) {
      Progress progress;
      const auto mains = gam_boost(table, {3, rows, 7}, curves.view(), {}, {one, two}, settings, threads, progress, never);
      const auto pairs = gam_boost(table, {3, rows, 7}, curves.view(), {{one, two}, mains.points.data()}, {pair}, settings,
                                   threads, progress, never);
      CHECK(pairs.points.size() == 3 * base.size() * 63);
      if (threads == 1) seen = pairs.points;
      CHECK(seen == pairs.points);
    }
  }
}

TEST("a number on a cut lies below it, and a missing or unseen cell has its place") {
  const std::vector<double> numbers{1.0, 2.0, 2.5, std::numeric_limits<double>::quiet_NaN()}, cuts{2.0};
  const std::vector<std::int32_t> codes{0, -1, -2, 1};
  Column column;
  column.type = Column::Type::float64;
  column.data = reinterpret_cast<const std::byte*>(numbers.data());
  column.stride = sizeof(double);
  Column values;
  values.data = reinterpret_cast<const std::byte*>(codes.data());
  values.stride = sizeof(std::int32_t);
  values.values = 2;
  const std::vector<double> points{1, 2, 3, 4}, of_values{10, 20, 30, 40}, base{0.5};
  std::vector<double> scores(4);
  const StopFlag never{false};
  additive_scores({{{{column, cuts}}, points}, {{{values, {}}}, of_values}}, base, 4, scores.data(), 2, never);
  CHECK((scores == std::vector<double>{11.5, 31.5, 42.5, 23.5}));
}

}  // namespace
