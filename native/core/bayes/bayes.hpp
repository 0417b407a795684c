// Bayes: for each row and class the log prior and what each column adds to it; then shares that sum to 1, or the class.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/column.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// What a column adds, by class; `table` is [·][class] and the caller's.
struct Term {
  enum class Kind : std::uint8_t {
    codes,     // table[code + 2]: unseen, missing, then each value
    bell,      // table[0] − (x − table[1])² · table[2]
    times,     // x · table[0]; nothing where x is 0
    presence,  // table[0] where x > 0, else table[1]
    ready,     // the column is a matrix [row][class] of what to add
  };
  Kind kind = Kind::codes;
  Column column;  // of `ready` the matrix, row by row
  const double* table = nullptr;
};

struct Evidence {
  std::vector<Term> terms;
  std::vector<double> log_priors;  // [class]
  std::size_t rows = 0;
  // Bells add their logs less the largest of them, as the other tables already stand: a sum then holds only what sets the
  // classes apart.
  bool apart = false;
};

// [row][class] log prior plus all terms, added in the order of the terms; an empty cell adds nothing.
void log_joint(const Evidence& evidence, double* out, int threads, const StopFlag& stop);

// [row][class] shares. Rows that every class gives 0 are returned, ascending; their shares are not set.
std::vector<std::int64_t> posterior(const Evidence& evidence, double* out, int threads, const StopFlag& stop);

// [row] the class of the largest share, first of those that are equal but for rounding; the rest as `posterior`.
std::vector<std::int64_t> likeliest(const Evidence& evidence, std::int32_t* out, int threads, const StopFlag& stop);

}  // namespace clearwood
