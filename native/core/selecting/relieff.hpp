// ReliefF: does a column differ between near rows of other classes, and not between near rows of one class?
//
// Kononenko 1994; Robnik-Šikonja and Kononenko 2003, whose RReliefF is for targets that are numbers. Differences are whole
// numbers of units, from 0 to `unit`, so that distances are exact and ties are ties on every machine.
#pragma once
#include <cstdint>
#include <vector>

#include "core/numeric/parallel.hpp"

namespace clearwood {

struct ReliefColumn {
  const std::int32_t* cells = nullptr;  // [row] codes of values, or numbers in units; below zero: missing
  bool ordered = false;                 // differ by |a − b|; else by `unit` or not at all
};

struct ReliefTask {
  std::size_t rows = 0;  // in random order: of equally near rows the first is the nearer
  std::int32_t unit = 1;
  std::vector<ReliefColumn> columns;
  const std::int32_t* target = nullptr;  // [row] classes, or numbers in units
  std::int32_t classes = 0;              // 0: the target is a number
  const double* weight_of = nullptr;     // [row]; null: all 1. A row of weight 2 counts as two equal rows
  std::size_t references = 0;            // the first so many rows
  double neighbours = 10;                // by weight, of each class
};

// [column] from −1 to 1. A missing cell differs from another by what a known one of its class would on average.
std::vector<double> relieff(const ReliefTask& task, int threads, const StopFlag& stop);

}  // namespace clearwood
