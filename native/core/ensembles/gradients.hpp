// Gradients: where the loss falls at the present scores, and how it bends there, in whole units.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/histograms.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

enum class Loss : std::uint8_t { logistic, softmax, squared, absolute, quantile, poisson };

// The rows whose loss is to fall. Held-out rows have a loss of their own, and nothing is learned from them.
struct BoostedRows {
  Loss loss = Loss::squared;
  std::size_t rows = 0;
  std::size_t scores = 1;             // how many each row has: one, or one for each class
  const std::int32_t* code = nullptr; // [row] the class, or
  const double* number = nullptr;     // [row] the number
  const double* weight = nullptr;     // [row]; null: all 1
  const std::uint8_t* held = nullptr; // [row] is it held out? null: none is
  double quantile = 0.5;
  bool fine = false;                  // units so small that packed words never hold them

  double weight_of(std::size_t row) const { return weight != nullptr ? weight[row] : 1.0; }
  bool is_held(std::size_t row) const { return held != nullptr && held[row] != 0; }
};

// Of one score: the largest gradient and second derivative, and their sums.
struct GradientSizes {
  double most_g = 0, most_h = 0, sum_g = 0, sum_h = 0;
};

struct RoundSizes {
  std::vector<GradientSizes> sizes;         // [score]
  double loss = 0, held_loss = 0;           // sums, by weight
  double weight = 0, held_weight = 0;
  std::size_t learning = 0;                 // rows that are not held out
};

// Writes the answers of the scores (shares, numbers), as the bits of doubles, to answers [score, row], and finds the loss and the gradients' sizes.
RoundSizes answer_all(const BoostedRows& rows, const double* scores, Word* answers, int threads, const StopFlag& stop);

// The unit of one score's gradients and second derivatives: powers of two, as exponents.
struct GradientUnits {
  int g = 0, h = 0;
  bool packed = true;
};
GradientUnits units_of(const BoostedRows& rows, const GradientSizes& sizes, std::size_t learning);

// Turns the answers of one score into whole gradients, in their place: packed words, or gradients there and second
// derivatives in `seconds`.
RowSums gradients_of(const BoostedRows& rows, std::size_t score, const GradientUnits& units, Word* answers,
                     std::vector<std::int64_t>& seconds, int threads, const StopFlag& stop);

}  // namespace clearwood
