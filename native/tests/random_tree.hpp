// A tree grown at random, with every way in which a row can go on at a split.
#pragma once
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/trees/walk.hpp"

namespace clearwood {

// The columns of a tree, grown at random: cuts of column 0 and 1, tables over column 2.
struct Grown {
  std::vector<int32_t> end, otherwise, attribute, set_codes, s_attribute{}, s_branch{}, s_set_codes{};
  std::vector<double> share, low, high, s_limit{};
  std::vector<char> or_missing;
  std::vector<int64_t> set_start{0}, s_start{0}, s_set_start{0}, s_set_split{};
  std::mt19937 chance;
  bool nominal;

  Grown(unsigned seed, bool with_nominal, int depth) : chance(seed), nominal(with_nominal) {
    add(-1, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), {}, depth);
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
      add(2, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), {0, 3}, depth - 1);
      add(2, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), {1}, depth - 1);
    } else if (!leaf) {
      const int32_t column = pick(2);
      const double limit = pick(9) / 8.0 - 0.5;
      add(column, -std::numeric_limits<double>::infinity(), limit, {}, depth - 1);
      add(column, limit, std::numeric_limits<double>::infinity(), {}, depth - 1);
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

}  // namespace clearwood
