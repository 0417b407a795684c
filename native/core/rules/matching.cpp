#include "core/rules/matching.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace clearwood {

namespace {
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

// The rows of a block by class, as bits, for counting by AND.
class Classes {
 public:
  Classes(const std::int32_t* target, const double* weights, std::size_t classes)
      : target_(target), weights_(weights), classes_(classes), bits_(weights ? 0 : classes * block_words) {}

  void begin(std::size_t first, std::size_t rows) {
    first_ = first;
    if (weights_) return;
    std::fill(bits_.begin(), bits_.end(), 0);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::int32_t code = target_[first + row];
      if (code < 0 || static_cast<std::size_t>(code) >= classes_) continue;
      bits_[static_cast<std::size_t>(code) * block_words + row / 64] |= Word{1} << (row % 64);
    }
  }
  void add(const Word* rows, std::size_t words, double* counts) const {
    if (!weights_) {
      for (std::size_t c = 0; c < classes_; ++c)
        counts[c] += static_cast<double>(count_both(rows, bits_.data() + c * block_words, words));
      return;
    }
    for (std::size_t i = 0; i < words; ++i)
      for_each_row(rows[i], first_ + i * 64, [&](std::size_t row) {
        const std::int32_t code = target_[row];
        if (code >= 0 && static_cast<std::size_t>(code) < classes_) counts[code] += weights_[row];
      });
  }

 private:
  const std::int32_t* target_;
  const double* weights_;
  std::size_t classes_;
  std::vector<Word> bits_;
  std::size_t first_ = 0;
};
}  // namespace

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

void count_rules(const Conditions& conditions, const RulesView& rules, std::size_t rows, const std::int32_t* target,
                 const double* weights, std::size_t classes, double* covered, double* answered, const StopFlag& stop) {
  const std::size_t size = rules.size * classes, whole = 2 * size + classes;
  std::vector<std::vector<double>> parts(runs);
  over_blocks(conditions, rows, stop, [&](ConditionBlock& block, std::size_t part) {
    if (parts[part].empty()) parts[part].assign(whole, 0.0);
    double* const sums = parts[part].data();
    Classes by_class(target, weights, classes);
    by_class.begin(block.first(), std::min(block_rows, rows - block.first()));
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

}  // namespace clearwood
