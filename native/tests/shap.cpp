// SHAP values on several threads: they add up to the answer, and are the same as on one.
#include "core/ensembles/shap.hpp"

#include <cmath>
#include <random>

#include "core/trees/walk.hpp"
#include "tests/random_tree.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {
const StopFlag go{false};
}  // namespace

TEST("few points integrate polynomials without error") {
  for (int points = 1; points <= 40; ++points) {
    const Quadrature rule = quadrature(points);
    for (int degree = 0; degree < 2 * points; ++degree) {
      double sum = 0;
      for (int k = 0; k < points; ++k) sum += rule.weight[k] * std::pow(rule.at[k], degree);
      CHECK(std::abs(sum - 1.0 / (degree + 1)) < 1e-13);
    }
  }
}

TEST("what the columns add is the answer less the mean answer, at any number of threads") {
  constexpr int64_t rows = 3'001;
  std::mt19937 chance(11);
  std::vector<float> cells(2 * rows);
  std::vector<int32_t> codes(rows);
  for (float& x : cells) x = chance() % 9 == 0 ? std::nanf("") : static_cast<float>(chance() % 17) / 8 - 1;
  for (int32_t& code : codes) code = static_cast<int32_t>(chance() % 7) - 2;
  const std::byte* data = reinterpret_cast<const std::byte*>(cells.data());
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Grown tree(seed, seed % 2 == 0, seed % 3 == 0 ? 9 : 5);
    const Walk walk(tree.view(), {Column{Column::Type::float32, data, 8, 0},
                                  Column{Column::Type::float32, data + 4, 8, 0},
                                  Column{Column::Type::codes, reinterpret_cast<const std::byte*>(codes.data()), 4, 4}});
    const int32_t width = 1 + static_cast<int32_t>(seed % 2);
    std::vector<double> cover(tree.end.size()), answers(tree.end.size() * static_cast<std::size_t>(width));
    for (double& each : cover) each = chance() % 5;
    for (double& each : answers) each = chance() % 100 / 10.0;
    std::vector<double> expected(rows * width), mean(width), one(rows * 3 * width, 0.0), four(one);
    average_of(walk, rows, answers.data(), width, expected.data(), go);
    set_thread_count(1);
    add_shap(walk, cover.data(), answers.data(), width, 0.5, rows, 3, width, 0, one.data(), mean.data(), go);
    set_thread_count(4);
    add_shap(walk, cover.data(), answers.data(), width, 0.5, rows, 3, width, 0, four.data(), mean.data(), go);
    CHECK(one == four);
    for (int64_t row = 0; row < rows; ++row)
      for (int32_t j = 0; j < width; ++j) {
        double sum = mean[j];
        for (int64_t column = 0; column < 3; ++column) sum += one[(row * 3 + column) * width + j];
        CHECK(std::abs(sum - 0.5 * expected[row * width + j]) < 1e-9);
      }
  }
  set_thread_count(0);
}
