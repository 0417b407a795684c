// ReliefF: the same scores at any number of threads, missing cells, and rows alone in their class.
#include "core/selecting/relieff.hpp"

#include <cmath>

#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag never_stopped{false};

std::vector<std::int32_t> drawn_cells(std::size_t rows, std::uint32_t seed, std::int32_t below, bool missing) {
  std::vector<std::int32_t> cells(rows);
  for (auto& cell : cells) {
    seed = seed * 1664525u + 1013904223u;
    cell = static_cast<std::int32_t>((seed >> 8) % static_cast<std::uint32_t>(below));
    if (missing && (seed >> 28) == 0) cell = -1;
  }
  return cells;
}

TEST("a column that is the class scores 1, one that has nothing to do with it about 0") {
  const std::size_t rows = 3000;
  const auto classes = drawn_cells(rows, 1, 2, false);
  const auto noise = drawn_cells(rows, 2, 2, false);
  ReliefTask task;
  task.rows = task.references = rows;
  task.columns = {{classes.data(), false}, {noise.data(), false}};
  task.target = classes.data();
  task.classes = 2;
  const auto scores = relieff(task, 2, never_stopped);
  CHECK(std::abs(scores[0] - 1.0) < 1e-9);
  CHECK(std::abs(scores[1]) < 0.05);
}

TEST("scores do not depend on the threads, with missing cells, weights and many tiles") {
  const std::size_t rows = 5000;
  const auto one = drawn_cells(rows, 3, 1000, true);
  const auto other = drawn_cells(rows, 4, 7, true);
  const auto target = drawn_cells(rows, 5, 1000, false);
  const auto classes = drawn_cells(rows, 6, 4, false);
  std::vector<double> weights(rows);
  for (std::size_t row = 0; row < rows; ++row) weights[row] = 0.25 + static_cast<double>(row % 7);
  for (const bool numeric : {false, true}) {
    ReliefTask task;
    task.rows = rows;
    task.references = 70;
    task.unit = 1000;
    task.columns = {{one.data(), true}, {other.data(), false}};
    task.target = numeric ? target.data() : classes.data();
    task.classes = numeric ? 0 : 4;
    task.weight_of = weights.data();
    const auto alone = relieff(task, 1, never_stopped);
    CHECK(alone == relieff(task, 3, never_stopped));
    for (const double score : alone) CHECK(score >= -1 && score <= 1);
  }
}

TEST("no rows, one row, and a row alone in its class give numbers") {
  const std::vector<std::int32_t> cells{-1, 0, 1};
  const std::vector<std::int32_t> classes{0, 1, 1};
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    ReliefTask task;
    task.rows = task.references = rows;
    task.columns = {{cells.data(), false}};
    task.target = classes.data();
    task.classes = 2;
    const auto scores = relieff(task, 1, never_stopped);
    CHECK(scores.size() == 1 && std::isfinite(scores[0]));
  }
}

}  // namespace
