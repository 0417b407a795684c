// Joint columns: byte columns whose combinations of codes are few are counted as one.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/counting/histograms.hpp"

namespace clearwood {
namespace {

constexpr std::size_t most_combinations = 256;  // a byte each
constexpr std::size_t lines_at_once = 1024;

const std::uint8_t* bytes_of(const CodedColumn& column) { return static_cast<const std::uint8_t*>(column.data); }

// Columns joined so far, by the combinations that rows have.
struct Joining {
  std::vector<std::size_t> columns;
  std::vector<std::vector<std::uint8_t>> codes{{}};  // [combination, column]
  LargeArray<std::uint8_t> combination;              // [row]

  // Takes a column in if there are still few combinations with it; else nothing changes.
  bool take(const CodedRows& coded, std::size_t column) {
    const std::uint8_t* const data = bytes_of(coded.columns[column]);
    std::vector<std::int16_t> number(codes.size() * most_combinations, -1);
    std::vector<std::vector<std::uint8_t>> wider;
    LargeArray<std::uint8_t> with(coded.rows);
    for (std::size_t row = 0; row < coded.rows; ++row) {
      const std::size_t before = columns.empty() ? 0 : combination[row];
      std::int16_t& own = number[before * most_combinations + data[row]];
      if (own < 0) {
        if (wider.size() == most_combinations) return false;
        own = static_cast<std::int16_t>(wider.size());
        wider.push_back(codes[before]);
        wider.back().push_back(data[row]);
      }
      with[row] = static_cast<std::uint8_t>(own);
    }
    columns.push_back(column);
    codes = std::move(wider);
    combination = std::move(with);
    return true;
  }

  JointColumn joint(const CodedRows& coded) {
    JointColumn made;
    if (columns.size() == 1) {
      const CodedColumn& only = coded.columns[columns[0]];
      made.data = bytes_of(only);
      made.bins = only.bins();
      made.first = coded.offset[columns[0]];
    } else {
      made.own = std::move(combination);
      made.data = made.own.data();
      made.bins = codes.size();
      std::array<std::size_t, most_combinations> rows{};
      for (const std::uint8_t each : made.own) ++rows[each];
      for (std::size_t k = 0; k < columns.size(); ++k) {
        std::array<std::size_t, most_combinations> of_code{};
        for (std::size_t each = 0; each < codes.size(); ++each) of_code[codes[each][k]] += rows[each];
        const auto most = static_cast<std::size_t>(std::max_element(of_code.begin(), of_code.end()) - of_code.begin());
        made.usual.push_back(static_cast<std::uint32_t>(coded.offset[columns[k]] + most));
      }
      for (const std::vector<std::uint8_t>& each : codes) {
        made.start.push_back(static_cast<std::uint32_t>(made.moves.size()));
        for (std::size_t k = 0; k < columns.size(); ++k)
          if (const auto bin = static_cast<std::uint32_t>(coded.offset[columns[k]] + each[k]); bin != made.usual[k])
            made.moves.push_back({bin, made.usual[k]});
      }
      made.start.push_back(static_cast<std::uint32_t>(made.moves.size()));
    }
    made.columns = std::move(columns);
    return made;
  }
};

}  // namespace

void CodedRows::join(int threads, const StopFlag& stop) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].bytes == 1 && offset[c] != nowhere) order.push_back(c);
  // Columns of few codes first, those of as many as they come: what belongs together mostly stands together.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return columns[a].known < columns[b].known; });
  joints.clear();
  for (std::size_t i = 0; i < order.size();) {
    check(stop);
    Joining joining;
    while (i < order.size() && joining.take(*this, order[i])) ++i;
    joints.push_back(joining.joint(*this));
  }
  std::stable_partition(joints.begin(), joints.end(), [](const JointColumn& joint) { return joint.alone(); });
  const std::size_t width = joints.size();
  matrix = LargeArray<std::uint8_t>(rows * width);
  run_parallel((rows + lines_at_once - 1) / lines_at_once, rows * width < small_work ? 1 : threads, [&](std::size_t job, int) {
    check(stop);
    const std::size_t begin = job * lines_at_once, end = std::min(rows, begin + lines_at_once);
    for (std::size_t j = 0; j < width; ++j) {
      std::uint8_t* at = matrix.data() + begin * width + j;
      for (const std::uint8_t *code = joints[j].data + begin, *last = joints[j].data + end; code < last; ++code, at += width) *at = *code;
    }
  });
}

}  // namespace clearwood
