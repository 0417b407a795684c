// C4.5rules: a tree's columns, its rows and settings in; what became of every leaf's rule out.
#include "core/rules/c45_rules.hpp"

#include <nanobind/stl/optional.h>

#include <utility>

#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "bind/refusals.hpp"
#include "bind/walk.hpp"

namespace nb = nanobind;
using namespace clearwood;
using namespace clearwood::bound;

namespace {

Given<bool> truths_of(const std::vector<char>& from) {
  std::unique_ptr<bool[]> data(new bool[from.size()]);
  for (std::size_t i = 0; i < from.size(); ++i) data[i] = from[i] != 0;
  return give_array(std::move(data), {from.size()});
}

template <class Part>
Given<Part> field_of(const std::vector<GeneralRule>& rules, Part GeneralRule::*part) {
  std::vector<Part> all;
  for (const auto& rule : rules) all.push_back(rule.*part);
  return give_array(std::move(all));
}

nb::dict dict_of(LeafRules&& leaf_rules, std::size_t classes) {
  std::vector<std::int64_t> kept_start{0}, drop_start{0};
  std::vector<std::int32_t> kept_node, drop_node;
  std::vector<double> drop_error;
  for (const auto& rule : leaf_rules.rules) {
    kept_node.insert(kept_node.end(), rule.conditions.begin(), rule.conditions.end());
    kept_start.push_back(static_cast<std::int64_t>(kept_node.size()));
    for (const auto& each : rule.dropped) drop_node.push_back(each.condition), drop_error.push_back(each.error);
    drop_start.push_back(static_cast<std::int64_t>(drop_node.size()));
  }
  nb::dict d;
  d["leaf"] = give_array(std::move(leaf_rules.leaf));
  d["answer"] = field_of(leaf_rules.rules, &GeneralRule::answer);
  d["first_error"] = field_of(leaf_rules.rules, &GeneralRule::first_error);
  d["error"] = field_of(leaf_rules.rules, &GeneralRule::error);
  d["covered"] = field_of(leaf_rules.rules, &GeneralRule::covered);
  d["wrong"] = field_of(leaf_rules.rules, &GeneralRule::wrong);
  d["kept_start"] = give_array(std::move(kept_start));
  d["kept_node"] = give_array(std::move(kept_node));
  d["drop_start"] = give_array(std::move(drop_start));
  d["drop_node"] = give_array(std::move(drop_node));
  d["drop_error"] = give_array(std::move(drop_error));
  d["same_as"] = give_array(std::move(leaf_rules.same_as));
  d["bits"] = give_array(std::move(leaf_rules.bits));
  d["chosen"] = truths_of(leaf_rules.chosen);
  d["class_bits"] = give_array(std::move(leaf_rules.class_bits), 3);
  d["order"] = give_array(std::move(leaf_rules.order));
  d["counts"] = give_array(std::move(leaf_rules.counts), classes);
  d["otherwise"] = leaf_rules.otherwise;
  return d;
}

nb::dict learn(nb::object nodes, nb::list cells, Codes values, Codes target, std::optional<Numbers> weights,
               std::int32_t classes, Codes answer, Numbers bits, double confidence, double z, bool quinlan,
               double theory_weight, std::size_t exhaustive, bool drop_harmful, double most_bytes) {
  const std::size_t rows = target.shape(0);
  const Walk walk = walk_of(nodes, cells, values, rows);
  const auto size = static_cast<std::size_t>(walk.nodes.size);
  if (answer.shape(0) != size || bits.shape(0) != size) throw nb::value_error("One class and one number of bits per node.");
  if (classes < 1) throw nb::value_error("There must be a class.");
  if (exhaustive > 20) throw nb::value_error("Not more than 20 rules have their subsets tried.");
  for (std::size_t i = 0; i < size; ++i)
    if (answer.data()[i] >= classes) throw nb::value_error("A leaf answers a class that is not there.");
  for (std::size_t row = 0; row < rows; ++row)
    if (target.data()[row] < 0 || target.data()[row] >= classes) throw nb::value_error("A row has no class.");
  const LabelledTree from{walk, answer.data(), bits.data()};
  const RuleSizes sizes = sizes_of(from);
  if (static_cast<double>(sizes.conditions + sizes.rules) * static_cast<double>(rows) / 8 > most_bytes)
    refuse("TooManyConditionsError", {{"conditions", static_cast<std::int64_t>(sizes.conditions)}});
  const ClassedRows labelled{rows, classes, target.data(), optional_data(weights, rows)};
  LeafRules leaf_rules;
  run_interruptible(100 * rows * size, [&](const StopFlag& stop) {
    leaf_rules = c45_rules(from, labelled, {{confidence, z, quinlan}, {theory_weight, exhaustive}, drop_harmful}, stop);
  });
  return dict_of(std::move(leaf_rules), static_cast<std::size_t>(classes));
}

}  // namespace

void bind_c45_rules(nb::module_& m) {
  add_refusal(m, "TooManyConditionsError", "clearwood._native.TooManyConditionsError",
              "The sets of rows of so many different `conditions` would take more memory than is allowed.");
  m.def("c45_rules", &learn, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(),
        nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(), nb::arg("classes"),
        nb::arg("answer").noconvert(), nb::arg("bits").noconvert(), nb::kw_only(), nb::arg("confidence"), nb::arg("z"),
        nb::arg("quinlan"), nb::arg("theory_weight"), nb::arg("exhaustive"),
        nb::arg("drop_harmful"), nb::arg("most_bytes"),
        "The columns of learners/rules/c45_rules.py. TooManyConditionsError gives the number of different conditions "
        "where their sets of rows would take more than most_bytes.");
}
