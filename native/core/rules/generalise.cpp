#include "core/rules/generalise.hpp"

#include <algorithm>

namespace clearwood {
namespace {

constexpr std::size_t block = 8;  // words taken at once: a condition that ends them all ends the look

struct Counted {
  double covered = 0, wrong = 0;
};

// One pass over the rows: those that satisfy all conditions, and by condition those that fail that one alone.
Counted count_misses(const std::vector<const Word*>& conditions, const Bits& right, const RuleRows& rows,
                     std::vector<Counted>& alone) {
  Counted all;
  alone.assign(conditions.size(), {});
  const auto add = [&](Counted& to, Word word, std::size_t i) {
    to.covered += rows.weight(word, i);
    if (const Word wrong = word & ~right[i]) to.wrong += rows.weight(wrong, i);
  };
  for (std::size_t first = 0; first < rows.words; first += block) {
    const std::size_t size = std::min(block, rows.words - first);
    Word none[block] = {}, once[block] = {};  // rows that failed no condition so far, and one
    std::copy_n(rows.all.data() + first, size, none);
    for (const Word* condition : conditions) {
      const Word* held = condition + first;
      Word any = 0;
      for (std::size_t i = 0; i < size; ++i) {
        once[i] = (once[i] & held[i]) | (none[i] & ~held[i]);
        none[i] &= held[i];
        any |= once[i] | none[i];
      }
      if (!any) break;
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (none[i]) add(all, none[i], first + i);
      for (std::size_t c = 0; once[i]; ++c) {
        const Word failed = once[i] & ~conditions[c][first + i];
        if (!failed) continue;
        add(alone[c], failed, first + i);
        once[i] ^= failed;
      }
    }
  }
  return all;
}

}  // namespace

double pessimistic_share(double covered, double wrong, const Pessimism& pessimism) {
  return covered > 0 ? (wrong + extra_errors(covered, wrong, pessimism)) / covered : 1;
}

void generalise(GeneralRule& rule, const std::vector<Bits>& holds, const RuleRows& rows, const Pessimism& pessimism) {
  std::vector<const Word*> conditions;
  for (const auto each : rule.conditions) conditions.push_back(holds[static_cast<std::size_t>(each)].data());
  const Bits& right = rows.of_class[static_cast<std::size_t>(rule.answer)];
  std::vector<Counted> alone;
  for (bool first = true;; first = false) {
    const Counted all = count_misses(conditions, right, rows, alone);
    rule.covered = all.covered;
    rule.wrong = all.wrong;
    if (first) rule.first_error = rule.error = pessimistic_share(all.covered, all.wrong, pessimism);
    double lowest = 2;
    std::size_t chosen = 0;
    for (std::size_t c = conditions.size(); c-- > 0;) {  // of equals the last on the path
      const double without = pessimistic_share(all.covered + alone[c].covered, all.wrong + alone[c].wrong, pessimism);
      if (below(without, lowest)) lowest = without, chosen = c;
    }
    if (conditions.empty() || below(rule.error, lowest)) return;
    const auto place = static_cast<std::ptrdiff_t>(chosen);
    rule.dropped.push_back({rule.conditions[chosen], lowest});
    rule.error = lowest;
    rule.conditions.erase(rule.conditions.begin() + place);
    conditions.erase(conditions.begin() + place);
  }
}

Bits covered_by(const std::vector<std::int32_t>& conditions, const std::vector<Bits>& holds, const RuleRows& rows) {
  Bits covered = rows.all;
  for (const auto each : conditions) {
    const Bits& held = holds[static_cast<std::size_t>(each)];
    for (std::size_t i = 0; i < rows.words; ++i) covered[i] &= held[i];
  }
  return covered;
}

}  // namespace clearwood
