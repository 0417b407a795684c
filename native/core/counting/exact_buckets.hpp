// Exact buckets: what the numbers of one exponent and class have gathered, as whole numbers wide enough for any job.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "core/counting/moments.hpp"

namespace clearwood {

constexpr std::size_t most_rows = std::size_t{1} << 16;  // of one job: 2^16 squares of 2^106 fit 128 bits

// Adds a two's complement number of N limbs, moved up by `bit` bits, to a wider one.
template <std::size_t N>
void add_at(std::uint64_t* wide, std::size_t limbs, const std::array<std::uint64_t, N>& number, std::size_t bit) {
  const std::size_t place = bit / 64;
  const unsigned shift = bit % 64;
  const std::uint64_t sign = number[N - 1] >> 63 ? ~std::uint64_t{0} : 0;
  unsigned carry = 0;
  for (std::size_t i = place; i < limbs; ++i) {
    const std::size_t from = i - place;
    const std::uint64_t here = from < N ? number[from] : sign;
    const std::uint64_t below = from == 0 ? 0 : from <= N ? number[from - 1] : sign;
    const std::uint64_t part = shift ? here << shift | below >> (64 - shift) : here;
    if (from > N && sign == 0 && !carry) return;
    const std::uint64_t sum = wide[i] + part;
    const std::uint64_t with = sum + carry;
    carry = static_cast<unsigned>(sum < part) + static_cast<unsigned>(with < sum);
    wide[i] = with;
  }
}

// What the numbers of one exponent and class have gathered, where every row weighs 1.
struct Plain {
  Signed sum = 0;
  Whole squares = 0;

  void add(std::uint64_t mantissa, bool negative, Whole) {
    // Without a branch: signs come in no order that could be foreseen.
    const std::int64_t flip = -static_cast<std::int64_t>(negative);
    sum += (static_cast<std::int64_t>(mantissa) ^ flip) - flip;
    squares += Whole{mantissa} * mantissa;
  }
  std::array<std::uint64_t, 2> sum_limbs() const {
    return {static_cast<std::uint64_t>(sum), static_cast<std::uint64_t>(static_cast<Whole>(sum) >> 64)};
  }
  std::array<std::uint64_t, 3> squares_limbs() const {
    return {static_cast<std::uint64_t>(squares), static_cast<std::uint64_t>(squares >> 64), 0};
  }
};

using Four = std::array<std::uint64_t, 4>;

inline Four times(const Four& number, std::uint64_t factor) {
  Four product{};
  Whole carry = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    carry += Whole{number[i]} * factor;
    product[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return product;
}

inline void add(Four& sum, const Four& number, bool negative) {
  Whole carry = negative;
  for (std::size_t i = 0; i < 4; ++i) {
    carry += Whole{sum[i]} + (negative ? ~number[i] : number[i]);
    sum[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
}

// The same with weights of up to 94 bits: 94 + 2·53 bits a row, 216 a job.
struct Weighted {
  Four sum{};
  Four squares{};

  void add(std::uint64_t mantissa, bool negative, Whole units) {
    const Four once = times({static_cast<std::uint64_t>(units), static_cast<std::uint64_t>(units >> 64), 0, 0}, mantissa);
    clearwood::add(sum, once, negative);
    clearwood::add(squares, times(once, mantissa), false);
  }
  const Four& sum_limbs() const { return sum; }
  const Four& squares_limbs() const { return squares; }
};

// A thread's buckets [column][class][exponent] for as many columns as are summed together.
template <class Gathered>
class Buckets {
 public:
  // Zeros from the system cost nothing until they are used: a class uses a page or two of its exponents.
  explicit Buckets(std::size_t size) : memory_(static_cast<std::byte*>(std::calloc(size + 2, sizeof(Gathered)))) {
    if (!memory_) throw std::bad_alloc();
    // From a multiple of 64 on, no bucket lies across two lines of the cache.
    const auto past = reinterpret_cast<std::uintptr_t>(memory_.get()) % 64;
    first_ = reinterpret_cast<Gathered*>(memory_.get() + (past ? 64 - past : 0));
  }
  Gathered* of(std::size_t place) { return first_ + place * far_exponent; }

 private:
  struct Free {
    void operator()(std::byte* place) const { std::free(place); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  Gathered* first_;
};

}  // namespace clearwood
