// Boosting: codes, target and scores in; the trees of a round out, and the scores moved.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/coded.hpp"
#include "bind/growing.hpp"
#include "bind/interruptible.hpp"
#include "core/ensembles/boosted_round.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

constexpr std::size_t widest = 4096;  // codes of a column whose sums are kept for every node; of others they are made anew

constexpr double no_cut = 0;  // of a column of one number

using Bytes = Array<std::uint8_t>;
using Scores = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Loss loss_called(const std::string& name) {
  if (name == "logistic") return Loss::logistic;
  if (name == "softmax") return Loss::softmax;
  if (name == "squared") return Loss::squared;
  if (name == "absolute") return Loss::absolute;
  if (name == "quantile") return Loss::quantile;
  if (name == "poisson") return Loss::poisson;
  throw std::invalid_argument("no such loss: " + name);
}

BoostedRows boosted_rows(const std::string& loss, const std::optional<Codes>& codes, const std::optional<Numbers>& numbers,
                         const std::optional<Numbers>& weights, const std::optional<Bytes>& held, const Scores& scores) {
  BoostedRows rows;
  rows.loss = loss_called(loss);
  rows.scores = scores.shape(0);
  rows.rows = scores.shape(1);
  const bool classes = rows.loss == Loss::logistic || rows.loss == Loss::softmax;
  if (rows.scores < 1 || (rows.scores > 1 && rows.loss != Loss::softmax)) throw std::invalid_argument("one score a row");
  if (classes ? !codes : !numbers) throw std::invalid_argument("classes have codes, numbers are numbers");
  const auto same = [&](std::size_t size) {
    if (size != rows.rows) throw std::invalid_argument("target, weights and scores differ in length");
  };
  if (classes) {
    same(codes->shape(0));
    rows.code = codes->data();
    const auto limit = rows.loss == Loss::logistic ? 2 : static_cast<std::int32_t>(rows.scores);
    if (std::any_of(rows.code, rows.code + rows.rows, [&](std::int32_t code) { return code < 0 || code >= limit; }))
      throw std::invalid_argument("the target has a code beyond its classes");
  } else {
    same(numbers->shape(0));
    rows.number = numbers->data();
  }
  if (weights) same(weights->shape(0)), rows.weight = weights->data();
  if (held) same(held->shape(0)), rows.held = held->data();
  return rows;
}

// Coded rows and the memory that all rounds over them use: the columns are checked once, and kept alive.
class Room {
 public:
  Room(const nb::list& columns, const std::vector<std::uint32_t>& known, std::size_t rows)
      : coded(coded_rows(columns, known, rows)), columns_(nb::tuple(columns)) {
    coded.lay_out(widest);
    run_interruptible(rows * coded.columns.size(), [&](const StopFlag& stop) {
      check_codes_of(coded.columns, rows, thread_count());
      coded.join(thread_count(), stop);
    });
  }

  CodedRows coded;
  RoundRoom memory;

 private:
  nb::tuple columns_;  // the arrays themselves, whatever becomes of the list
};

nb::tuple losses(const RoundSizes& sizes) {
  return nb::make_tuple(sizes.loss, sizes.weight, sizes.held_loss, sizes.held_weight);
}

