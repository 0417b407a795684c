// Rules over rows on several threads: as one by one, block after block, and any code without harm.
#include "core/rules/matching.hpp"

#include <cmath>
#include <random>

#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag go{false};
constexpr std::size_t rows = 3 * 4096 + 77;

// Column 0: numbers with gaps; column 1: codes 0…2 with −1, −2 and codes beyond the values.
struct Rows {
  std::vector<double> numbers;
  std::vector<std::int32_t> codes, target;
  std::vector<double> weights;
  Rows() {
    std::mt19937 chance(3);
    for (std::size_t row = 0; row < rows; ++row) {
      numbers.push_back(chance() % 9 == 0 ? std::nan("") : static_cast<double>(chance() % 8));
      codes.push_back(static_cast<std::int32_t>(chance() % 9) - 3);
      target.push_back(static_cast<std::int32_t>(chance() % 4) - 1);
      weights.push_back(0.1 * static_cast<double>(chance() % 5));
    }
  }
  Columns cells() const {
    Column one{Column::Type::float64, reinterpret_cast<const std::byte*>(numbers.data()), sizeof(double), -1};
    Column two{Column::Type::codes, reinterpret_cast<const std::byte*>(codes.data()), sizeof(std::int32_t), 3};
    return {one, two};
  }
};

// 2 < x ≤ 5 or missing; code in {0, 2}; code = 1; x is missing.
const std::vector<std::int32_t> attribute{0, 1, 1, 0}, set_codes{0, 2, 1};
const std::vector<double> low{2, -infinity, -infinity, infinity}, high{5, infinity, infinity, infinity};
const bool or_missing[]{true, false, false, true};
const std::vector<std::int64_t> set_start{0, 0, 2, 3, 3};
const ConditionsView view{4, attribute.data(), low.data(), high.data(), or_missing, set_start.data(), set_codes.data(), 3};
const std::vector<std::int64_t> start{0, 2, 3, 4};
const std::vector<std::int32_t> condition{0, 1, 2, 3};
const RulesView rules{3, start.data(), condition.data()};

bool holds(const Rows& table, std::size_t rule, std::size_t row) {
  const double x = table.numbers[row];
  const std::int32_t code = table.codes[row];
  if (rule == 0) return (std::isnan(x) || (x > 2 && x <= 5)) && (code == 0 || code == 2);
  return rule == 1 ? code == 1 : std::isnan(x);
}

}  // namespace

TEST("each row is taken by the first rule that holds") {
  const Rows table;
  const Conditions conditions(view, table.cells());
  std::vector<std::int32_t> first(rows);
  first_rules(conditions, rules, rows, first.data(), go);
  for (std::size_t row = 0; row < rows; ++row) {
    std::int32_t expected = -1;
    for (std::size_t rule = 3; rule-- > 0;)
      if (holds(table, rule, row)) expected = static_cast<std::int32_t>(rule);
    CHECK(first[row] == expected);
  }
}

TEST("counts of rules do not depend on the number of threads") {
  const Rows table;
  const Conditions conditions(view, table.cells());
  std::vector<double> covered[2], answered[2];
  for (int i = 0; i < 2; ++i) {
    covered[i].resize(9);
    answered[i].resize(12);
    set_thread_count(i ? 4 : 1);
    count_rules(conditions, rules, {rows, 3, table.target.data(), table.weights.data()}, covered[i].data(),
                answered[i].data(), go);
  }
  set_thread_count(0);
  CHECK(covered[0] == covered[1]);
  CHECK(answered[0] == answered[1]);
  std::vector<double> plain(9), first(12);
  count_rules(conditions, rules, {rows, 3, table.target.data(), nullptr}, plain.data(), first.data(), go);
  double by_hand = 0;
  for (std::size_t row = 0; row < rows; ++row) by_hand += holds(table, 1, row) && table.target[row] == 2;
  CHECK(plain[1 * 3 + 2] == by_hand);
}

TEST("votes of all rules that hold are added up") {
  const Rows table;
  const Conditions conditions(view, table.cells());
  const std::vector<double> votes{1, 10, 100};
  std::vector<double> sums(rows);
  std::vector<std::int32_t> held(rows);
  add_votes(conditions, rules, rows, votes.data(), 1, sums.data(), held.data(), go);
  for (std::size_t row = 0; row < rows; ++row) {
    double expected = 0;
    for (std::size_t rule = 0; rule < 3; ++rule) expected += holds(table, rule, row) ? votes[rule] : 0;
    CHECK(sums[row] == expected);
  }
}
