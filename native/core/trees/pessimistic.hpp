// The pessimistic error of C4.5: how many more errors than it made should a leaf be charged?
#pragma once

namespace clearwood {

// How pessimistic to be; the Python twin is measures/pessimistic.py.
struct Pessimism {
  double confidence;  // between 0 and 1
  double z;           // the normal deviate that belongs to it
  bool quinlan;       // where nearly all rows are errors, charge 0.67 of the rest
};

// Errors beyond the e made in n rows.
double extra_errors(double n, double e, const Pessimism& pessimism);

}  // namespace clearwood
