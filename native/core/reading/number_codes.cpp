#include "core/reading/number_codes.hpp"

#include <algorithm>
#include <bit>

namespace clearwood {
namespace {

constexpr std::int32_t none = -1;
constexpr std::int32_t small = 1 << 15;  // whole numbers from −small up to below small have a place of their own
constexpr std::size_t block = 1 << 16;  // rows between two looks at the stop flag

class Coder {
 public:
  std::int32_t code(double number) {
    if (number != number) return none;
    if (number >= -small && number < small) {
      const auto whole = static_cast<std::int32_t>(number);
      if (whole == number) {
        std::int32_t& code = small_[static_cast<std::size_t>(whole + small)];
        if (code == none) code = add(number + 0.0);
        return code;
      }
    }
    return look_up(number);
  }
  std::vector<double> take() { return std::move(numbers_); }

 private:
  std::int32_t add(double number) {
    numbers_.push_back(number);
    return static_cast<std::int32_t>(numbers_.size() - 1);
  }
  std::size_t slot(double number) const {
    std::uint64_t hash = std::bit_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 32;
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != none && numbers_[static_cast<std::size_t>(slots_[at])] != number) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  std::int32_t look_up(double number) {
    std::size_t at = slot(number);
    if (slots_[at] != none) return slots_[at];
    if (++used_ * 2 > slots_.size()) {
      std::vector<std::int32_t> old(slots_.size() * 2, none);
      old.swap(slots_);
      for (const std::int32_t code : old)
        if (code != none) slots_[slot(numbers_[static_cast<std::size_t>(code)])] = code;
      at = slot(number);
    }
    return slots_[at] = add(number);
  }

  std::vector<std::int32_t> small_ = std::vector<std::int32_t>(2 * small, none);
  std::vector<std::int32_t> slots_ = std::vector<std::int32_t>(1024, none);  // open addressing, at most half full
  std::size_t used_ = 0;
  std::vector<double> numbers_;
};

}  // namespace

std::vector<double> number_codes(const Column& column, std::size_t rows, std::int32_t* codes, const StopFlag& stop) {
  Coder coder;
  for (std::size_t begin = 0; begin < rows; begin += block) {
    check(stop);
    for (std::size_t row = begin; row < std::min(rows, begin + block); ++row) codes[row] = coder.code(column.number(row));
  }
  return coder.take();
}

}  // namespace clearwood
