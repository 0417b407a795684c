#include "core/counting/moments.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>

namespace clearwood {
namespace {

// Exact window: a column's numbers counted in one power of two, where that makes a whole number of less than 62 bits.
//
// Most numbers of a column are near enough in size to share a unit. Those that are not are left to the exact buckets,
// which take any: the choice of the unit decides how fast the sums are, never what they are.

// Σx and Σx² of numbers that are whole in one unit, as few as fit.
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

// The same of up to 2^64 rows.
struct Window : Plain {
  std::uint64_t above = 0;  // of the squares: what 128 bits do not hold

  std::array<std::uint64_t, 4> squares_limbs() const {
    const auto [low, high, none] = Plain::squares_limbs();
    return {low, high, above, none};
  }
};

// The power of two that makes a column's numbers whole, by a few rows from all over [first, last).
inline int window_shift(const Column& column, std::size_t first, std::size_t last) {
  constexpr std::size_t looks = 64;
  constexpr int spare = 1;  // the rows not looked at may hold numbers twice as large
  std::uint32_t high = 0;
  for (std::size_t row = first; row < last; row += std::max<std::size_t>(1, (last - first) / looks)) {
    const auto exponent = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(column.number(row)) >> 52) & 0x7ff;
    if (exponent < far_exponent) high = std::max(high, exponent);
  }
  // A factor from 1 up loses no low bits; 2^1023 is the largest there is.
  return std::clamp(62 - (static_cast<int>(high) - 1022 + spare), 0, 1023);
}

// Adds the numbers at the places [begin, end) that the window can hold; the other places go to `left`, which has room
// for all of them.
inline std::size_t add_to_window(const double* numbers, int shift, std::size_t begin, std::size_t end, Window& window,
                                 std::uint32_t* left) {
  const double factor = std::ldexp(1.0, shift);
  Window sums = window;
  std::size_t missed = 0;
  for (std::size_t place = begin; place < end; ++place) {
    const double scaled = numbers[place] * factor;
    const std::int64_t whole = std::abs(scaled) < 0x1p62 ? static_cast<std::int64_t>(scaled) : 1;
    if (static_cast<double>(whole) != scaled) [[unlikely]] {
      left[missed++] = static_cast<std::uint32_t>(place);
      continue;
    }
    const Whole square = static_cast<Whole>(static_cast<Signed>(whole) * whole);
    sums.sum += whole;
    sums.squares += square;
    sums.above += sums.squares < square;
  }
  window = sums;
  return missed;
}

// Exact buckets: what the numbers of one exponent and class have gathered, as whole numbers wide enough for any job.

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

constexpr std::size_t most_together = 1000;  // classes of columns that a thread keeps buckets for, 50 KB each at most
constexpr std::size_t long_block = 2048;
constexpr std::size_t short_block = 64;
constexpr std::size_t near_bytes = 65536;  // of one block: a cache near by keeps them

// The columns [from, to) and their rows [first, last): one job.
struct Part {
  std::size_t first, last, from, to;
};

// A job's own rows: they count from its first.
struct OwnRows {
  const std::int32_t* classes_of;
  const Whole* units;  // null: every row weighs 1
};

// What one job notes of one column beside its buckets.
struct Noted {
  std::vector<Whole> missing;   // [class]
  std::vector<Window> windows;  // [class]
  int shift = 0;                // a unit of the windows is 2^−shift
  std::uint32_t low = far_exponent;
  std::uint32_t high = 0;
  std::int64_t far = -1;
};

// Adds the numbers at these places to the buckets [class][exponent].
template <class Gathered>
void gather(const double* numbers, const OwnRows& rows, const std::vector<std::uint32_t>& row_at,
            const std::uint32_t* places, std::size_t count, Gathered* buckets, Noted& noted) {
  constexpr bool weighted = std::is_same_v<Gathered, Weighted>;
  std::uint32_t low = noted.low;
  std::uint32_t high = noted.high;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = row_at[places[i]];
    const double number = numbers[places[i]];
    const auto bits = std::bit_cast<std::uint64_t>(number);
    const auto exponent = static_cast<std::uint32_t>(bits >> 52) & 0x7ff;
    const auto k = static_cast<std::size_t>(rows.classes_of[row]);
    if (exponent >= far_exponent) [[unlikely]] {
      if (std::isnan(number))
        noted.missing[k] += weighted ? rows.units[row] : 1;
      else if (noted.far < 0 || static_cast<std::int64_t>(row) < noted.far)
        noted.far = static_cast<std::int64_t>(row);
      continue;
    }
    const std::uint64_t mantissa = (bits & 0xfffffffffffff) | static_cast<std::uint64_t>(exponent != 0) << 52;
    low = std::min(low, exponent);
    high = std::max(high, exponent);
    buckets[k * far_exponent + exponent].add(mantissa, bits >> 63, weighted ? rows.units[row] : 1);
  }
  noted.low = low;
  noted.high = high;
}

