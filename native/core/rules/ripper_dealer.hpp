// The dealer draws which rows a rule is grown on and which are held back: splitmix64 (Steele, Lea and Flood 2014), as in
// the Python definition.
#pragma once
#include <cstddef>
#include <cstdint>

namespace clearwood {

class Dealer {
 public:
  explicit Dealer(std::uint64_t seed) : state_(seed) {}

  std::size_t below(std::size_t limit) {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    x ^= x >> 31;
    return static_cast<std::size_t>((x >> 32) * limit >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace clearwood
