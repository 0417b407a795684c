// The answers of many trees: what the leaves of each row say, added up tree after tree.
#pragma once
#include <cstdint>
#include <optional>

#include "core/ensembles/compiled.hpp"
#include "core/numeric/parallel.hpp"

namespace clearwood {

// Compiled trees as the caller keeps them; see compiled.hpp.
struct CompiledView {
  const double* limits;
  const int64_t* limit_start;
  const int32_t* slots;
  std::size_t attributes;
  const Narrow* narrow;  // or null
  const Wide* wide;      // or null
  const int32_t* origin;
  const int32_t* place;
};

// What is added up. A row that reaches `leaf` of tree t adds figures [node, width] from the place adds_to[t] × width on, where
// width is 1 for trees that add to different scores. A row that reaches several leaves adds their average; where `shares`
// [node, width] is given, members vote: then it adds weights[t] to the class of its largest average share.
struct Added {
  const int64_t* start;    // [tree + 1]
  const int32_t* adds_to;  // [tree]
  int64_t trees;
  const double* figures;
  int32_t width;
  int32_t scores;          // of a row's answer
  const double* shares;    // or null
  const double* weights;   // [tree], for votes
};

// answers [row, scores]. Rows with empty cells or unseen values take `unusual`; without it the result is false as soon as one
// is met. The sums are added in the order of the trees, whatever the number of threads.
bool answers_of(const NodesView& nodes, const Columns& columns, const CompiledView& usual,
                const std::optional<CompiledView>& unusual, const Added& added, int64_t rows, double* answers,
                const StopFlag& stop);

// The same for one row without anything unusual: cells [attribute] as numbers, values as their codes; false where the row
// needs the general way. `answer` [scores].
bool answer_of_one(const CompiledView& usual, const int32_t* values, const Added& added, const double* cells, double* answer);

}  // namespace clearwood
