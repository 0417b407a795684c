// The shape of many trees from the number of branches at each node, in preorder, and sums from the leaves up.
#pragma once
#include <cstddef>
#include <cstdint>

namespace clearwood {

// parent, end [node] of trees of these sizes; false where the branches do not make them.
bool shape_of_trees(const int32_t* branches, int64_t nodes, const int64_t* sizes, int64_t trees, int32_t* parent,
                    int32_t* end);

// values [node, width]: to every split the sum of its branches, the last first; those of leaves are given.
void sum_up(const int32_t* parent, int64_t nodes, double* values, std::size_t width);

}  // namespace clearwood
