// Additive models: codes and whole numbers in; tables of points by bag, and what pairs are worth, out.
#include "core/ensembles/gam.hpp"


#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {
using Cells = Array<std::uint16_t>;
using Units = Array<std::int64_t>;
using Places = std::vector<std::int32_t>;

void must(bool good, const char* sentence) {
  if (!good) throw nb::value_error(sentence);
}

// terms: [(codes, cells, ordered, wide, first, second, direction)]; wide is 0 for a column
std::vector<GamTerm> terms_of(const nb::list& terms, std::size_t rows) {
  std::vector<GamTerm> all;
  for (const nb::handle each : terms) {
    const auto entry = nb::cast<nb::tuple>(each);
    GamTerm term;
    const auto codes = nb::cast<Cells>(entry[0]);
    must(codes.shape(0) == rows, "Columns differ in length.");
    term.codes = codes.data();
    term.cells = nb::cast<std::int32_t>(entry[1]);
    term.ordered = nb::cast<bool>(entry[2]);
    term.wide = nb::cast<std::int32_t>(entry[3]);
    term.first = nb::cast<Places>(entry[4]);
    term.second = nb::cast<Places>(entry[5]);
    term.direction = nb::cast<int>(entry[6]);
    term.pair = term.wide > 0;
    must(term.cells >= 2, "A column has cells for missing and unseen at least.");
    must(!term.pair || (static_cast<std::size_t>(term.wide) == term.second.size() &&
                        term.first.size() * term.second.size() == static_cast<std::size_t>(term.cells)),
         "A pair has a place for each cell of both columns.");
    for (std::size_t r = 0; r < rows; ++r) must(term.codes[r] < term.cells, "A code is beyond its column's cells.");
    all.push_back(std::move(term));
  }
  return all;
}

struct Kept {
  Codes classes;
  Units numbers;
  std::optional<Numbers> weights, cumulative;
  Units base;
};

// rows: (loss, classes, numbers, weights, cumulative, base)
GamRows rows_of(const nb::tuple& given, Kept& kept) {
  GamRows rows;
  const int loss = nb::cast<int>(given[0]);
  must(loss >= 0 && loss < 3, "No such loss.");
  rows.loss = static_cast<GamLoss>(loss);
  kept.classes = nb::cast<Codes>(given[1]);
  kept.numbers = nb::cast<Units>(given[2]);
  kept.weights = nb::cast<std::optional<Numbers>>(given[3]);
  kept.cumulative = nb::cast<std::optional<Numbers>>(given[4]);
  kept.base = nb::cast<Units>(given[5]);
  const bool squared = rows.loss == GamLoss::squared;
  rows.rows = squared ? kept.numbers.shape(0) : kept.classes.shape(0);
  must(rows.rows > 0, "No rows.");
  rows.scores = static_cast<std::int32_t>(kept.base.shape(0));
  must(rows.scores == 1 || (rows.loss == GamLoss::softmax && rows.scores > 1), "One base value per score.");
  const std::int32_t classes = rows.loss == GamLoss::softmax ? rows.scores : 2;
  if (!squared)
    for (std::size_t r = 0; r < rows.rows; ++r)
      must(kept.classes.data()[r] >= 0 && kept.classes.data()[r] < classes, "A class is out of range.");
  for (const auto* each : {&kept.weights, &kept.cumulative})
    must(!*each || (*each)->shape(0) == rows.rows, "One weight per row.");
  rows.classes = kept.classes.data();
  rows.numbers = kept.numbers.data();
  rows.weights = kept.weights ? kept.weights->data() : nullptr;
  rows.cumulative = kept.cumulative ? kept.cumulative->data() : nullptr;
  rows.base = kept.base.data();
  return rows;
}
}  // namespace

