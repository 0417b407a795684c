// The dealer draws which rows a rule is grown on and which are held back: splitmix64 (Steele, Lea and Flood 2014), as in
// the Python definition.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/numeric/chance.hpp"

namespace clearwood {

class Dealer {
 public:
  explicit Dealer(std::uint64_t seed) : state_(seed) {}

  std::size_t below(std::size_t limit) {
    state_ += golden;
    return static_cast<std::size_t>((mixed(state_) >> 32) * limit >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace clearwood
