// ILA: rows described by the fewest values, whatever the threads and the room for candidates.
#include "core/rules/ila.hpp"

#include <random>

#include "core/rules/ila_counts.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag never{false};

IlaTask a_task(std::vector<std::int32_t> cells, std::vector<std::int32_t> values, const std::vector<std::int32_t>& classes) {
  IlaTask task;
  task.rows = classes.size();
  task.columns = values.size();
  task.cells = std::move(cells);
  task.values = std::move(values);
  task.class_of = classes.data();
  task.order = {0, 1};
  std::vector<std::int32_t> columns;
  for (std::size_t c = 0; c < task.columns; ++c) columns.push_back(static_cast<std::int32_t>(c));
  task.relevant = {columns, columns};
  task.most_combinations = 1000;
  return task;
}

bool same(const IlaRules& a, const IlaRules& b) {
  return a.cls == b.cls && a.covers == b.covers && a.wrong == b.wrong && a.start == b.start && a.column == b.column &&
         a.code == b.code && a.left == b.left;
}

TEST("one value where it will do, two where it will not, and contradictions are left over") {
  const std::vector<std::int32_t> classes{0, 0, 0, 1, 1, 1};
  //                        x x  x y  y y  x y' z y  z y
  const IlaTask task = a_task({0, 0, 0, 1, 1, 1, 0, 2, 2, 1, 1, 1}, {3, 3}, classes);
  const IlaRules rules = learn_ila(task, std::vector<char>(6, 0), 2, never);
  CHECK((rules.left == std::vector<std::int64_t>{2, 5}));
  CHECK((rules.cls == std::vector<std::int32_t>{0, 0, 1, 1}));
  CHECK((rules.start == std::vector<std::int64_t>{0, 1, 3, 4, 5}));
  CHECK((rules.column == std::vector<std::int32_t>{1, 0, 1, 0, 1}));
  CHECK((rules.code == std::vector<std::int32_t>{0, 0, 1, 2, 2}));
}

TEST("threads and little room change nothing, with penalties, missing cells and weights") {
  std::mt19937 random(7);
  for (int round = 0; round < 12; ++round) {
    std::vector<std::int32_t> cells, classes;
    std::vector<Units> units;
    for (int row = 0; row < 150; ++row) {
      for (int c = 0; c < 5; ++c) cells.push_back(static_cast<std::int32_t>(random() % 5) - 1);
      classes.push_back(static_cast<std::int32_t>(random() % 2));
      units.push_back(1 + static_cast<Units>(random() % 3));
    }
    IlaTask task = a_task(cells, {4, 4, 4, 4, 4}, classes);
    task.units_of = round % 2 ? units.data() : nullptr;
    task.fast = round % 3 == 0;
    task.cautious = round % 4 == 0;
    task.penalty_under = round % 3;
    task.penalty_over = 2;
    const std::vector<char> none(150, 0);
    const IlaRules expected = learn_ila(task, none, 1, never);
    CHECK(!expected.cls.empty());
    task.most_candidates = 5;
    CHECK(same(expected, learn_ila(task, none, 3, never)));
  }
}

TEST("a size with too many combinations is refused before it is begun") {
  const std::vector<std::int32_t> classes{0, 1, 1, 1, 1};
  IlaTask task = a_task({0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1}, {2, 2, 2}, classes);
  task.most_combinations = 2;
  bool refused = false;
  try {
    learn_ila(task, std::vector<char>(5, 0), 1, never);
  } catch (const TooManyCombinations& error) {
    refused = error.size == 1 && error.cls == 0;
  }
  CHECK(refused);
  CHECK(count_combinations(60, 5, 10'000'000) == 5'461'512);
  CHECK(count_combinations(5000, 2500, 100) == 101);
}

TEST("a size that takes too long is refused, but not single columns") {
  const std::vector<std::int32_t> classes{0, 1, 1, 1, 1};
  IlaTask task = a_task({0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1}, {2, 2, 2}, classes);
  task.most_work = 14;  // three pairs in five rows are 15
  std::size_t refused = 0;
  try {
    learn_ila(task, std::vector<char>(5, 0), 1, never);
  } catch (const TooManyCombinations& error) {
    refused = error.size;
  }
  CHECK(refused == 2);
  task.most_work = 15;
  learn_ila(task, std::vector<char>(5, 0), 1, never);
}

TEST("a combination's place in order leads back to its columns") {
  const Combinations all({1, 3, 4, 6, 9}, 3);
  std::vector<std::int32_t> columns, before;
  for (std::uint32_t place = 0; place < 10; ++place) {
    all.columns_of(place, columns);
    CHECK(columns.size() == 3 && (before.empty() || before < columns));
    before = columns;
  }
  CHECK((before == std::vector<std::int32_t>{4, 6, 9}));
}

}  // namespace
