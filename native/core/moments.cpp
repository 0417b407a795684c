#include "core/moments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

namespace clearwood {

namespace {

constexpr std::size_t stretch = std::size_t{1} << 17;  // rows of one job: 2^17 squares of 2^106 fit 128 bits

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
    const auto number = static_cast<std::int64_t>(mantissa);
    sum += negative ? -number : number;
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

Four times(const Four& number, std::uint64_t factor) {
  Four product{};
  Whole carry = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    carry += Whole{number[i]} * factor;
    product[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return product;
}

void add(Four& sum, const Four& number, bool negative) {
  Whole carry = negative;
  for (std::size_t i = 0; i < 4; ++i) {
    carry += Whole{sum[i]} + (negative ? ~number[i] : number[i]);
    sum[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
}

// The same with weights of up to 94 bits: 94 + 2·53 bits a row, 217 a job.
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

template <class Gathered, class Number>
void gather(const Column& column, const RowsByClass& rows, std::size_t first, std::size_t last, Gathered* buckets,
            Whole* missing, int& lowest, int& highest, std::int64_t& far) {
  int low = 2047;
  int high = 0;
  const Whole* units = rows.weighted() ? rows.weights->units.data() : nullptr;
  for (std::size_t row = first; row < last; ++row) {
    const double x = static_cast<double>(column.at<Number>(row));
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const Whole weight = units ? units[row] : 1;
    if (exponent >= far_exponent) [[unlikely]] {
      if (std::isnan(x))
        missing[rows.classes_of[row]] += weight;
      else if (far < 0)
        far = static_cast<std::int64_t>(row);
      continue;
    }
    const std::uint64_t mantissa = (bits & 0xfffffffffffff) | static_cast<std::uint64_t>(exponent != 0) << 52;
    low = std::min(low, exponent);
    high = std::max(high, exponent);
    buckets[static_cast<std::ptrdiff_t>(rows.classes_of[row]) * far_exponent + exponent].add(mantissa, bits >> 63, weight);
  }
  lowest = low;
  highest = high;
}

template <class Gathered>
void sum_columns(const std::vector<Column>& columns, const RowsByClass& rows, int threads, const StopFlag& stop,
                 Moments& found) {
  const auto classes = static_cast<std::size_t>(rows.classes);
  const std::size_t parts = (rows.rows + stretch - 1) / stretch;
  std::mutex guard;
  struct Free {
    void operator()(void* place) const { std::free(place); }
  };
  std::vector<std::unique_ptr<Gathered, Free>> kept(static_cast<std::size_t>(std::max(threads, 1)));
  run_parallel(columns.size() * parts, threads, [&](std::size_t job, int thread) {
    check(stop);
    auto& memory = kept[static_cast<std::size_t>(thread)];
    // Zeros from the system cost nothing until they are used: a class uses a page or two of its exponents.
    if (!memory) memory.reset(static_cast<Gathered*>(std::calloc(classes * far_exponent, sizeof(Gathered))));
    if (!memory) throw std::bad_alloc();
    Gathered* const buckets = memory.get();
    const std::size_t c = job / parts;
    const std::size_t first = job % parts * stretch;
    const std::size_t last = std::min(rows.rows, first + stretch);
    std::vector<Whole> missing(classes, 0);
    std::int64_t far = -1;
    int low = 0;
    int high = 0;
    if (columns[c].type == Column::Type::float32)
      gather<Gathered, float>(columns[c], rows, first, last, buckets, missing.data(), low, high, far);
    else
      gather<Gathered, double>(columns[c], rows, first, last, buckets, missing.data(), low, high, far);
    const std::lock_guard lock(guard);
    if (far >= 0 && (found.far[c] < 0 || far < found.far[c])) found.far[c] = far;
    for (std::size_t k = 0; k < classes; ++k) {
      const std::size_t cell = c * classes + k;
      found.missing[cell] += missing[k];
      for (int exponent = low; exponent <= high; ++exponent) {
        Gathered& bucket = buckets[k * far_exponent + static_cast<std::size_t>(exponent)];
        const auto up = static_cast<std::size_t>(std::max(exponent, 1) - 1);  // a subnormal has exponent 1
        add_at(found.sums.data() + cell * sum_limbs, sum_limbs, bucket.sum_limbs(), up);
        add_at(found.squares.data() + cell * squares_limbs, squares_limbs, bucket.squares_limbs(), 2 * up);
        bucket = Gathered{};
      }
    }
  });
}

}  // namespace

Moments moments(const std::vector<Column>& columns, const RowsByClass& rows, int threads, const StopFlag& stop) {
  check_classes(rows);
  const std::size_t cells = columns.size() * static_cast<std::size_t>(rows.classes);
  Moments found{std::vector<Whole>(cells, 0), std::vector<std::uint64_t>(cells * sum_limbs, 0),
                std::vector<std::uint64_t>(cells * squares_limbs, 0), std::vector<std::int64_t>(columns.size(), -1)};
  if (rows.weighted())
    sum_columns<Weighted>(columns, rows, threads, stop, found);
  else
    sum_columns<Plain>(columns, rows, threads, stop, found);
  return found;
}

}  // namespace clearwood
