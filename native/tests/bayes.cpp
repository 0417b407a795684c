// Bayes: exact sums, whatever the threads and the order; shares that sum to 1; codes out of range refused.
#include "core/bayes/bayes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/counting/moments.hpp"
#include "core/counting/tally.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag go{false};

template <class T>
Column column_over(const std::vector<T>& cells, Column::Type type, std::int32_t values = 0) {
  return {type, reinterpret_cast<const std::byte*>(cells.data()), sizeof(T), values};
}

struct Rows {
  std::vector<std::int32_t> classes_of, codes;
  std::vector<double> numbers, weights;

  Rows(std::size_t rows, unsigned seed) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
      classes_of.push_back(static_cast<std::int32_t>(random() % 3));
      codes.push_back(static_cast<std::int32_t>(random() % 7) - 2);
      numbers.push_back(i % 11 ? (static_cast<double>(random()) - 2e9) * std::exp2(static_cast<int>(random() % 60) - 30)
                               : std::numeric_limits<double>::quiet_NaN());
      weights.push_back(static_cast<double>(random() % 1000) / 7 + 0.001);
    }
  }
};

bool same(const Moments& one, const Moments& two) {
  return one.missing == two.missing && one.sums == two.sums && one.squares == two.squares && one.far == two.far;
}

TEST("sums and counts do not depend on the threads or on the order of rows") {
  for (const bool weighted : {false, true}) {
    Rows rows(300'000, 4);
    const WeightUnits units = weight_units(weighted ? rows.weights.data() : nullptr, rows.numbers.size());
    const RowsByClass by_class{rows.classes_of.data(), rows.numbers.size(), 3, &units};
    const std::vector<Column> numbers{column_over(rows.numbers, Column::Type::float64)};
    const std::vector<Column> codes{column_over(rows.codes, Column::Type::codes, 5)};
    const auto one = moments(numbers, by_class, 1, go);
    const auto counts = tally(codes, by_class, 1, go);
    CHECK(same(one, moments(numbers, by_class, 3, go)));
    CHECK(counts == tally(codes, by_class, 3, go));
    for (auto* each : {&rows.classes_of, &rows.codes}) std::reverse(each->begin(), each->end());
    for (auto* each : {&rows.numbers, &rows.weights}) std::reverse(each->begin(), each->end());
    const WeightUnits turned = weight_units(weighted ? rows.weights.data() : nullptr, rows.numbers.size());
    const RowsByClass back{rows.classes_of.data(), rows.numbers.size(), 3, &turned};
    CHECK(same(one, moments(numbers, back, 2, go)));
    CHECK(counts == tally(codes, back, 2, go));
  }
}

TEST("numbers of any size are summed alike, alone or beside others, by columns or by rows") {
  const std::vector<double> pool{0.0, -0.0, 1.0, -3.25, 0x1p-1074, -0x1.8p-900, 0x1.fffffffffffffp60, -0x1p497, 0x1p70, 5e-9};
  std::vector<double> numbers, twice;
  std::vector<std::int32_t> classes_of;
  std::uint32_t seed = 7;
  for (std::size_t row = 0; row < 70'000; ++row) {
    seed = seed * 1664525u + 1013904223u;
    numbers.push_back(pool[(seed >> 16) % pool.size()]);
    classes_of.push_back(static_cast<std::int32_t>(seed >> 30 & 1));
    twice.insert(twice.end(), {numbers.back(), numbers.back()});
  }
  const RowsByClass rows{classes_of.data(), numbers.size(), 2, nullptr};
  const std::vector<double> ones(numbers.size(), 1.0);
  const WeightUnits units = weight_units(ones.data(), ones.size());
  const RowsByClass weighed{classes_of.data(), numbers.size(), 2, &units};
  Column left = column_over(numbers, Column::Type::float64);
  const auto alone = moments({left}, rows, 1, go);
  // With weights no numbers share a unit, so this is another way to the same sums.
  CHECK(same(alone, moments({left}, weighed, 2, go)));
  left.data = reinterpret_cast<const std::byte*>(twice.data());
  left.stride = 2 * sizeof(double);
  Column right = left;
  right.data += sizeof(double);
  const auto both = moments({left, right}, rows, 3, go);
  for (std::size_t c = 0; c < 2; ++c) {
    CHECK(std::equal(alone.sums.begin(), alone.sums.end(), both.sums.begin() + static_cast<std::ptrdiff_t>(c * alone.sums.size())));
    CHECK(std::equal(alone.squares.begin(), alone.squares.end(),
                     both.squares.begin() + static_cast<std::ptrdiff_t>(c * alone.squares.size())));
  }
}

TEST("a number too large to square is reported, and an empty cell is not taken for one") {
  const std::vector<double> numbers{1, std::numeric_limits<double>::quiet_NaN(), -1e200, 1e300};
  const std::vector<std::int32_t> classes_of(4, 0);
  const RowsByClass rows{classes_of.data(), 4, 1, nullptr};
  const auto sums = moments({column_over(numbers, Column::Type::float64)}, rows, 2, go);
  CHECK(sums.far[0] == 2);
  CHECK(sums.missing[0] == 1);
}

TEST("codes and classes out of range are refused") {
  const std::vector<std::int32_t> codes{0, 1, 9};
  const std::vector<std::int32_t> classes_of{0, 0, 0};
  const RowsByClass rows{classes_of.data(), 3, 1, nullptr};
  const RowsByClass wrong{codes.data(), 3, 1, nullptr};
  const std::vector<double> table(22, 0.0);
  const auto refused = [](auto&& work) {
    try {
      work();
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(refused([&] { tally({column_over(codes, Column::Type::codes, 9)}, rows, 1, go); }));
  CHECK(refused([&] { tally({column_over(classes_of, Column::Type::codes, 9)}, wrong, 1, go); }));
  Evidence evidence{{{Term::Kind::codes, column_over(codes, Column::Type::codes, 9), table.data()}}, {0.0, 0.0}, 3};
  std::vector<std::int32_t> out(3);
  CHECK(refused([&] { likeliest(evidence, out.data(), 1, go); }));
}

TEST("shares sum to 1 where their logs are far below what a double can hold") {
  const std::vector<double> numbers(5000, 40.0);
  const std::vector<double> bell{0, 0, 0, -1, 50, 50};  // constants, means, precisions of two classes
  Evidence evidence{{{Term::Kind::bell, column_over(numbers, Column::Type::float64), bell.data()}}, {-1.0, -1.0}, 5000};
  std::vector<double> out(10000);
  CHECK(posterior(evidence, out.data(), 2, go).empty());
  for (std::size_t row = 0; row < 5000; ++row) CHECK(std::abs(out[2 * row] + out[2 * row + 1] - 1) < 1e-12);
  CHECK(out[0] == 1.0);
}

TEST("rows that no class can have made are named, in order") {
  const double never = -std::numeric_limits<double>::infinity();
  const std::vector<double> table{0, 0, 0, 0, never, never, 0, never};
  std::vector<std::int32_t> codes(9000, 1);
  codes[7] = codes[8000] = 0;
  Evidence evidence{{{Term::Kind::codes, column_over(codes, Column::Type::codes, 2), table.data()}}, {-1.0, -1.0}, 9000};
  std::vector<std::int32_t> out(9000);
  CHECK((likeliest(evidence, out.data(), 2, go) == std::vector<std::int64_t>{7, 8000}));
}

}  // namespace