// The rows of one block, class by class, so that a class's sums stay in registers while its rows are added.
class ByClass {
 public:
  struct Run {
    std::size_t k, begin, end;
  };

  explicit ByClass(std::size_t classes) : next_(classes) {}

  void sort(const std::int32_t* classes_of, std::size_t from, std::size_t to) {
    std::fill(next_.begin(), next_.end(), 0u);
    for (std::size_t row = from; row < to; ++row) ++next_[static_cast<std::size_t>(classes_of[row])];
    runs_.clear();
    std::uint32_t begin = 0;
    for (std::size_t k = 0; k < next_.size(); ++k) {
      const std::uint32_t size = next_[k];
      if (size) runs_.push_back({k, begin, begin + size});
      next_[k] = begin;
      begin += size;
    }
    places_.resize(to - from);
    rows_.resize(to - from);
    for (std::size_t row = from; row < to; ++row) {
      const std::uint32_t place = next_[static_cast<std::size_t>(classes_of[row])]++;
      places_[row - from] = place;
      rows_[place] = static_cast<std::uint32_t>(row);
    }
  }
  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<std::uint32_t>& rows() const { return rows_; }      // [place] which row
  const std::vector<std::uint32_t>& places() const { return places_; }  // [row of the block] its place

 private:
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> rows_;
  std::vector<Run> runs_;
};

// The numbers of one block, column by column and class by class: [column][place].
class Block {
 public:
  // Columns lie a little more than a power of two apart, or they would push each other out of the cache.
  Block(std::size_t columns, std::size_t rows) : apart_(rows + 8), numbers_(columns * apart_) {}

  void copy(const std::vector<Column>& columns, std::size_t from, const std::vector<std::uint32_t>& places) {
    constexpr std::size_t few = 16;  // rows read from one column after another: whole lines of a table stored by rows
    for (std::size_t at = 0; at < places.size(); at += few) {
      const std::size_t count = std::min(few, places.size() - at);
      for (std::size_t c = 0; c < columns.size(); ++c) {
        double* const out = numbers_.data() + c * apart_;
        if (columns[c].type == Column::Type::float32)
          for (std::size_t i = at; i < at + count; ++i) out[places[i]] = static_cast<double>(columns[c].at<float>(from + i));
        else
          for (std::size_t i = at; i < at + count; ++i) out[places[i]] = columns[c].at<double>(from + i);
      }
    }
  }
  const double* column(std::size_t c) const { return numbers_.data() + c * apart_; }

 private:
  std::size_t apart_;
  std::vector<double> numbers_;
};

// One column of a block: into the windows what they hold, the rest (with weights: everything) into the buckets.
template <class Gathered>
void add_column(const double* numbers, const OwnRows& rows, const ByClass& by_class, std::vector<std::uint32_t>& left,
                Gathered* buckets, Noted& noted) {
  std::size_t missed = 0;
  if constexpr (std::is_same_v<Gathered, Weighted>) {
    for (; missed < by_class.rows().size(); ++missed) left[missed] = static_cast<std::uint32_t>(missed);
  } else {
    for (const auto& [k, begin, end] : by_class.runs())
      missed += add_to_window(numbers, noted.shift, begin, end, noted.windows[k], left.data() + missed);
  }
  gather(numbers, rows, by_class.rows(), left.data(), missed, buckets, noted);
}

