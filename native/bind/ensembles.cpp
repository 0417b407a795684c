#include "core/ensembles/answers.hpp"
#include "core/ensembles/compiled.hpp"

#include <nanobind/stl/optional.h>

#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "bind/walk.hpp"

namespace nb = nanobind;
using namespace clearwood;
using namespace clearwood::bound;

namespace {
// Comparisons as whole words: one each where they are narrow, else three halves.
template <class Node>
std::unique_ptr<uint32_t[]> words_of(const std::vector<Node>& nodes) {
  constexpr std::size_t each = sizeof(Node) / sizeof(uint32_t);
  std::unique_ptr<uint32_t[]> words(new uint32_t[nodes.size() * each]);
  if (!nodes.empty()) std::memcpy(words.get(), nodes.data(), nodes.size() * sizeof(Node));
  return words;
}

nb::tuple compile_trees(nb::object nodes, Array<int64_t> start, Array<int32_t> values, bool unusual) {
  const NodesView view_of_nodes = view(nodes);
  Compiled made;
  {
    nb::gil_scoped_release release;
    made = compiled(view_of_nodes, start.data(), static_cast<int64_t>(start.shape(0)) - 1, values.data(), values.shape(0), unusual);
  }
  const std::size_t size = made.origin.size();
  const std::size_t each = made.narrow ? sizeof(Narrow) / 4 : sizeof(Wide) / 4;
  auto words = made.narrow ? words_of(made.narrow_nodes) : words_of(made.wide_nodes);
  return nb::make_tuple(give_array(std::move(words), {size, each}), give_array(std::move(made.origin)),
                        give_array(std::move(made.place)), give_array(std::move(made.coding.limits)),
                        give_array(std::move(made.coding.limit_start)), give_array(std::move(made.coding.slots)));
}

// The caller holds the tuple while the view is used.
CompiledView compiled_view(nb::tuple trees) {
  const auto words = nb::cast<Array<uint32_t, nb::ndim<2>>>(trees[0]);
  const auto slots = nb::cast<Array<int32_t>>(trees[5]);
  const bool narrow = words.shape(1) == sizeof(Narrow) / 4;
  return {nb::cast<Array<double>>(trees[3]).data(),
          nb::cast<Array<int64_t>>(trees[4]).data(),
          slots.data(),
          slots.shape(0),
          narrow ? reinterpret_cast<const Narrow*>(words.data()) : nullptr,
          narrow ? nullptr : reinterpret_cast<const Wide*>(words.data()),
          nb::cast<Array<int32_t>>(trees[1]).data(),
          nb::cast<Array<int32_t>>(trees[2]).data()};
}

Added added_of(Array<int64_t> start, Array<int32_t> adds_to, Matrix figures, std::optional<Matrix> shares,
               Array<double> weights, std::size_t scores) {
  const std::size_t trees = adds_to.shape(0);
  if (start.shape(0) != trees + 1 || weights.shape(0) != trees) throw nb::value_error("One start, score and weight per tree.");
  if (shares && (shares->shape(0) != figures.shape(0) || shares->shape(1) != figures.shape(1)))
    throw nb::value_error("Shares and figures differ in shape.");
  for (std::size_t tree = 0; tree < trees; ++tree)
    if (adds_to.data()[tree] < 0 || (static_cast<std::size_t>(adds_to.data()[tree]) + 1) * figures.shape(1) > scores)
      throw nb::value_error("A tree adds to a score that is not there.");
  return {start.data(),
          adds_to.data(),
          static_cast<int64_t>(trees),
          figures.data(),
          static_cast<int32_t>(figures.shape(1)),
          static_cast<int32_t>(scores),
          shares ? shares->data() : nullptr,
          weights.data()};
}

nb::object trees_answers(nb::object nodes, Array<int64_t> start, Array<int32_t> adds_to, nb::list cells,
                         Array<int32_t> values, std::size_t rows, nb::tuple usual, std::optional<nb::tuple> unusual,
                         Matrix figures, std::optional<Matrix> shares, Array<double> weights, std::size_t scores) {
  const NodesView seen = view(nodes);
  const Columns columns = columns_of(cells, values, rows);
  const CompiledView plain = compiled_view(usual);
  std::optional<CompiledView> full;
  if (unusual) full = compiled_view(*unusual);
  if (figures.shape(0) != static_cast<std::size_t>(seen.size)) throw nb::value_error("One figure per node.");
  for (std::size_t a = 0; a < plain.attributes; ++a)
    if (plain.slots[a] >= 0 && !columns[a]) throw nb::value_error("A column that a tree tests is not given.");
  for (int64_t s = 0; s < seen.s_size; ++s)
    if (!columns[static_cast<std::size_t>(seen.s_attribute[s])]) throw nb::value_error("A surrogate's column is not given.");
  const Added added = added_of(start, adds_to, figures, shares, weights, scores);
  std::unique_ptr<double[]> out(new double[rows * scores]);
  bool fits = false;
  const auto work = [&](const StopFlag& stop) {
    fits = answers_of(seen, columns, plain, full, added, static_cast<int64_t>(rows), out.get(), stop);
  };
  const std::size_t steps = rows * adds_to.shape(0);
  if (steps > 20'000'000 || (full && steps > 100'000)) {
    run_interruptible(work);
  } else {
    const StopFlag never{false};
    nb::gil_scoped_release release;
    work(never);
  }
  if (!fits) return nb::none();
  return nb::cast(give_array(std::move(out), {rows, scores}));
}

nb::object trees_answer_of_one(nb::tuple usual, Array<int64_t> start, Array<int32_t> adds_to, Array<int32_t> values,
                               Matrix figures, Array<double> weights, std::size_t scores, nb::list cells) {
  const CompiledView plain = compiled_view(usual);
  if (nb::len(cells) != plain.attributes || values.shape(0) != plain.attributes) throw nb::value_error("One cell per attribute.");
  const Added added = added_of(start, adds_to, figures, std::nullopt, weights, scores);
  std::vector<double> given(plain.attributes), answer(scores);
  for (std::size_t a = 0; a < given.size(); ++a) {
    const double cell = PyFloat_AsDouble(cells[a].ptr());
    if (cell == -1.0 && PyErr_Occurred()) throw nb::python_error();
    given[a] = cell;
  }
  if (!answer_of_one(plain, values.data(), added, given.data(), answer.data())) return nb::none();
  nb::list numbers;
  for (const double each : answer) numbers.append(each);
  return numbers;
}

nb::object tree_shapes(Array<int32_t> branches, Array<int64_t> sizes) {
  const std::size_t nodes = branches.shape(0);
  std::unique_ptr<int32_t[]> parent(new int32_t[nodes]), end(new int32_t[nodes]);
  if (!shape_of_trees(branches.data(), static_cast<int64_t>(nodes), sizes.data(), static_cast<int64_t>(sizes.shape(0)),
                      parent.get(), end.get()))
    return nb::none();
  return nb::make_tuple(give_array(std::move(parent), {nodes}), give_array(std::move(end), {nodes}));
}

auto sums_up(Array<int32_t> parent, Numbers leaves) {
  const std::size_t nodes = parent.shape(0);
  if (leaves.shape(0) != nodes) throw nb::value_error("One value per node.");
  for (std::size_t node = 0; node < nodes; ++node)
    if (parent.data()[node] >= static_cast<int32_t>(node)) throw nb::value_error("A parent stands before its branches.");
  std::unique_ptr<double[]> out(new double[nodes]);
  std::copy(leaves.data(), leaves.data() + nodes, out.get());
  sum_up(parent.data(), static_cast<int64_t>(nodes), out.get(), 1);
  return give_array(std::move(out), {nodes});
}
}  // namespace

void bind_ensembles(nb::module_& m) {
  m.def("compile_trees", &compile_trees, nb::arg("nodes"), nb::arg("start").noconvert(), nb::arg("values").noconvert(),
        nb::arg("unusual"), "Many trees as comparisons of codes: their words, origins, places, and how cells are coded.");
  m.def("trees_answers", &trees_answers, nb::arg("nodes"), nb::arg("start").noconvert(), nb::arg("adds_to").noconvert(),
        nb::arg("cells"), nb::arg("values").noconvert(), nb::arg("rows"), nb::arg("usual"), nb::arg("unusual").none(),
        nb::arg("figures").noconvert(), nb::arg("shares").noconvert().none(), nb::arg("weights").noconvert(),
        nb::arg("scores"), "float64 [row, scores], added tree after tree; None where rows need `unusual` and it is not given.");
  m.def("trees_answer_of_one", &trees_answer_of_one, nb::arg("usual"), nb::arg("start").noconvert(),
        nb::arg("adds_to").noconvert(), nb::arg("values").noconvert(), nb::arg("figures").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("scores"), nb::arg("cells"),
        "[scores] of one row of usual cells, as a list; None where it needs the general way.");
  m.def("tree_shapes", &tree_shapes, nb::arg("branches").noconvert(), nb::arg("sizes").noconvert(),
        "parent and end [node] of trees of these sizes; None where the branches do not make them.");
  m.def("sums_up", &sums_up, nb::arg("parent").noconvert(), nb::arg("leaves").noconvert(),
        "float64 [node]: to every split the sum of its branches; those of leaves are given, of splits 0.");
}
