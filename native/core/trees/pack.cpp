#include "core/trees/pack.hpp"

#include <cmath>
#include <type_traits>

namespace clearwood {
namespace {

int bits_for(std::uint64_t count) { return count <= 1 ? 0 : std::bit_width(count - 1); }

// Copies a column's codes, one higher so that missing is 0. Says whether any is.
bool read_codes(const Column& column, std::size_t rows, CodeColumn& out) {
  std::int32_t least = 0;
  auto copy = [&](auto& to) {
    to.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::int32_t code = std::max(column.code(row), -1);
      least = std::min(least, code);
      to[row] = static_cast<std::remove_reference_t<decltype(to[0])>>(code + 1);
    }
  };
  if (column.values < 0xFFFF) {
    copy(out.narrow);
  } else {
    copy(out.wide);
  }
  return least < 0;
}

}  // namespace

std::vector<double> ends_of_shares(const std::vector<double>& shares) {
  std::vector<double> ends;
  std::size_t last = shares.size();
  while (last > 0 && !(shares[last - 1] > 0.0)) --last;
  double end = 0.0;
  for (std::size_t b = 0; b < shares.size(); ++b) {
    end = b + 1 >= last ? 1.0 : end + shares[b];
    ends.push_back(end);
  }
  return ends;
}

Pack::Pack(const Problem& problem, bool keep_values, int threads, const StopFlag& stop) : problem_(&problem) {
  const std::size_t rows = problem.rows;
  if (rows >= 0xFFFFFFFFull) throw std::invalid_argument("more than 4294967294 rows do not fit in memory's row numbers");
  for (const Column& column : problem.columns) slots_.push_back(column.numeric() ? static_cast<int>(numeric_++) : -1);
  // The class rides along with the rank where both fit in 32 bits; the last rank is kept for the missing.
  class_bits_ = bits_for(static_cast<std::uint64_t>(problem.classes));
  if (class_bits_ + bits_for(rows + 2) > 32) class_bits_ = 0;
  room_.resize(static_cast<std::size_t>(std::max(1, threads)));
  all_ = Range{std::make_shared<Block>(rows, numeric_), 0, rows};
  codes_.resize(problem.columns.size());
  sorted_ = std::make_shared<std::vector<SortedColumn>>(
      sort_columns(problem, slots_, class_bits_, keep_values, all_.block->entries.get(), room_, threads, stop));
  run_parallel(problem.columns.size(), threads, [&](std::size_t c, int) {
    check(stop);
    if (slots_[c] < 0) (*sorted_)[c].any_missing = read_codes(problem.columns[c], rows, codes_[c]);
  });
  for (std::size_t row = 0; row < rows; ++row) all_.block->instances[row] = static_cast<std::uint32_t>(row);
  if (problem.classes > 0) classes_.assign(problem.class_of, problem.class_of + rows);
  if (problem.weight_of != nullptr || !problem.factors.empty()) {
    weights_.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      double weight = problem.weight_of != nullptr ? problem.weight_of[row] : 1.0;
      if (!problem.factors.empty()) weight *= problem.factors[static_cast<std::size_t>(problem.class_of[row])];
      if (problem.units > 0) weight = std::max(1.0, std::floor(weight * problem.units + 0.5)) / problem.units;
      weights_[row] = weight;
    }
    unit_ = std::all_of(weights_.begin(), weights_.end(), [](double w) { return w == 1.0; });
  }
  instances_ = rows;
}

