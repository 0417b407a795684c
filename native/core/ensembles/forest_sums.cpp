// What the rows of a node add up to by a column: by value, or on either side of a drawn cut.
#include <algorithm>

#include "core/ensembles/forest_tree.hpp"

namespace clearwood {

template <class Rows>
void ForestTreeGrower::sum_values(Rows& rows, const Waiting& node, std::size_t column, double mean) {
  const std::size_t width = measure_.width;
  values_.ids.clear();
  values_.sums.clear();
  values_.missing.assign(width, 0.0);
  values_.any_missing = false;
  const std::uint32_t size = rows.size(column);
  if ((size + 1) * width <= 2 * node.count) {
    // Few values: summed in the order of rows, then those met are put together.
    rows.gather(column, node.begin, node.count, ids_.data());
    std::vector<double>& sums = values_.sums;
    sums.assign((size + 1) * width, 0.0);
    slot_of_.assign(size + 1, 0);
    for (std::size_t i = 0; i < node.count; ++i) {
      add(sums.data() + ids_[i] * width, rows.tag(node.begin + i), mean);
      slot_of_[ids_[i]] = 1;
    }
    if (slot_of_[size]) {
      values_.any_missing = true;
      std::copy_n(sums.begin() + static_cast<std::ptrdiff_t>(size * width), width, values_.missing.begin());
    }
    for (std::uint32_t id = 0; id < size; ++id) {
      if (!slot_of_[id]) continue;
      std::copy_n(sums.begin() + static_cast<std::ptrdiff_t>(id * width), width,
                  sums.begin() + static_cast<std::ptrdiff_t>(values_.ids.size() * width));
      values_.ids.push_back(id);
    }
    sums.resize(values_.ids.size() * width);
    return;
  }
  if (!rows.order(column, node.begin, node.count, ids_.data(), tags_.data())) return;
  for (std::size_t i = 0; i < node.count; ++i) {
    if (ids_[i] == size) {
      values_.any_missing = true;
      add(values_.missing.data(), tags_[i], mean);
      continue;
    }
    if (values_.ids.empty() || values_.ids.back() != ids_[i]) {
      values_.ids.push_back(ids_[i]);
      values_.sums.resize(values_.sums.size() + width, 0.0);
    }
    add(values_.sums.data() + values_.sums.size() - width, tags_[i], mean);
  }
}

// Values of few rows at the node go where the missing go: each would be put on the side of its own few rows' chance.
void ForestTreeGrower::set_rare_aside() {
  const std::size_t width = measure_.width;
  std::size_t kept = 0;
  for (std::size_t v = 0; v < values_.ids.size(); ++v) {
    const double* const sums = values_.sums.data() + v * width;
    if (measure_.rows(sums) >= settings_.min_value - 1e-9) {
      std::copy_n(sums, width, values_.sums.data() + kept * width);
      values_.ids[kept++] = values_.ids[v];
    } else {
      values_.any_missing = true;
      for (std::size_t k = 0; k < width; ++k) values_.missing[k] += sums[k];
    }
  }
  values_.ids.resize(kept);
  values_.sums.resize(kept * width);
}

template <class Rows>
void ForestTreeGrower::ask_drawn_cut(Rows& rows, const Waiting& node, std::size_t column, const double* counts) {
  const std::uint32_t size = rows.size(column);
  rows.gather(column, node.begin, node.count, ids_.data());
  std::uint32_t least = size, most = 0;
  bool any_missing = false, any_known = false;
  for (std::size_t i = 0; i < node.count; ++i) {
    if (ids_[i] == size) {
      any_missing = true;
      continue;
    }
    any_known = true;
    least = std::min(least, ids_[i]);
    most = std::max(most, ids_[i]);
  }
  if (!any_known || (least == most && !any_missing)) {
    is_constant_[column] = 1;
    constants_.push_back(static_cast<std::uint32_t>(column));
    return;
  }
  std::uint32_t last = most;
  double cut = 0;
  if (least < most) {
    const std::vector<double>& values = columns_[column].steps;
    const double low = values[rows.code(column, least)], high = values[rows.code(column, most)];
    const double at = clearwood::part(key_after(key_after(node.key, chance_of_cuts), column), 0);
    cut = low * (1 - at) + high * at;
    if (!(low <= cut && cut < high)) cut = low;
    // The last id whose value is not above the cut.
    std::uint32_t above = most;
    for (last = least; above - last > 1;) {
      const std::uint32_t middle = last + (above - last) / 2;
      (values[rows.code(column, middle)] <= cut ? last : above) = middle;
    }
  }
  const double mean = measure_.numbers ? counts[1] : 0.0;
  const std::size_t width = measure_.width;
  std::vector<double>& sums = values_.sums;
  sums.assign(5 * width, 0.0);
  for (std::size_t i = 0; i < node.count; ++i)
    add(sums.data() + (ids_[i] == size ? 2 : ids_[i] > last ? 1 : 0) * width, rows.tag(node.begin + i), mean);
  const double *low = sums.data(), *high = low + width, *missing = high + width;
  double *first = sums.data() + 3 * width, *second = first + width;
  auto offer = [&](int side, bool apart) {
    if (!measure_.heavy(first) || !measure_.heavy(second)) return;
    const double score = measure_.purity(first) + measure_.purity(second);
    if (!best_.beats(score)) return;
    best_.take(score, column);
    best_.below = last;
    best_.cut = cut;
    best_.drawn_cut = !apart;
    best_.apart = apart;
    best_.missing = side;
  };
  if (least == most) {
    std::copy_n(low, width, first);
    std::copy_n(missing, width, second);
    return offer(1, true);
  }
  for (int side = 1; side >= (any_missing ? 0 : 1); --side) {
    for (std::size_t k = 0; k < width; ++k) {
      first[k] = side == 0 ? low[k] + missing[k] : low[k];
      second[k] = side == 1 && any_missing ? high[k] + missing[k] : high[k];
    }
    offer(any_missing ? side : -1, false);
  }
}

template void ForestTreeGrower::sum_values<Far>(Far&, const Waiting&, std::size_t, double);
template void ForestTreeGrower::ask_drawn_cut<Far>(Far&, const Waiting&, std::size_t, const double*);
template void ForestTreeGrower::sum_values<Near>(Near&, const Waiting&, std::size_t, double);
template void ForestTreeGrower::ask_drawn_cut<Near>(Near&, const Waiting&, std::size_t, const double*);

}  // namespace clearwood
