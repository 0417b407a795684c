// A fingerprint of columns: the same rows, in any order, give the same sixteen hexadecimal digits, on any machine.
#pragma once
#include <string>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "core/counting/problem.hpp"

namespace clearwood {

std::string fingerprint(const std::vector<Column>& columns, std::size_t rows, int threads, const StopFlag& stop);

}  // namespace clearwood
