#include "core/rules/matching.hpp"

#include <utility>

namespace clearwood {
namespace {
constexpr std::size_t below_zero = 2;  // the codes −2, unseen, and −1, missing, stand first in a table

// A table by code is quick, but conditions on thousands of values would fill the memory with them.
constexpr std::int32_t most_in_a_table = 4096;

// Packs holds(row) of `rows` rows into words. Bytes first, then bits: the comparisons can then run side by side.
template <class Holds>
void pack(std::size_t rows, Word* out, Holds&& holds) {
  for (std::size_t start = 0; start < rows; start += 64) {
    const std::size_t stop = rows - start < 64 ? rows - start : 64;
    alignas(64) std::uint8_t bytes[64];
    if (stop == 64) {
      for (std::size_t i = 0; i < 64; ++i) bytes[i] = holds(start + i);
    } else {
      for (std::size_t i = 0; i < 64; ++i) bytes[i] = i < stop && holds(start + i);
    }
    Word word = 0;
    if constexpr (std::endian::native == std::endian::little) {
      for (std::size_t i = 0; i < 64; i += 8) {
        Word eight;
        std::memcpy(&eight, bytes + i, 8);
        word |= eight * 0x0102040810204080u >> 56 << i;  // gathers the lowest bits of eight bytes in one
      }
    } else {
      for (std::size_t i = 0; i < 64; ++i) word |= static_cast<Word>(bytes[i]) << i;
    }
    out[start / 64] = word;
  }
}

template <class T>
void numbers(const Column& column, std::size_t first, std::size_t rows, double low, double high, bool or_missing,
             Word* out) {
  const auto within = [&](auto cell) {
    pack(rows, out, [&](std::size_t row) -> std::uint8_t {
      const double x = static_cast<double>(cell(row));
      return static_cast<std::uint8_t>(((x > low) & (x <= high)) | (or_missing & (x != x)));
    });
  };
  if (column.stride == sizeof(T)) {
    const T* const values = reinterpret_cast<const T*>(column.data) + first;
    within([&](std::size_t row) { return values[row]; });
  } else {
    within([&](std::size_t row) { return column.at<T>(first + row); });
  }
}

constexpr std::size_t block_rows = 4096;
constexpr std::size_t block_words = block_rows / 64;
// The rows are cut into so many runs, whatever the threads: sums of weights are then always added in one order.
constexpr std::size_t runs = 16;

// The conditions' bits over one block, each worked out when it is first needed.
class ConditionBlock {
 public:
  explicit ConditionBlock(const Conditions& conditions)
      : conditions_(conditions), bits_(conditions.size() * block_words), known_(conditions.size(), 0) {}

  void begin(std::size_t first, std::size_t rows) {
    first_ = first;
    rows_ = rows;
    words_ = words_for(rows);
    std::fill(known_.begin(), known_.end(), 0);
  }
  std::size_t words() const { return words_; }
  std::size_t first() const { return first_; }

  // hit [words] becomes hit AND the rule; false where nothing is left.
  bool narrow(const RulesView& rules, std::size_t rule, Word* hit) {
    for (std::int64_t k = rules.start[rule]; k < rules.start[rule + 1]; ++k) {
      const Word* const holds = of(static_cast<std::size_t>(rules.condition[k]));
      Word any = 0;
      for (std::size_t i = 0; i < words_; ++i) any |= hit[i] &= holds[i];
      if (!any) return false;
    }
    return true;
  }
  void everything(Word* bits) const {
    std::fill(bits, bits + words_, ~Word{0});
    if (rows_ % 64) bits[words_ - 1] = (Word{1} << (rows_ % 64)) - 1;
  }

 private:
  const Word* of(std::size_t condition) {
    Word* const bits = bits_.data() + condition * block_words;
    if (!known_[condition]) {
      conditions_.answer(condition, first_, rows_, bits);
      known_[condition] = 1;
    }
    return bits;
  }
  const Conditions& conditions_;
  std::vector<Word> bits_;
  std::vector<char> known_;
  std::size_t first_ = 0, rows_ = 0, words_ = 0;
};

bool any(const Word* bits, std::size_t words) {
  return std::any_of(bits, bits + words, [](Word word) { return word != 0; });
}

// Calls each(block, run) for every block of rows, run after run side by side.
template <class Each>
void over_blocks(const Conditions& conditions, std::size_t rows, const StopFlag& stop, Each&& each) {
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  const std::size_t parts = std::min(runs, blocks);
  run_parallel(parts, thread_count(), [&](std::size_t part, int) {
    ConditionBlock block(conditions);
    for (std::size_t b = blocks * part / parts; b < blocks * (part + 1) / parts; ++b) {
      check(stop);
      block.begin(b * block_rows, std::min(block_rows, rows - b * block_rows));
      each(block, part);
    }
  });
}

constexpr std::size_t most_as_bits = 64;  // classes

// Rows by class, as bits, for counting by AND: those of a block at a time, or all at once. The sums of weights go in the order
// of the rows.
class Classes {
 public:
  Classes(const ClassedRows& rows, std::size_t most_rows)
      : target_(rows.class_of), weights_(rows.weight_of), classes_(static_cast<std::size_t>(rows.classes)),
        words_(words_for(most_rows)), bits_(weights_ || classes_ > most_as_bits ? 0 : classes_ * words_) {}

