#include "core/moments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <type_traits>

namespace clearwood {

namespace {

constexpr std::size_t block = 2048;
constexpr std::size_t stretch = 32 * block;  // rows of one job: 2^16 squares of 2^106 fit 128 bits
constexpr std::size_t most_together = 1000;  // classes of columns that a thread keeps buckets for, 50 KB each at most

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

// What one job notes of one column beside its buckets.
struct Noted {
  std::vector<Whole> missing;
  std::uint32_t low = far_exponent;
  std::uint32_t high = 0;
  std::int64_t far = -1;
};

// Adds the numbers of the rows [first, last) to the buckets [class][exponent].
template <class Gathered, class Number>
void gather(const Column& column, const RowsByClass& rows, std::size_t first, std::size_t last, Gathered* buckets,
            Noted& noted) {
  constexpr bool weighted = std::is_same_v<Gathered, Weighted>;
  const Whole* const units = weighted ? rows.weights->units.data() : nullptr;
  const std::byte* place = column.data + static_cast<std::ptrdiff_t>(first) * column.stride;
  std::uint32_t low = noted.low;
  std::uint32_t high = noted.high;
  for (std::size_t row = first; row < last; ++row, place += column.stride) {
    Number number;
    std::memcpy(&number, place, sizeof number);
    const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(number));
    const auto exponent = static_cast<std::uint32_t>(bits >> 52) & 0x7ff;
    const auto k = static_cast<std::size_t>(rows.classes_of[row]);
    if (exponent >= far_exponent) [[unlikely]] {
      if (std::isnan(number))
        noted.missing[k] += weighted ? units[row] : 1;
      else if (noted.far < 0)
        noted.far = static_cast<std::int64_t>(row);
      continue;
    }
    const std::uint64_t mantissa = (bits & 0xfffffffffffff) | static_cast<std::uint64_t>(exponent != 0) << 52;
    low = std::min(low, exponent);
    high = std::max(high, exponent);
    buckets[k * far_exponent + exponent].add(mantissa, bits >> 63, weighted ? units[row] : 1);
  }
  noted.low = low;
  noted.high = high;
}

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

// The rows [first, last) of the columns [from, to), block by block, so that a table stored row by row is read once.
template <class Gathered>
std::vector<Noted> gather_all(const std::vector<Column>& columns, const RowsByClass& rows, std::size_t first,
                              std::size_t last, std::size_t from, std::size_t to, Buckets<Gathered>& buckets) {
  const auto classes = static_cast<std::size_t>(rows.classes);
  std::vector<Noted> noted(to - from);
  for (Noted& each : noted) each.missing.assign(classes, 0);
  for (std::size_t at = first; at < last; at += block) {
    const std::size_t end = std::min(last, at + block);
    for (std::size_t c = from; c < to; ++c) {
      Gathered* const own = buckets.of((c - from) * classes);
      if (columns[c].type == Column::Type::float32)
        gather<Gathered, float>(columns[c], rows, at, end, own, noted[c - from]);
      else
        gather<Gathered, double>(columns[c], rows, at, end, own, noted[c - from]);
    }
  }
  return noted;
}

template <class Gathered>
void sum_columns(const std::vector<Column>& columns, const RowsByClass& rows, int threads, const StopFlag& stop,
                 Moments& found) {
  const auto classes = static_cast<std::size_t>(rows.classes);
  const std::size_t width = std::min(columns.size(), std::max<std::size_t>(1, most_together / std::max<std::size_t>(1, classes)));
  const std::size_t groups = (columns.size() + width - 1) / width;
  const std::size_t parts = (rows.rows + stretch - 1) / stretch;
  std::mutex guard;
  std::vector<std::optional<Buckets<Gathered>>> kept(static_cast<std::size_t>(std::max(threads, 1)));
  run_parallel(groups * parts, threads, [&](std::size_t job, int thread) {
    check(stop);
    auto& buckets = kept[static_cast<std::size_t>(thread)];
    if (!buckets) buckets.emplace(width * classes * far_exponent);
    const std::size_t first = job % parts * stretch;
    const std::size_t from = job / parts * width;
    const std::size_t to = std::min(columns.size(), from + width);
    const auto noted = gather_all(columns, rows, first, std::min(rows.rows, first + stretch), from, to, *buckets);
    const std::lock_guard lock(guard);
    for (std::size_t c = from; c < to; ++c) {
      const Noted& note = noted[c - from];
      if (note.far >= 0 && (found.far[c] < 0 || note.far < found.far[c])) found.far[c] = note.far;
      for (std::size_t k = 0; k < classes; ++k) {
        const std::size_t cell = c * classes + k;
        found.missing[cell] += note.missing[k];
        for (std::uint32_t exponent = note.low; exponent <= note.high; ++exponent) {
          Gathered& bucket = buckets->of((c - from) * classes + k)[exponent];
          const std::size_t up = std::max(exponent, 1u) - 1;  // a subnormal has exponent 1
          add_at(found.sums.data() + cell * sum_limbs, sum_limbs, bucket.sum_limbs(), up);
          add_at(found.squares.data() + cell * squares_limbs, squares_limbs, bucket.squares_limbs(), 2 * up);
          bucket = Gathered{};
        }
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