nb::tuple boost_round(Room& room, const std::vector<bool>& ordered, const nb::list& cuts, const std::string& loss,
                      const std::optional<Codes>& codes, const std::optional<Numbers>& numbers,
                      const std::optional<Numbers>& weights, const std::optional<Bytes>& held,
                      const std::optional<Array<std::uint32_t>>& sample, Scores scores,
                      const std::vector<std::vector<std::int32_t>>& asked, const std::vector<int>& monotone,
                      const std::vector<std::vector<std::int32_t>>& together, double quantile, bool fine, double rate,
                      int max_depth, std::size_t leaves, double min_child, double l2, double l1, double gamma, double min_value, int threads) {
  BoostedRows rows = boosted_rows(loss, codes, numbers, weights, held, scores);
  rows.quantile = quantile;
  rows.fine = fine;
  const CodedRows& coded = room.coded;
  if (rows.rows != coded.rows) throw std::invalid_argument("scores and columns differ in length");
  const std::size_t width = coded.columns.size();
  const auto is_column = [&](std::int32_t c) { return c >= 0 && static_cast<std::size_t>(c) < width; };
  if (ordered.size() != width || cuts.size() != width || monotone.size() != width || asked.size() != rows.scores)
    throw std::invalid_argument("what is said of columns is said of each");
  RoundRules rules;
  rules.rate = rate;
  rules.tree.max_depth = max_depth;
  rules.tree.leaves = leaves;
  rules.tree.gamma = gamma;
  rules.tree.together = together;
  rules.tree.gain.l2 = l2;
  rules.tree.gain.l1 = l1;
  rules.tree.gain.min_child = min_child;
  rules.tree.gain.min_value = min_value;
  for (const auto& group : together)
    if (!std::all_of(group.begin(), group.end(), is_column)) throw std::invalid_argument("no such column");
  for (std::size_t c = 0; c < width; ++c) {
    rules.tree.gain.limited |= monotone[c] != 0;
    rules.cuts.push_back(nullptr);
    if (cuts[c].is_none()) continue;
    const auto array = nb::cast<Numbers>(cuts[c]);
    if (array.shape(0) + 1 != coded.columns[c].known) throw std::invalid_argument("cuts divide one code from the next");
    rules.cuts.back() = array.shape(0) > 0 ? array.data() : &no_cut;
  }
  for (const auto& list : asked) {
    rules.columns.emplace_back();
    for (const std::int32_t c : list) {
      if (!is_column(c)) throw std::invalid_argument("no such column");
      const auto place = static_cast<std::size_t>(c);
      rules.columns.back().push_back({c, coded.columns[place].known, static_cast<bool>(ordered[place]), monotone[place]});
    }
  }
  std::vector<std::uint32_t> chosen;
  if (sample) chosen.assign(sample->data(), sample->data() + sample->shape(0));
  if (std::any_of(chosen.begin(), chosen.end(), [&](std::uint32_t row) { return row >= rows.rows; }) ||
      !std::is_sorted(chosen.begin(), chosen.end()))
    throw std::invalid_argument("a sample is rows in order");
  BoostedRound round;
  run_interruptible(8 * rows.rows * (width + 1) * rows.scores, [&](const StopFlag& stop) {
    const int used = threads > 0 ? threads : thread_count();
    round = boost(coded, rows, sample ? &chosen : nullptr, rules, scores.data(), room.memory, used, stop);
  });
  nb::list trees;
  for (FlatTree& tree : round.trees) trees.append(dict_of(std::move(tree)));
  return nb::make_tuple(trees, losses(round.before));
}

nb::tuple boosting_losses(const std::string& loss, const std::optional<Codes>& codes, const std::optional<Numbers>& numbers,
                          const std::optional<Numbers>& weights, const std::optional<Bytes>& held, Scores scores,
                          double quantile, int threads) {
  BoostedRows rows = boosted_rows(loss, codes, numbers, weights, held, scores);
  rows.quantile = quantile;
  const auto answers = std::make_unique_for_overwrite<Word[]>(rows.rows * rows.scores);
  RoundSizes sizes;
  run_interruptible(16 * rows.rows * rows.scores, [&](const StopFlag& stop) {
    sizes = answer_all(rows, scores.data(), answers.get(), threads > 0 ? threads : thread_count(), stop);
  });
  return losses(sizes);
}

}  // namespace

void bind_boosting(nb::module_& m) {
  nb::class_<Room>(m, "BoostingRoom", "Coded columns, checked, and the memory that rounds over them use.")
      .def(nb::init<const nb::list&, const std::vector<std::uint32_t>&, std::size_t>(), nb::arg("columns"), nb::arg("known"),
           nb::arg("rows"));
  m.def("boost_round", boost_round, nb::arg("room"), nb::arg("ordered"), nb::arg("cuts"), nb::arg("loss"),
        nb::arg("codes").none(), nb::arg("numbers").none(), nb::arg("weights").none(), nb::arg("held").none(),
        nb::arg("sample").none(), nb::arg("scores").noconvert(),
        nb::arg("asked"), nb::arg("monotone"), nb::arg("together"), nb::arg("quantile"), nb::arg("fine"), nb::arg("rate"),
        nb::arg("max_depth"), nb::arg("leaves"), nb::arg("min_child"), nb::arg("l2"), nb::arg("l1"), nb::arg("gamma"), nb::arg("min_value"),
        nb::arg("threads") = 0,
        "A tree for each score, by its gradients; scores [score, row] move by the trees' steps. Also the sums of the "
        "loss and weight before, of learning and of held-out rows.");
  m.def("boosting_losses", boosting_losses, nb::arg("loss"), nb::arg("codes").none(), nb::arg("numbers").none(),
        nb::arg("weights").none(), nb::arg("held").none(), nb::arg("scores").noconvert(), nb::arg("quantile"),
        nb::arg("threads") = 0, "Sums of the loss and weight, of learning and of held-out rows.");
}
