// Rows down a tree on several threads: side by side as one by one, and any code without harm.
#include "core/trees/walk.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "tests/random_tree.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag go{false};

}  // namespace

TEST("many rows on threads end in the leaves that each ends in alone") {
  constexpr int64_t rows = 20'011;
  std::mt19937 chance(7);
  std::vector<float> cells(2 * rows);
  std::vector<int32_t> codes(rows);
  for (float& x : cells) x = chance() % 9 == 0 ? std::nanf("") : static_cast<float>(chance() % 17) / 8 - 1;
  const int32_t odd[] = {-1, -2, -7, 4, 1000, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()};
  for (int32_t& code : codes) code = chance() % 3 == 0 ? odd[chance() % 7] : static_cast<int32_t>(chance() % 4);
  const std::byte* data = reinterpret_cast<const std::byte*>(cells.data());
  set_thread_count(4);
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Grown tree(seed, seed % 2 == 0, 6);
    const Walk walk(tree.view(), {Column{Column::Type::float32, data, 8, 0},
                                  Column{Column::Type::float32, data + 4, 8, 0},
                                  Column{Column::Type::codes, reinterpret_cast<const std::byte*>(codes.data()), 4, 4}});
    std::vector<int32_t> leaves(rows);
    leaves_of(walk, rows, leaves.data(), go);
    std::vector<double> counts(2 * tree.end.size());
    std::vector<int32_t> target(rows, 1);
    count_classes(walk, rows, target.data(), nullptr, 2, counts.data(), go);
    CHECK(counts[0] == 0.0);
    CHECK(std::abs(counts[1] - rows) < 1e-6);
    Walk::Parts parts;
    for (int64_t row = 0; row < rows; ++row) {
      double most = 0, sum = 0;
      int32_t leaf = -1;
      for (const auto& part : walk.parts(row, parts)) {
        sum += part.weight;
        if (part.weight > most) {
          most = part.weight;
          leaf = part.leaf;
        }
      }
      CHECK(leaf == leaves[row]);
      CHECK(std::abs(sum - 1) < 1e-12);
    }
  }
  set_thread_count(0);
}

TEST("columns that are no tree are refused") {
  Grown tree(1, true, 3);
  const Columns none(3);
  bool refused = false;
  try {
    Walk(tree.view(), none);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
  tree.end[0] += 1;
  refused = false;
  try {
    Walk(tree.view(), none);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
}
