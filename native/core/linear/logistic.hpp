// Logistic regression's sums over the rows: the log-likelihood of weights, its slope and its curvature.
//
// Class c of the first `vectors` classes has the score Σ weights[c][term] · value; if there is one class more, the last,
// its score is 0: the others are compared with it. Probabilities are exp(score), divided by their sum.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/linear/terms.hpp"

namespace clearwood {

struct LogisticRows {
  Terms terms;
  std::int32_t classes = 2;
  std::int32_t vectors = 1;              // classes − 1, or classes
  const std::int32_t* target = nullptr;  // [row] in [0, classes)
  const double* weights = nullptr;       // [row], or none: each row counts once
};

struct LogisticSums {
  double log_likelihood = 0;
  std::vector<double> slope;  // [vector][term]
  // [vector c ≥ vector d][term][term]: minus the second derivative, whole matrices; empty if not requested
  std::vector<double> curvature;
};

// The sums are made in chunks of rows that do not depend on the number of threads, and added in their order.
LogisticSums logistic_sums(const LogisticRows& rows, const double* weights, bool with_curvature, int threads,
                           const StopFlag& stop);

// row_spreads [row] weight · p (1 − p) at `weights`: what the curvature of two classes weighs the rows with.
void logistic_spreads(const LogisticRows& rows, const double* weights, double* row_spreads, int threads,
                      const StopFlag& stop);

// [vector][term] the curvature at `weights` times `direction`, without the matrix. Of two classes `spreads` may be given:
// many directions are needed at one place, and what a row weighs there takes an exponential.
std::vector<double> logistic_curve(const LogisticRows& rows, const double* weights, const double* spreads,
                                   const double* direction, int threads, const StopFlag& stop);

// How far the scores of the rows move in a direction: the least and the largest lead that the row's own class gains over
// another class. Where the least is not below 0, every row agrees with the direction: it separates the classes. Of the
// rows that hardly move (no lead beyond `still`) the slope and the curvature of their log-likelihood in the direction:
// where they have a slope they would move, and it does not.
struct Leads {
  double least = 0, largest = 0, slope = 0, curvature = 0;
};
Leads logistic_leads(const LogisticRows& rows, const double* weights, const double* direction, double still, int threads,
                     const StopFlag& stop);

// row_scores [row][vector] the scores; weights [vector][term]
void linear_scores(const Terms& terms, const double* weights, std::size_t vectors, double* row_scores, int threads,
                   const StopFlag& stop);

// Who is answered: in the order of the classes, the vector of weights of each (−1: the class with score 0), what is added
// to its score, and its code.
struct Called {
  std::int32_t vector = -1;
  double start = 0;
  std::int32_t code = 0;
};

// row_codes [row] the code of the largest score, first of equals; the first row whose scores are not finite, or −1.
std::int64_t linear_codes(const Terms& terms, const double* weights, std::size_t vectors, const std::vector<Called>& called,
                          std::int32_t* row_codes, int threads, const StopFlag& stop);

}  // namespace clearwood
