// Random tables with all that is awkward: ties, missing cells, weights, constants, many values.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/counting/codes.hpp"
#include "core/counting/problem.hpp"

namespace tests {

// Owns what a Problem only views.
class RandomTable {
 public:
  RandomTable(std::uint32_t seed, std::size_t rows, std::int32_t classes, bool weighted) : rows_(rows), classes_(classes) {
    std::mt19937 random(seed);
    auto below = [&](std::uint32_t limit) { return static_cast<std::int32_t>(random() % limit); };
    for (std::size_t row = 0; row < rows; ++row) {
      wide_.push_back(below(10) == 0 ? NAN : below(1000) / 8.0);
      tied_.push_back(below(20) == 0 ? NAN : static_cast<float>(below(4)));
      few_.push_back(below(15) == 0 ? -1 : below(5));
      many_.push_back(below(40));
      constant_.push_back(0);
      weights_.push_back(below(4) * 0.5);
      const double signal = (std::isnan(wide_.back()) ? 40.0 : wide_.back()) + 20 * std::max(few_.back(), 0);
      class_.push_back(classes > 0 ? (static_cast<std::int32_t>(signal) / 40 + (below(8) == 0)) % classes : 0);
      number_.push_back(signal + below(10));
    }
    weighted_ = weighted;
    for (const clearwood::Column& column : columns()) code(column);
  }

  clearwood::Problem problem() const {
    clearwood::Problem made;
    made.rows = rows_;
    made.columns = columns();
    made.coded = coded_;
    made.classes = classes_;
    made.class_of = class_.data();
    made.number_of = number_.data();
    made.weight_of = weighted_ ? weights_.data() : nullptr;
    return made;
  }

  const std::vector<std::int32_t>& classes() const { return class_; }

 private:
  std::vector<clearwood::Column> columns() const {
    using clearwood::Column;
    return {view(Column::Type::float64, wide_, 0), view(Column::Type::float32, tied_, 0),
            view(Column::Type::codes, few_, 5), view(Column::Type::codes, many_, 40),
            view(Column::Type::codes, constant_, 1)};
  }
  // Numbers on ladders.
  void code(const clearwood::Column& column) {
    clearwood::Coding coding{{}, static_cast<std::uint32_t>(column.values)};
    clearwood::CodedColumn made;
    if (column.numeric()) {
      made.kind = clearwood::CodedColumn::Kind::numbers;
      made.steps = clearwood::ladder_of(column, rows_, nullptr);
      if (made.steps.empty()) made.steps = {0};
      coding = {{made.steps.begin(), made.steps.end() - 1}, static_cast<std::uint32_t>(made.steps.size())};
    }
    memory_.emplace_back(rows_ * coding.bytes());
    clearwood::write_codes(column, coding, 0, rows_, memory_.back().data());
    made.data = memory_.back().data();
    made.bytes = coding.bytes();
    made.known = coding.known;
    for (std::size_t row = 0; row < rows_; ++row) made.any_missing |= made.at(row) == made.known;
    coded_.push_back(made);
  }
  template <class T>
  static clearwood::Column view(clearwood::Column::Type type, const std::vector<T>& cells, std::int32_t values) {
    return {type, reinterpret_cast<const std::byte*>(cells.data()), sizeof(T), values};
  }

  std::size_t rows_;
  std::int32_t classes_;
  bool weighted_ = false;
  std::vector<double> wide_, weights_, number_;
  std::vector<float> tied_;
  std::vector<std::int32_t> few_, many_, constant_, class_;
  std::vector<std::vector<std::uint8_t>> memory_;
  std::vector<clearwood::CodedColumn> coded_;
};

}  // namespace tests