template <class Gathered>
std::vector<Noted> gather_all(const std::vector<Column>& columns, const RowsByClass& rows, const Part& part,
                              Buckets<Gathered>& buckets) {
  const auto classes = static_cast<std::size_t>(rows.classes);
  std::vector<Noted> noted(part.to - part.from);
  std::vector<Column> views(columns.begin() + static_cast<std::ptrdiff_t>(part.from),
                            columns.begin() + static_cast<std::ptrdiff_t>(part.to));
  for (std::size_t c = 0; c < views.size(); ++c) {
    noted[c].missing.assign(classes, 0);
    noted[c].windows.assign(classes, {});
    noted[c].shift = window_shift(views[c], part.first, part.last);
    views[c].data += static_cast<std::ptrdiff_t>(part.first) * views[c].stride;
  }
  const OwnRows own{rows.classes_of + part.first, rows.weighted() ? rows.weights->units.data() + part.first : nullptr};
  const std::size_t block_rows =
      std::clamp(std::max(near_bytes / (sizeof(double) * views.size()), 8 * classes), short_block, long_block);
  const std::size_t size = part.last - part.first;
  ByClass by_class(classes);
  Block block(views.size(), block_rows);
  std::vector<std::uint32_t> left(block_rows);
  for (std::size_t at = 0; at < size; at += block_rows) {
    by_class.sort(own.classes_of, at, std::min(size, at + block_rows));
    block.copy(views, at, by_class.places());
    for (std::size_t c = 0; c < views.size(); ++c)
      add_column(block.column(c), own, by_class, left, buckets.of(c * classes), noted[c]);
  }
  for (Noted& each : noted)
    if (each.far >= 0) each.far += static_cast<std::int64_t>(part.first);
  return noted;
}

template <class Gathered>
void sum_columns(const std::vector<Column>& columns, const RowsByClass& rows, int threads, const StopFlag& stop,
                 Moments& moments) {
  const auto classes = static_cast<std::size_t>(rows.classes);
  const std::size_t width = std::min(columns.size(), std::max<std::size_t>(1, most_together / std::max<std::size_t>(1, classes)));
  const std::size_t groups = (columns.size() + width - 1) / width;
  const std::size_t parts = (rows.rows + most_rows - 1) / most_rows;
  std::mutex guard;
  std::vector<std::optional<Buckets<Gathered>>> kept(static_cast<std::size_t>(std::max(threads, 1)));
  run_parallel(groups * parts, threads, [&](std::size_t job, int thread) {
    check(stop);
    auto& buckets = kept[static_cast<std::size_t>(thread)];
    if (!buckets) buckets.emplace(width * classes * far_exponent);
    const std::size_t first = job % parts * most_rows;
    const std::size_t from = job / parts * width;
    const Part part{first, std::min(rows.rows, first + most_rows), from, std::min(columns.size(), from + width)};
    const auto noted = gather_all(columns, rows, part, *buckets);
    const std::lock_guard lock(guard);
    for (std::size_t c = part.from; c < part.to; ++c) {
      const Noted& note = noted[c - from];
      if (note.far >= 0 && (moments.far[c] < 0 || note.far < moments.far[c])) moments.far[c] = note.far;
      for (std::size_t k = 0; k < classes; ++k) {
        const std::size_t cell = c * classes + k;
        moments.missing[cell] += note.missing[k];
        auto add_up = [&](const auto& sums, std::size_t up) {
          add_at(moments.sums.data() + cell * sum_limbs, sum_limbs, sums.sum_limbs(), up);
          add_at(moments.squares.data() + cell * squares_limbs, squares_limbs, sums.squares_limbs(), 2 * up);
        };
        add_up(note.windows[k], static_cast<std::size_t>(-sum_exponent - note.shift));
        for (std::uint32_t exponent = note.low; exponent <= note.high; ++exponent) {
          Gathered& bucket = buckets->of((c - from) * classes + k)[exponent];
          add_up(bucket, std::max(exponent, 1u) - 1);  // a subnormal has exponent 1
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
  Moments moments{std::vector<Whole>(cells, 0), std::vector<std::uint64_t>(cells * sum_limbs, 0),
                std::vector<std::uint64_t>(cells * squares_limbs, 0), std::vector<std::int64_t>(columns.size(), -1)};
  if (rows.weighted())
    sum_columns<Weighted>(columns, rows, threads, stop, moments);
  else
    sum_columns<Plain>(columns, rows, threads, stop, moments);
  return moments;
}

}  // namespace clearwood