  void begin(std::size_t first, std::size_t rows) {
    first_ = first;
    std::fill(bits_.begin(), bits_.end(), 0);
    for (std::size_t row = 0; !bits_.empty() && row < rows; ++row) {
      const std::int32_t code = target_[first + row];
      if (code < 0 || static_cast<std::size_t>(code) >= classes_) continue;
      bits_[static_cast<std::size_t>(code) * words_ + row / 64] |= Word{1} << (row % 64);
    }
  }
  void add(const Word* rows, std::size_t words, double* counts) const {
    const auto filled = static_cast<std::size_t>(std::count_if(rows, rows + words, [](Word word) { return word != 0; }));
    // A word costs a step for each class, a row one step: few rows are quicker one by one.
    if (!bits_.empty() && filled * 2 >= words) {
      for (std::size_t c = 0; c < classes_; ++c)
        counts[c] += static_cast<double>(count_both(rows, bits_.data() + c * words_, words));
      return;
    }
    for (std::size_t i = 0; i < words; ++i)
      for_each_row(rows[i], first_ + i * 64, [&](std::size_t row) {
        const std::int32_t code = target_[row];
        if (code >= 0 && static_cast<std::size_t>(code) < classes_) counts[code] += weights_ ? weights_[row] : 1.0;
      });
  }

