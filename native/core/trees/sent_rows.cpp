#include "core/trees/sent_rows.hpp"

#include <algorithm>
#include <numeric>

namespace clearwood {
namespace {
// No part of a row goes where so little goes: as in WEKA's J48.
constexpr double least_share = 1e-6;
}  // namespace

SentRows::SentRows(const Walk& walk, const std::vector<double>& factor_of)
    : walk_(walk), factor_of_(factor_of), number_of_(static_cast<std::size_t>(walk.nodes.size), 0) {
  for (int32_t node = 0; node < walk.nodes.size; ++node) {
    int32_t number = 0;
    for (int32_t child = node + 1; child < walk.nodes.end[node]; child = walk.nodes.end[child])
      number_of_[child] = number++;
  }
}

void SentRows::divide(int32_t node, Slice slice, const double* given) {
  branches.clear();
  shares.clear();
  for (int32_t child = node + 1; child < walk_.nodes.end[node]; child = walk_.nodes.end[child]) {
    branches.push_back(child);
    shares.push_back(0);
  }
  const std::size_t size = slice.end - slice.begin;
  if (taken_.size() < size) taken_.resize(size);
  next_.assign(branches.size(), 0);
  std::size_t rest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const SentRow& here = pile[slice.begin + i];
    const int32_t to = walk_.step(node, here.row);
    if (to < 0) {
      taken_[i] = -1;
      ++rest;
      continue;
    }
    const int32_t branch = number_of_[to];
    taken_[i] = branch;
    ++next_[branch];
    shares[branch] += here.weight * factor_of_[here.label];
  }
  const double known = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (std::size_t b = 0; b < shares.size(); ++b)
    shares[b] = given ? given[branches[b]] : known > 0 ? shares[b] / known : 1.0 / static_cast<double>(shares.size());

  in_parts = rest > 0;
  std::size_t at = in_parts ? pile.size() : slice.begin;
  slices.clear();
  for (std::size_t b = 0; b < branches.size(); ++b) {
    const std::size_t length = next_[b] + (shares[b] > least_share ? rest : 0);
    slices.push_back({at, at + length});
    next_[b] = at;
    at += length;
  }
  if (in_parts) {
    pile.resize(at);
    for (std::size_t i = 0; i < size; ++i) {
      const SentRow here = pile[slice.begin + i];
      if (taken_[i] >= 0) {
        pile[next_[taken_[i]]++] = here;
        continue;
      }
      for (std::size_t b = 0; b < branches.size(); ++b)
        if (shares[b] > least_share) pile[next_[b]++] = {here.row, here.label, here.weight * shares[b]};
    }
    return;
  }
  if (std::is_sorted(taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(size))) return;
  spare_.assign(pile.begin() + static_cast<std::ptrdiff_t>(slice.begin),
                pile.begin() + static_cast<std::ptrdiff_t>(slice.end));
  for (std::size_t i = 0; i < size; ++i) pile[next_[taken_[i]]++] = spare_[i];
}

Slice SentRows::copy(Slice slice) {
  const std::size_t begin = pile.size(), size = slice.end - slice.begin;
  pile.resize(begin + size);
  std::copy_n(pile.begin() + static_cast<std::ptrdiff_t>(slice.begin), size,
              pile.begin() + static_cast<std::ptrdiff_t>(begin));
  return {begin, begin + size};
}

}  // namespace clearwood
