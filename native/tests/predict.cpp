// Rows down a tree on several threads: side by side as one by one, and any code without harm.
#include "core/trees/predict.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "core/numeric/infinity.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag go{false};

// The columns of a tree, grown at random: cuts of column 0 and 1, tables over column 2.
struct Grown {
  std::vector<int32_t> end, otherwise, attribute, set_codes, s_attribute{}, s_branch{}, s_set_codes{};
  std::vector<double> share, low, high, s_limit{};
  std::vector<char> or_missing;
  std::vector<int64_t> set_start{0}, s_start{0}, s_set_start{0}, s_set_split{};
  std::mt19937 chance;
  bool nominal;

  Grown(unsigned seed, bool with_nominal, int depth) : chance(seed), nominal(with_nominal) {
    add(-1, -infinity, infinity, {}, depth);
  }
  int pick(int below) { return static_cast<int>(chance() % static_cast<unsigned>(below)); }

  void add(int32_t tests, double from, double to, const std::vector<int32_t>& codes, int depth) {
    const std::size_t node = end.size();
    end.push_back(0);
    attribute.push_back(tests);
    low.push_back(from);
    high.push_back(to);
    share.push_back(tests < 0 ? 1.0 : 0.5);
    or_missing.push_back(tests >= 0 && pick(4) == 0);
    set_codes.insert(set_codes.end(), codes.begin(), codes.end());
    set_start.push_back(static_cast<int64_t>(set_codes.size()));
    const bool leaf = depth == 0 || (tests >= 0 && pick(5) == 0);
    otherwise.push_back(leaf ? -1 : pick(3) - 1);
    if (!leaf && pick(2) == 0) {
      s_attribute.push_back(pick(2));
      s_limit.push_back(0.25);
      s_branch.push_back(pick(2));
      s_set_start.push_back(0);
      s_set_split.push_back(0);
    }
    s_start.push_back(static_cast<int64_t>(s_attribute.size()));
    if (!leaf && nominal && pick(2) == 0) {
      add(2, -infinity, infinity, {0, 3}, depth - 1);
      add(2, -infinity, infinity, {1}, depth - 1);
    } else if (!leaf) {
      const int32_t column = pick(2);
      const double limit = pick(9) / 8.0 - 0.5;
      add(column, -infinity, limit, {}, depth - 1);
      add(column, limit, infinity, {}, depth - 1);
    }
    end[node] = static_cast<int32_t>(end.size());
  }

  NodesView view() const {
    return {static_cast<int32_t>(end.size()), end.data(), share.data(), otherwise.data(), attribute.data(),
            low.data(), high.data(), reinterpret_cast<const bool*>(or_missing.data()), set_start.data(),
            set_codes.data(), static_cast<int64_t>(set_codes.size()), s_start.data(),
            static_cast<int64_t>(s_attribute.size()), s_attribute.data(), s_limit.data(), s_branch.data(),
            s_set_start.data(), s_set_split.data(), s_set_codes.data(), static_cast<int64_t>(s_set_codes.size())};
  }
};

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