 private:
  const std::int32_t* target_;
  const double* weights_;
  std::size_t classes_, words_;  // words of a class's rows
  std::vector<Word> bits_;
  std::size_t first_ = 0;
};

constexpr std::size_t rules_a_job = 16;

// Both sides' sums go in the order of the rows; the only condition of a rule parts all of them, and what does not satisfy it
// is the rest, so that a class all on one side leaves exactly 0 on the other.
void count_rule(const ConditionRows& satisfied, std::span<const std::int32_t> members, const Bits& rows, const Classes& counter,
                const std::vector<double>& all, std::vector<Bits>& missed, double* counts) {
  std::vector<const Word*> conditions;
  for (const auto member : members) conditions.push_back(satisfied.bits + static_cast<std::size_t>(member) * rows.size());
  missed.resize(std::max(missed.size(), members.size() + 1));  // [i] the rows that fail the i-th alone; then those that fail none
  for (std::size_t i = 0; i <= members.size(); ++i) missed[i].assign(rows.size(), 0);
  each_miss(
      conditions, rows, [&](Word word, std::size_t i) { missed[members.size()][i] = word; },
      [&](std::size_t k, Word word, std::size_t i) { missed[k][i] = word; });
  for (std::size_t i = 0; i < members.size(); ++i) {
    double *const holds = counts + i * 2 * all.size(), *const fails = holds + all.size();
    counter.add(missed[members.size()].data(), rows.size(), holds);
    if (members.size() > 1) {
      counter.add(missed[i].data(), rows.size(), fails);
    } else {
      for (std::size_t c = 0; c < all.size(); ++c) fails[c] = all[c] - holds[c];
    }
  }
}

}  // namespace

Conditions::Conditions(const ConditionsView& view, Columns cells) : view_(view), cells_(std::move(cells)) {
  table_start_.resize(view.size + 1);
  for (std::size_t i = 0; i < view.size; ++i) {
    const std::int32_t at = view.attribute[i];
    if (at < 0 || static_cast<std::size_t>(at) >= cells_.size() || !cells_[static_cast<std::size_t>(at)])
      throw std::invalid_argument("A condition asks for a column that is not there.");
    const Column& column = *cells_[static_cast<std::size_t>(at)];
    const std::int64_t start = view.set_start[i], stop = view.set_start[i + 1];
    if (start < 0 || stop < start || static_cast<std::size_t>(stop) > view.set_size)
      throw std::invalid_argument("A condition's set of values lies outside the codes.");
    table_start_[i] = tables_.size();
    if (column.numeric()) continue;
    for (std::int64_t k = start; k < stop; ++k)
      if (view.set_codes[k] < 0 || view.set_codes[k] >= column.values)
        throw std::invalid_argument("A condition names a code beyond the values.");
    if (stop - start < 2 || column.values > most_in_a_table) continue;
    tables_.resize(tables_.size() + below_zero + static_cast<std::size_t>(column.values), 0);
    std::uint8_t* const table = tables_.data() + table_start_[i];
    table[1] = view.or_missing[i];
    for (std::int64_t k = start; k < stop; ++k) table[below_zero + static_cast<std::size_t>(view.set_codes[k])] = 1;
  }
  table_start_[view.size] = tables_.size();
}

void Conditions::answer(std::size_t condition, std::size_t first, std::size_t rows, Word* out) const {
  const Column& column = *cells_[static_cast<std::size_t>(view_.attribute[condition])];
  const bool or_missing = view_.or_missing[condition];
  if (column.type == Column::Type::float32) {
    return numbers<float>(column, first, rows, view_.low[condition], view_.high[condition], or_missing, out);
  }
  if (column.type == Column::Type::float64) {
    return numbers<double>(column, first, rows, view_.low[condition], view_.high[condition], or_missing, out);
  }
  const std::int32_t* const chosen = view_.set_codes + view_.set_start[condition];
  const std::int32_t* const chosen_end = view_.set_codes + view_.set_start[condition + 1];
  const auto among = [&](auto code) {
    if (chosen_end - chosen < 2) {  // −2, unseen, equals no value of the schema, and −1 only what takes missing cells
      const std::int32_t only = chosen == chosen_end ? -1 : *chosen;
      const bool any = chosen != chosen_end || or_missing;
      return pack(rows, out, [&, only](std::size_t row) -> std::uint8_t {
        const std::int32_t value = code(row);
        return static_cast<std::uint8_t>((any & (value == only)) | (or_missing & (value == -1)));
      });
    }
    const std::uint8_t* const table = tables_.data() + table_start_[condition];
    const std::size_t size = table_start_[condition + 1] - table_start_[condition];
    if (size == 0)
      return pack(rows, out, [&](std::size_t row) -> std::uint8_t {
        const std::int32_t value = code(row);
        return value == -1 ? or_missing : std::binary_search(chosen, chosen_end, value);
      });
    pack(rows, out, [&](std::size_t row) -> std::uint8_t {
      const std::size_t place = static_cast<std::size_t>(static_cast<std::int64_t>(code(row)) + 2);
      return place < size ? table[place] : std::uint8_t{0};
    });
  };
  if (column.stride == sizeof(std::int32_t)) {
    const std::int32_t* const codes = reinterpret_cast<const std::int32_t*>(column.data) + first;
    among([&](std::size_t row) { return codes[row]; });
  } else {
    among([&](std::size_t row) { return column.code(first + row); });
  }
}

void check_rules(const RulesView& rules, std::size_t conditions, std::size_t entries) {
  for (std::size_t rule = 0; rule < rules.size; ++rule)
    if (rules.start[rule] < 0 || rules.start[rule + 1] < rules.start[rule] ||
        static_cast<std::size_t>(rules.start[rule + 1]) > entries)
      throw std::invalid_argument("A rule's conditions lie outside the list.");
  for (std::size_t k = 0; k < entries; ++k)
    if (rules.condition[k] < 0 || static_cast<std::size_t>(rules.condition[k]) >= conditions)
      throw std::invalid_argument("A rule names a condition that is not there.");
}

void first_rules(const Conditions& conditions, const RulesView& rules, std::size_t rows, std::int32_t* first_rule,
                 const StopFlag& stop) {
  over_blocks(conditions, rows, stop, [&](ConditionBlock& block, std::size_t) {
    const std::size_t words = block.words();
    Word waiting[block_words], hit[block_words];
    block.everything(waiting);
    for (std::size_t rule = 0; rule < rules.size && any(waiting, words); ++rule) {
      std::copy(waiting, waiting + words, hit);
      if (!block.narrow(rules, rule, hit)) continue;
      for (std::size_t i = 0; i < words; ++i) {
        for_each_row(hit[i], block.first() + i * 64,
                     [&](std::size_t row) { first_rule[row] = static_cast<std::int32_t>(rule); });
        waiting[i] &= ~hit[i];
      }
    }
    for (std::size_t i = 0; i < words; ++i)
      for_each_row(waiting[i], block.first() + i * 64, [&](std::size_t row) { first_rule[row] = -1; });
  });
}

void add_votes(const Conditions& conditions, const RulesView& rules, std::size_t rows, const double* votes,
               std::size_t width, double* sums, std::int32_t* held, const StopFlag& stop) {
  std::fill(sums, sums + rows * width, 0.0);
  std::fill(held, held + rows, 0);
  over_blocks(conditions, rows, stop, [&](ConditionBlock& block, std::size_t) {
    Word hit[block_words];
    for (std::size_t rule = 0; rule < rules.size; ++rule) {
      block.everything(hit);
      if (!block.narrow(rules, rule, hit)) continue;
      const double* const vote = votes + rule * width;
      for (std::size_t i = 0; i < block.words(); ++i)
        for_each_row(hit[i], block.first() + i * 64, [&](std::size_t row) {
          ++held[row];
          for (std::size_t k = 0; k < width; ++k) sums[row * width + k] += vote[k];
        });
    }
  });
}

void count_rules(const Conditions& conditions, const RulesView& rules, const ClassedRows& rows, double* covered,
                 double* answered, const StopFlag& stop) {
  const auto classes = static_cast<std::size_t>(rows.classes);
  const std::size_t size = rules.size * classes, whole = 2 * size + classes;
  std::vector<std::vector<double>> parts(runs);
  over_blocks(conditions, rows.rows, stop, [&](ConditionBlock& block, std::size_t part) {
    if (parts[part].empty()) parts[part].assign(whole, 0.0);
    double* const sums = parts[part].data();
    Classes by_class(rows, block_rows);
    by_class.begin(block.first(), std::min(block_rows, rows.rows - block.first()));
    const std::size_t words = block.words();
    Word waiting[block_words], hit[block_words];
    block.everything(waiting);
    for (std::size_t rule = 0; rule < rules.size; ++rule) {
      block.everything(hit);
      if (!block.narrow(rules, rule, hit)) continue;
      by_class.add(hit, words, sums + rule * classes);
      Word left = 0;
      for (std::size_t i = 0; i < words; ++i) {
        left |= hit[i] &= waiting[i];
        waiting[i] &= ~hit[i];
      }
      if (left) by_class.add(hit, words, sums + size + rule * classes);
    }
    if (any(waiting, words)) by_class.add(waiting, words, sums + 2 * size);
  });
  std::fill(covered, covered + size, 0.0);
  std::fill(answered, answered + size + classes, 0.0);
  for (const auto& part : parts) {
    if (part.empty()) continue;
    for (std::size_t i = 0; i < size; ++i) covered[i] += part[i];
    for (std::size_t i = 0; i < size + classes; ++i) answered[i] += part[size + i];
  }
}

void count_shared(const Word* sets, std::size_t size, std::size_t rows, const double* weights, double* shared,
                  const StopFlag& stop) {
  const std::size_t words = words_for(rows);
  run_parallel(size, thread_count(), [&](std::size_t one, int) {
    check(stop);
    const Word* const first = sets + one * words;
    for (std::size_t two = one; two < size; ++two) {
      const Word* const second = sets + two * words;
      double sum = 0;
      if (!weights) {
        sum = static_cast<double>(count_both(first, second, words));
      } else {
        for (std::size_t i = 0; i < words; ++i)
          for_each_row(first[i] & second[i], i * 64, [&](std::size_t row) { sum += weights[row]; });
      }
      shared[one * size + two] = shared[two * size + one] = sum;
    }
  });
}

void count_by_condition(const ConditionRows& satisfied, const RuleMembers& rules, const ClassedRows& truth, double* counts,
                        int threads, const StopFlag& stop) {
  if (rules.starts.empty()) throw std::invalid_argument("The rules' starts must rise from 0 to the number of members.");
  const std::size_t size = rules.starts.size() - 1;
  check_rules({size, rules.starts.data(), rules.members.data()}, satisfied.conditions, rules.members.size());
  for (std::size_t row = 0; row < truth.rows; ++row)
    if (truth.class_of[row] < 0 || truth.class_of[row] >= truth.classes)
      throw std::invalid_argument("A row's class is out of range.");
  const Bits rows = all_rows(truth.rows);
  Classes counter(truth, truth.rows);
  counter.begin(0, truth.rows);
  std::vector<double> all(static_cast<std::size_t>(truth.classes), 0.0);
  counter.add(rows.data(), rows.size(), all.data());
  std::vector<std::vector<Bits>> scratches(static_cast<std::size_t>(std::max(threads, 1)));
  over_rows(size, rules_a_job, threads, stop, [&](std::size_t first, std::size_t last, int thread) {
    for (std::size_t rule = first; rule < last; ++rule) {
      const auto begin = static_cast<std::size_t>(rules.starts[rule]), end = static_cast<std::size_t>(rules.starts[rule + 1]);
      count_rule(satisfied, rules.members.subspan(begin, end - begin), rows, counter, all,
                 scratches[static_cast<std::size_t>(thread)], counts + begin * 2 * all.size());
    }
  });
}

}  // namespace clearwood