Pack::Pack(Pack& from, const Range& range)
    : problem_(from.problem_),
      slots_(from.slots_),
      numeric_(from.numeric_),
      class_bits_(from.class_bits_),
      unit_(from.unit_),
      sorted_(from.sorted_),
      room_(1) {
  const std::size_t size = range.size;
  all_ = Range{std::make_shared<Block>(size, numeric_), 0, size};
  const std::uint32_t* old = from.instances(range);
  origin_.resize(size);
  if (!from.classes_.empty()) classes_.resize(size);
  if (!unit_) weights_.resize(size);
  if (from.part_.size() < from.instances_) throw std::logic_error("the pack has no room for new numbers");
  bool all_one = true;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t instance = old[i];
    // Nodes share no instance, so threads that take different nodes never write the same place.
    from.part_[instance] = static_cast<std::uint32_t>(i);
    origin_[i] = from.table_row(instance);
    if (!classes_.empty()) classes_[i] = from.class_of(instance);
    if (!unit_) {
      weights_[i] = from.weights_[instance];
      all_one = all_one && weights_[i] == 1.0;
    }
    all_.block->instances[i] = static_cast<std::uint32_t>(i);
  }
  unit_ = all_one;
  codes_.resize(from.codes_.size());
  for (std::size_t a = 0; a < codes_.size(); ++a) {
    auto copy = [&](const auto& source, auto& to) {
      if (source.empty()) return;
      to.resize(size);
      for (std::size_t i = 0; i < size; ++i) to[i] = source[from.row(old[i])];
    };
    copy(from.codes_[a].narrow, codes_[a].narrow);
    copy(from.codes_[a].wide, codes_[a].wide);
  }
  for (std::size_t s = 0; s < numeric_; ++s) {
    const Entry* source = range.block->entries.get() + s * range.block->length + range.begin;
    Entry* out = all_.block->entries.get() + s * size;
    for (std::size_t i = 0; i < size; ++i) out[i] = with_instance(source[i], from.part_[instance_of(source[i])]);
  }
  instances_ = size;
}

std::size_t Pack::known(const Range& range, int attribute) const {
  if (!any_missing(attribute)) return range.size;
  const Entry* begin = entries(range, attribute);
  return static_cast<std::size_t>(
      std::partition_point(begin, begin + range.size, [&](Entry e) { return rank(e) != missing_rank(); }) - begin);
}

Pack::Routed Pack::route(const Range& range, const Candidate& choice) {
  Routed routed;
  const auto branches = static_cast<std::size_t>(choice.branches);
  const auto classes = static_cast<std::size_t>(problem_->classes);
  routed.taken.assign(branches, 0.0);
  routed.counts.assign(branches * classes, 0.0);
  const auto stray = choice.otherwise >= 0 ? static_cast<std::uint32_t>(choice.otherwise) : shared_branch;
  const auto missing = choice.missing_branch >= 0 ? static_cast<std::uint32_t>(choice.missing_branch) : stray;
  const bool ask_surrogates = choice.missing_branch < 0 && !choice.surrogates.empty();
  const bool numeric = problem_->columns[static_cast<std::size_t>(choice.attribute)].numeric();
  const std::size_t known = numeric ? this->known(range, choice.attribute) : 0;
  by_bits_ = branches == 2 && (stray != shared_branch || (numeric && known == range.size));
  routed.sizes.assign(branches, 0);
  branch_of_zero_ = 0;
  if (by_bits_) {
    side_.assign((instances_ + 63) / 64, 0);
    if (numeric && known == range.size) {
      route_cut(range, choice, routed);
      routed.own = routed.counts;
      return routed;
    }
  } else if (branch_.size() < instances_) {
    branch_.resize(instances_);
  }
  auto put = [&](std::uint32_t instance, std::uint32_t to) {
    if (by_bits_) {
      side_[instance >> 6] |= static_cast<std::uint64_t>(to) << (instance & 63);
    } else {
      branch_[instance] = to;
    }
    if (to == shared_branch) {
      routed.shared.push_back(instance);
      return;
    }
    ++routed.sizes[to];
    if (classes > 0) routed.counts[to * classes + static_cast<std::size_t>(class_of(instance))] += weight(instance);
  };
  // A row that no branch takes: the surrogates in order, then where strays go.
  auto put_lost = [&](std::uint32_t instance, std::uint32_t to) {
    for (const SurrogateChoice& surrogate : choice.surrogates) {
      if (!ask_surrogates) break;
      int side = -1;
      if (slot(surrogate.attribute) >= 0) {
        const double value = number(instance, surrogate.attribute);
        if (value == value) side = value <= surrogate.limit ? surrogate.branch : 1 - surrogate.branch;
      } else {
        const std::int32_t code = this->code(instance, surrogate.attribute);
        if (code >= 0) side = surrogate.side_of[static_cast<std::size_t>(code)];
      }
      if (side < 0) continue;
      to = static_cast<std::uint32_t>(side);
      break;
    }
    put(instance, to);
  };
  if (numeric) {
    const Entry* sorted = entries(range, choice.attribute);
    std::size_t i = 0;
    for (; i < known; ++i) {
      const std::uint32_t instance = instance_of(sorted[i]);
      const bool above = rank(sorted[i]) > choice.cut_rank;
      put(instance, above);
      routed.taken[above] += weight(instance);
    }
    if (choice.missing_branch < 0) routed.own = routed.counts;
    for (; i < range.size; ++i) {
      const std::uint32_t instance = instance_of(sorted[i]);
      put_lost(instance, missing);
      if (choice.missing_branch >= 0) routed.taken[missing] += weight(instance);
    }
    if (choice.missing_branch >= 0) routed.own = routed.counts;
    return routed;
  }
  std::vector<std::uint32_t> lost;
  const std::uint32_t* list = instances(range);
  for (std::size_t i = 0; i < range.size; ++i) {
    const std::uint32_t instance = list[i];
    const std::int32_t code = this->code(instance, choice.attribute);
    const std::int32_t to = code < 0 ? choice.missing_branch : choice.branch_of[static_cast<std::size_t>(code)];
    if (to < 0) {
      lost.push_back(instance);
    } else {
      put(instance, static_cast<std::uint32_t>(to));
      routed.taken[static_cast<std::size_t>(to)] += weight(instance);
    }
  }
  routed.own = routed.counts;
  for (const std::uint32_t instance : lost) put_lost(instance, stray);
  return routed;
}