void bind_gam(nb::module_& m) {
  m.def(
      "gam_boost",
      [](const nb::tuple& given, const nb::tuple& bagging, const nb::tuple& curves, const nb::list& start_terms,
         std::optional<Units> start_points, const nb::list& terms, const nb::tuple& settings, const nb::object& watch) {
        Kept kept;
        const GamRows rows = rows_of(given, kept);
        const GamBags bags{nb::cast<std::int32_t>(bagging[0]), nb::cast<std::size_t>(bagging[1]),
                           nb::cast<std::uint64_t>(bagging[2])};
        const auto logistic = nb::cast<Codes>(curves[0]), exponential = nb::cast<Codes>(curves[1]);
        const auto softplus = nb::cast<Numbers>(curves[2]);
        must(logistic.shape(0) == 4097 && exponential.shape(0) == 2049 && softplus.shape(0) == 4097,
             "The curves have 4,097, 2,049 and 4,097 points.");
        const GamCurves shapes{logistic.data(), exponential.data(), softplus.data()};
        GamStart start{terms_of(start_terms, rows.rows), start_points ? start_points->data() : nullptr};
        std::size_t cells = 0, width = 0;
        for (const auto& term : start.terms) cells += static_cast<std::size_t>(term.cells);
        must(start.terms.empty() || (start_points && start_points->size() == cells * static_cast<std::size_t>(bags.bags) *
                                                                                 static_cast<std::size_t>(rows.scores)),
             "The points to start from are [bag][score][cell].");
        const auto all = terms_of(terms, rows.rows);
        for (const auto& term : all) width += static_cast<std::size_t>(term.cells);
        const GamSettings set{nb::cast<int>(settings[0]),    nb::cast<int>(settings[1]),    nb::cast<int>(settings[2]),
                              nb::cast<double>(settings[3]), nb::cast<double>(settings[4]), nb::cast<std::int64_t>(settings[5]),
                              nb::cast<int>(settings[6])};
        GamBoosted boosted;
        Progress progress;
        const std::size_t steps = rows.rows * all.size() * static_cast<std::size_t>(bags.bags) * 100;
        run_watched(steps, progress, watch, [&](const StopFlag& stop) {
          boosted = gam_boost(rows, bags, shapes, start, all, set, thread_count(), progress, stop);
        });
        const std::size_t scores = static_cast<std::size_t>(rows.scores), count = static_cast<std::size_t>(bags.bags);
        std::int64_t* const place = boosted.points.data();
        return nb::make_tuple(give_array(place, std::move(boosted.points), {count, scores, width}),
                              boosted.best, boosted.losses, boosted.interrupted);
      },
      nb::arg("rows"), nb::arg("bags"), nb::arg("curves"), nb::arg("start_terms"), nb::arg("start_points").none(),
      nb::arg("terms"), nb::arg("settings"), nb::arg("watch") = nb::none(),
      "Points [bag, score, cell of all terms] in units of 2^-20, the rounds kept, the losses by round, and whether watch "
      "ended them. While it takes long, watch(rounds so far, the loss or NaN) is called; if it says True, no more are begun.");
  m.def(
      "gam_rank",
      [](const nb::tuple& given, Array<std::int64_t, nb::ndim<2>> residuals, const nb::list& terms,
         const std::vector<Places>& places) {
        Kept kept;
        const GamRows rows = rows_of(given, kept);
        must(residuals.shape(0) == rows.rows && residuals.shape(1) == static_cast<std::size_t>(rows.scores),
             "A residual for each row and score.");
        const auto all = terms_of(terms, rows.rows);
        must(places.size() == all.size(), "Places for each column.");
        for (std::size_t t = 0; t < all.size(); ++t)
          must(places[t].size() == static_cast<std::size_t>(all[t].cells), "A place for each cell.");
        std::vector<double> gains;
        run_interruptible(rows.rows * all.size() * all.size(), [&](const StopFlag& stop) {
          gains = gam_rank(rows, residuals.data(), all, places, thread_count(), stop);
        });
        return give_array(std::move(gains));
      },
      nb::arg("rows"), nb::arg("residuals"), nb::arg("terms"), nb::arg("places"),
      "[pair] what four quadrants cut off the residual sum of squares; pairs (0, 1), (0, 2), … in order.");
  m.def(
      "additive_scores",
      [](const nb::list& terms, Numbers base, std::size_t rows) {
        // terms: [([(cells, values, cuts), …], points)]
        std::vector<AdditiveTerm> all;
        must(base.shape(0) > 0, "One base value per score.");
        for (const nb::handle each : terms) {
          const auto entry = nb::cast<nb::tuple>(each);
          AdditiveTerm term;
          std::size_t cells = base.shape(0);
          for (const nb::handle side : nb::cast<nb::list>(entry[0])) {
            const auto given = nb::cast<nb::tuple>(side);
            const auto column = nb::cast<AnyArray>(given[0]);
            const auto cuts = nb::cast<Numbers>(given[2]);
            must(column.shape(0) == rows, "Columns differ in length.");
            term.sides.push_back({column_of(column, nb::cast<std::int32_t>(given[1])), {cuts.data(), cuts.shape(0)}});
            cells *= term.sides.back().cells();
          }
          const auto points = nb::cast<Numbers>(entry[1]);
          must(!term.sides.empty() && points.shape(0) == cells, "Points for each score and cell.");
          term.points = {points.data(), points.shape(0)};
          all.push_back(std::move(term));
        }
        auto scores = std::make_unique_for_overwrite<double[]>(rows * base.shape(0));
        run_interruptible(rows * (all.size() + 1) * 8, [&](const StopFlag& stop) {
          additive_scores(all, {base.data(), base.shape(0)}, rows, scores.get(), thread_count(), stop);
        });
        return give_array(std::move(scores), {rows, base.shape(0)});
      },
      nb::arg("terms"), nb::arg("base"), nb::arg("rows"), "[row, score] base, then the points of each row's cells.");
}
