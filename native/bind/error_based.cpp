#include "core/trees/error_based.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "bind/walk.hpp"

namespace nb = nanobind;
using namespace clearwood;
using namespace clearwood::bound;

namespace {
Given<bool> truths_of(const std::vector<uint8_t>& from) {
  std::unique_ptr<bool[]> data(new bool[from.size()]);
  for (std::size_t i = 0; i < from.size(); ++i) data[i] = from[i] != 0;
  return give_array(std::move(data), {from.size()});
}

template <class Part>
Given<Part> field_of(const std::vector<ErrorBasedCut>& cuts, Part ErrorBasedCut::*part) {
  std::vector<Part> all;
  for (const auto& cut : cuts) all.push_back(cut.*part);
  return give_array(std::move(all));
}

LeafVerdict verdict_of(std::size_t classes, const std::optional<Array<double>>& factors,
                   const std::optional<Matrix>& costs) {
  if (factors && factors->shape(0) != classes) throw nb::value_error("One factor per class.");
  if (costs && (costs->shape(0) != classes || costs->shape(1) != classes))
    throw nb::value_error("One cost per pair of classes.");
  return {static_cast<int32_t>(classes), factors ? factors->data() : nullptr, costs ? costs->data() : nullptr};
}

template <class Part, class From>
Given<Part> each_of(const std::vector<JudgedPart>& parts, From JudgedPart::*part) {
  std::vector<Part> all;
  for (const auto& one : parts) all.push_back(static_cast<Part>(one.*part));
  return give_array(std::move(all));
}

auto error_based(nb::object nodes, nb::list cells, Array<int32_t> values, Array<int32_t> target,
                 std::optional<Array<double>> weights, Matrix counts, std::optional<Array<double>> factors,
                 std::optional<Matrix> costs, double confidence, double z, bool quinlan) {
  const std::size_t rows = target.shape(0), classes = counts.shape(1);
  const Walk walk = walk_of(nodes, cells, values, rows);
  if (counts.shape(0) != static_cast<std::size_t>(walk.nodes.size)) throw nb::value_error("One row of counts per node.");
  const LabelledRows labelled{static_cast<int64_t>(rows), target.data(), optional_data(weights, rows), counts.data()};
  const LeafVerdict verdict = verdict_of(classes, factors, costs);
  ErrorBased pruned;
  run_interruptible(rows * static_cast<std::size_t>(walk.nodes.size), [&](const StopFlag& stop) {
    pruned = prune_error_based(walk, labelled, verdict, {confidence, z, quinlan}, stop);
  });
  return nb::make_tuple(truths_of(pruned.keep), truths_of(pruned.leaf), give_array(std::move(pruned.entered_as)),
                        give_array(std::move(pruned.counts)), give_array(std::move(pruned.share)),
                        field_of(pruned.cuts, &ErrorBasedCut::node),
                        field_of(pruned.cuts, &ErrorBasedCut::child),
                        field_of(pruned.cuts, &ErrorBasedCut::subtree),
                        field_of(pruned.cuts, &ErrorBasedCut::after));
}

auto judgements(nb::object nodes, nb::list cells, Array<int32_t> values, Array<int32_t> target,
                std::optional<Array<double>> weights, Matrix counts, std::optional<Array<double>> factors,
                std::optional<Matrix> costs, double confidence, double z, bool quinlan) {
  const std::size_t rows = target.shape(0), classes = counts.shape(1);
  const Walk walk = walk_of(nodes, cells, values, rows);
  if (counts.shape(0) != static_cast<std::size_t>(walk.nodes.size)) throw nb::value_error("One row of counts per node.");
  const LabelledRows labelled{static_cast<int64_t>(rows), target.data(), optional_data(weights, rows), counts.data()};
  const LeafVerdict verdict = verdict_of(classes, factors, costs);
  Judgements record;
  ErrorBased pruned;
  run_interruptible(rows * static_cast<std::size_t>(walk.nodes.size), [&](const StopFlag& stop) {
    pruned = prune_error_based(walk, labelled, verdict, {confidence, z, quinlan}, stop, &record);
  });
  return nb::make_tuple(
      truths_of(pruned.keep), truths_of(pruned.leaf), give_array(std::move(pruned.entered_as)),
      give_array(std::move(pruned.counts)), give_array(std::move(pruned.share)),
      give_array(std::move(record.node)), give_array(std::move(record.largest)), give_array(std::move(record.became)),
      give_array(std::move(record.as_leaf)), give_array(std::move(record.subtree)), give_array(std::move(record.as_branch)),
      give_array(std::move(record.counts)), give_array(std::move(record.part_start)),
      give_array(std::move(record.branch_start)), each_of<int32_t>(record.parts, &JudgedPart::node),
      each_of<int32_t>(record.parts, &JudgedPart::leaf), each_of<double>(record.parts, &JudgedPart::errors),
      give_array(std::move(record.part_counts)));
}

auto expected(Matrix counts, std::optional<Array<double>> factors, std::optional<Matrix> costs, double confidence,
              double z, bool quinlan) {
  const std::size_t nodes = counts.shape(0), classes = counts.shape(1);
  const LeafVerdict verdict = verdict_of(classes, factors, costs);
  std::unique_ptr<double[]> errors(new double[nodes]);
  for (std::size_t i = 0; i < nodes; ++i)
    errors[i] = expected_errors(counts.data() + i * classes, verdict, {confidence, z, quinlan});
  return give_array(std::move(errors), {nodes});
}
}  // namespace

void bind_error_based(nb::module_& m) {
  m.def("error_based", &error_based, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(),
        nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(), nb::arg("counts").noconvert(),
        nb::arg("factors").noconvert().none(), nb::arg("costs").noconvert().none(), nb::arg("confidence"), nb::arg("z"),
        nb::arg("quinlan"),
        "Per node: keep, leaf, entered_as, counts (flat), share; per cut: node, child (-1: a leaf), errors before, after.");
  m.def("error_based_judgements", &judgements, nb::arg("nodes"), nb::arg("cells"), nb::arg("values").noconvert(),
        nb::arg("target").noconvert(), nb::arg("weights").noconvert().none(), nb::arg("counts").noconvert(),
        nb::arg("factors").noconvert().none(), nb::arg("costs").noconvert().none(), nb::arg("confidence"), nb::arg("z"),
        nb::arg("quinlan"),
        "Per node: keep, leaf, entered_as, counts (flat), share; per judged split: node, largest, became, errors as leaf, subtree, branch, counts, starts of its parts, of those "
        "by branch; per part: node, leaf, errors, counts.");
  m.def("expected_errors", &expected, nb::arg("counts").noconvert(), nb::arg("factors").noconvert().none(),
        nb::arg("costs").noconvert().none(), nb::arg("confidence"), nb::arg("z"), nb::arg("quinlan"),
        "[node] the errors expected of each node as a leaf.");
}