double Pack::part_of(double weight, const std::vector<double>& shares, const std::vector<double>& ends,
                     std::size_t b) const {
  const double units = problem_->units;
  if (!(units > 0)) return weight * shares[b];
  const double low = b > 0 ? ends[b - 1] : 0.0;
  if (!(ends[b] > low)) return 0.0;
  const double whole = weight * units;
  return std::max(1.0, std::floor(whole * ends[b] + 0.5) - std::floor(whole * low + 0.5)) / units;
}

// A cut that every row has a value for: the two sides are known by their place, so only the smaller one is marked.
void Pack::route_cut(const Range& range, const Candidate& choice, Routed& routed) {
  const auto classes = static_cast<std::size_t>(problem_->classes);
  const Entry* sorted = entries(range, choice.attribute);
  const auto below = static_cast<std::size_t>(
      std::partition_point(sorted, sorted + range.size, [&](Entry e) { return rank(e) <= choice.cut_rank; }) - sorted);
  routed.sizes = {below, range.size - below};
  const bool mark_below = below <= range.size - below;
  branch_of_zero_ = mark_below;
  for (std::size_t i = mark_below ? 0 : below; i < (mark_below ? below : range.size); ++i) {
    const std::uint32_t instance = instance_of(sorted[i]);
    side_[instance >> 6] |= std::uint64_t{1} << (instance & 63);
  }
  const std::uint32_t mask = (1u << class_bits_) - 1;
  for (const std::size_t side : {0u, 1u}) {
    double* counts = routed.counts.data() + side * classes;
    const std::size_t begin = side == 0 ? 0 : below, end = side == 0 ? below : range.size;
    if (unit_) {
      routed.taken[side] = static_cast<double>(end - begin);
      if (classes > 0 && class_bits_ > 0) {
        std::vector<std::uint32_t> tallies(classes, 0);
        for (std::size_t i = begin; i < end; ++i) ++tallies[static_cast<std::uint32_t>(sorted[i] >> 32) & mask];
        std::copy(tallies.begin(), tallies.end(), counts);
        continue;
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t instance = instance_of(sorted[i]);
      if (!unit_) routed.taken[side] += weight(instance);
      if (classes > 0) counts[class_of(instance)] += weight(instance);
    }
  }
}

std::vector<Range> Pack::split(const Range& range, int branches, const Routed& routed,
                               const std::vector<double>& shares, const std::vector<char>& may_split, int threads) {
  const auto count = static_cast<std::size_t>(branches);
  const std::vector<std::uint32_t>& shared = routed.shared;
  std::vector<std::size_t> sizes = routed.sizes;
  std::vector<std::uint32_t> first_part(count, 0);  // the number of the first shared instance's copy in each branch
  std::vector<char> takes_shared(count, 0);
  bool original_taken = false;
  if (!shared.empty()) {
    if (rows_.empty()) {
      rows_.resize(instances_);
      for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = static_cast<std::uint32_t>(i);
    }
    if (unit_) {
      weights_.assign(rows_.size(), 1.0);
      unit_ = false;
    }
    prepare_to_divide();
    for (std::size_t i = 0; i < shared.size(); ++i) part_[shared[i]] = static_cast<std::uint32_t>(i);
    const std::vector<double> ends = ends_of_shares(shares);
    std::vector<double> before(shared.size());
    for (std::size_t i = 0; i < shared.size(); ++i) before[i] = weights_[shared[i]];
    for (std::size_t b = 0; b < count; ++b) {
      if (!(shares[b] > 0.0) || !may_split[b]) {
        if (shares[b] > 0.0) sizes[b] += shared.size();
        continue;
      }
      takes_shared[b] = 1;
      sizes[b] += shared.size();
      if (!original_taken) {
        original_taken = true;
        first_part[b] = 0xFFFFFFFFu;  // the first branch keeps the instances as they are numbered
        for (std::size_t i = 0; i < shared.size(); ++i) weights_[shared[i]] = part_of(before[i], shares, ends, b);
        continue;
      }
      first_part[b] = static_cast<std::uint32_t>(rows_.size());
      for (std::size_t i = 0; i < shared.size(); ++i) {
        rows_.push_back(rows_[shared[i]]);
        weights_.push_back(part_of(before[i], shares, ends, b));
      }
    }
    if (rows_.size() >= 0xFFFFFFFFull) throw std::length_error("rows with missing values have come to too many parts");
    instances_ = rows_.size();
  }

  std::vector<std::size_t> starts(count, 0);
  std::size_t total = 0;
  for (std::size_t b = 0; b < count; ++b) {
    starts[b] = total;
    if (may_split[b]) total += sizes[b];
  }
  std::vector<Range> ranges(count);
  // Without shared instances the branches fit into their parent's place.
  const bool in_place = shared.empty();
  auto block = in_place ? range.block : std::make_shared<Block>(total, numeric_);
  const std::size_t base = in_place ? range.begin : 0;
  for (std::size_t b = 0; b < count; ++b)
    ranges[b] = may_split[b] ? Range{block, base + starts[b], sizes[b]} : Range{nullptr, 0, sizes[b]};

  auto copy_of = [&](std::uint32_t instance, std::size_t b) {
    return first_part[b] == 0xFFFFFFFFu ? instance : first_part[b] + part_[instance];
  };
  // Calls part(source, out, room, instance of, with instance) for the list of instances and for every column's entries.
  auto each_list = [&](auto part) {
    run_parallel(numeric_ + 1, threads, [&](std::size_t s, int thread) {
      if (s == numeric_) {
        part(range.block->instances.get() + range.begin, block->instances.get() + base, instance_room_,
             [](std::uint32_t i) { return i; }, [](std::uint32_t, std::uint32_t to) { return to; });
      } else {
        part(range.block->entries.get() + s * range.block->length + range.begin,
             block->entries.get() + s * block->length + base, room_[static_cast<std::size_t>(thread)], instance_of, with_instance);
      }
    });
  };
  if (by_bits_) {
    const std::uint64_t* const side = side_.data();
    // Two ways: branch 0 slides down in place, branch 1 waits in `room` and is laid behind it.
    each_list([&](const auto*, auto* data, auto& room, auto instance, auto) {
      if (room.size() < range.size + 1) room.resize(range.size + 1);
      std::size_t kept = 0, away = 0;
      for (std::size_t i = 0; i < range.size; ++i) {
        const auto entry = data[i];
        const std::uint32_t number = instance(entry);
        const bool right = (side[number >> 6] >> (number & 63) & 1u) ^ branch_of_zero_;
        data[kept] = entry;
        room[away] = entry;
        kept += !right;
        away += right;
      }
      if (may_split[1]) std::copy_n(room.data(), away, data + (may_split[0] ? kept : 0));
    });
    return ranges;
  }
  each_list([&](const auto* source, auto* out, auto& room, auto instance, auto renumber) {
    if (in_place) {
      room.assign(source, source + range.size);
      source = room.data();
    }
    std::vector<std::size_t> at(starts);
    for (std::size_t i = 0; i < range.size; ++i) {
      const auto entry = source[i];
      const std::uint32_t b = branch(instance(entry));
      if (b != shared_branch) {
        if (may_split[b]) out[at[b]++] = entry;
        continue;
      }
      for (std::size_t k = 0; k < count; ++k)
        if (takes_shared[k]) out[at[k]++] = renumber(entry, copy_of(instance(entry), k));
    }
  });
  return ranges;
}

}  // namespace clearwood
