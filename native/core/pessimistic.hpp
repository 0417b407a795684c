// The pessimistic error of C4.5: how many more errors than it made should a leaf be charged?
#pragma once

namespace clearwood {

class ErrorEstimate {
 public:
  // `quinlan`: deviates from the book's table, and 0.67·(n − e) where nearly all are errors.
  ErrorEstimate(double confidence, bool quinlan);
  double extra(double cases, double errors) const;

 private:
  double confidence_, deviate_;
  bool quinlan_;
};

}  // namespace clearwood
