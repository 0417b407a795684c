// Number codes: any column of floats as positions in the list of its different numbers.
#include "core/reading/survey.hpp"

#include <cmath>
#include <limits>

#include "tests/testing.hpp"

using namespace clearwood;

TEST("numbers get codes as they first appear, near zero, far from it and between the whole ones") {
  std::vector<double> numbers{32768, -32769, 0.5, -0.0, std::numeric_limits<double>::quiet_NaN(), 1e300, -32768, 32767};
  for (int i = 0; i < 5000; ++i) numbers.push_back(40'000 + i);
  const std::size_t once = numbers.size();
  numbers.insert(numbers.end(), numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(once));
  Column column;
  column.type = Column::Type::float64;
  column.data = reinterpret_cast<const std::byte*>(numbers.data());
  column.stride = sizeof(double);
  std::vector<std::int32_t> codes(numbers.size());
  const StopFlag go{false};
  const auto distinct = number_codes(column, numbers.size(), codes.data(), go);
  CHECK(distinct.size() == once - 1);
  CHECK(codes[4] == -1);
  CHECK(!std::signbit(distinct[3]));
  for (std::size_t row = 0; row < once; ++row) {
    CHECK(codes[row] == codes[row + once]);
    if (row != 4) CHECK(distinct[static_cast<std::size_t>(codes[row])] == numbers[row]);
  }
}
