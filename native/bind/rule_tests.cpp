#include "core/rules/rule_tests.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {
using BitMatrix = Array<std::uint64_t, nb::ndim<2>>;

Given<double> count_members(BitMatrix satisfied, Codes starts, Codes members, Codes target,
                            std::optional<Numbers> weights, std::int32_t classes) {
  const std::size_t rows = target.shape(0);
  if (satisfied.shape(1) != words_for(rows)) throw nb::value_error("A condition's bits must be one for each row.");
  if (weights && weights->shape(0) != rows) throw nb::value_error("One weight for each row.");
  if (classes < 1) throw nb::value_error("There must be a class.");
  const ConditionRows bits{satisfied.data(), satisfied.shape(0), rows};
  const RuleMembers rules{{starts.data(), starts.shape(0)}, {members.data(), members.shape(0)}};
  const ClassRows truth{target.data(), weights ? weights->data() : nullptr, classes};
  const std::size_t width = static_cast<std::size_t>(classes);
  auto counts = std::make_unique<double[]>(members.shape(0) * 2 * width);
  run_interruptible(
      members.shape(0) * rows,
      [&](const StopFlag& stop) { count_by_condition(bits, rules, truth, counts.get(), thread_count(), stop); });
  return give_array(std::move(counts), {members.shape(0), 2, width});
}
}  // namespace

void bind_rule_tests(nb::module_& m) {
  m.def("count_by_condition", &count_members, nb::arg("satisfied").noconvert(), nb::arg("starts").noconvert(),
        nb::arg("members").noconvert(), nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(),
        nb::arg("classes"),
        "[member, holds or not, class] rows that satisfy the rule's other conditions, by each of its conditions.");
}
