// Linear models: columns, codes and weights in; sums, scores and small matrices out.
#include "core/linear/logistic.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "core/numeric/cholesky.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {
using Square = Matrix;

// columns: [(cells, term, missing, centre, scale, fill, place)], as TermColumn has them
Terms terms_of(const nb::list& columns, std::size_t rows, std::int32_t count) {
  if (count < 1) throw nb::value_error("A model has at least its intercept.");
  Terms terms{{}, rows, count};
  for (const nb::handle each : columns) {
    const auto entry = nb::cast<nb::tuple>(each);
    TermColumn column;
    column.place = nb::cast<std::vector<std::int32_t>>(entry[6]);
    const auto cells = nb::cast<AnyArray>(entry[0]);
    if (cells.shape(0) != rows) throw nb::value_error("Columns differ in length.");
    column.cells = column_of(cells, static_cast<std::int32_t>(column.place.size()));
    column.term = nb::cast<std::int32_t>(entry[1]);
    column.missing = nb::cast<std::int32_t>(entry[2]);
    column.centre = nb::cast<double>(entry[3]);
    column.scale = nb::cast<double>(entry[4]);
    column.fill = nb::cast<double>(entry[5]);
    terms.columns.push_back(std::move(column));
  }
  return terms;
}

LogisticRows rows_of(const nb::list& columns, const Codes& target, const std::optional<Numbers>& weights, int classes,
                     const Matrix& theta) {
  const std::size_t rows = target.shape(0);
  LogisticRows labelled;
  labelled.terms = terms_of(columns, rows, static_cast<std::int32_t>(theta.shape(1)));
  labelled.classes = classes;
  labelled.vectors = static_cast<std::int32_t>(theta.shape(0));
  if (labelled.vectors < 1 || (labelled.vectors != classes && labelled.vectors != classes - 1))
    throw nb::value_error("A vector of weights for each class, or for all but the last.");
  labelled.target = target.data();
  labelled.weights = optional_data(weights, rows);
  return labelled;
}

std::size_t side(const Square& matrix) {
  if (matrix.shape(0) != matrix.shape(1)) throw nb::value_error("The matrix is not square.");
  return matrix.shape(0);
}

void same(std::size_t size, std::size_t expected) {
  if (size != expected) throw nb::value_error("The sizes differ.");
}

std::vector<double> triangle_of(const Square& matrix, double least, const StopFlag& stop) {
  return cholesky(matrix.data(), matrix.shape(0), least, stop);
}
}  // namespace

void bind_logistic(nb::module_& m) {
  m.def(
      "logistic_sums",
      [](const nb::list& columns, Codes target, std::optional<Numbers> weights, int classes, Matrix theta,
         bool with_curvature) {
        const auto rows = rows_of(columns, target, weights, classes, theta);
        LogisticSums sums;
        run_interruptible(rows.terms.rows * theta.size() * (with_curvature ? theta.size() : 2), [&](const StopFlag& stop) {
          sums = logistic_sums(rows, theta.data(), with_curvature, thread_count(), stop);
        });
        const std::size_t width = theta.shape(1), pairs = sums.curvature.size() / (width * width);
        double* const place = sums.curvature.data();
        return nb::make_tuple(sums.log_likelihood, give_array(std::move(sums.slope), width),
                              give_array(place, std::move(sums.curvature), {pairs, width, width}));
      },
      nb::arg("columns"), nb::arg("target"), nb::arg("weights").none(), nb::arg("classes"), nb::arg("theta"),
      nb::arg("with_curvature"),
      "Log-likelihood, slope [vector, term] and curvature [pair of vectors, term, term] of weights theta [vector, term].");
  m.def(
      "logistic_curve",
      [](const nb::list& columns, Codes target, std::optional<Numbers> weights, int classes, Matrix theta,
         Matrix direction, std::optional<Numbers> spreads) {
        const auto rows = rows_of(columns, target, weights, classes, theta);
        same(direction.shape(0), theta.shape(0));
        same(direction.shape(1), theta.shape(1));
        if (spreads) same(spreads->size(), rows.vectors == 1 && classes == 2 ? rows.terms.rows : 0);
        const double* const known = spreads ? spreads->data() : nullptr;
        std::vector<double> curve;
        run_interruptible(4 * rows.terms.rows * theta.size(), [&](const StopFlag& stop) {
          curve = logistic_curve(rows, theta.data(), known, direction.data(), thread_count(), stop);
        });
        return give_array(std::move(curve), theta.shape(1));
      },
      nb::arg("columns"), nb::arg("target"), nb::arg("weights").none(), nb::arg("classes"), nb::arg("theta"),
      nb::arg("direction"), nb::arg("spreads").none(),
      "The curvature at theta times a direction [vector, term]; of two classes sooner with the spreads there.");
  m.def(
      "logistic_spreads",
      [](const nb::list& columns, Codes target, std::optional<Numbers> weights, int classes, Matrix theta) {
        const auto rows = rows_of(columns, target, weights, classes, theta);
        auto row_spreads = std::make_unique_for_overwrite<double[]>(rows.terms.rows);
        run_interruptible(4 * rows.terms.rows * theta.size(), [&](const StopFlag& stop) {
          logistic_spreads(rows, theta.data(), row_spreads.get(), thread_count(), stop);
        });
        return give_array(std::move(row_spreads), {rows.terms.rows});
      },
      nb::arg("columns"), nb::arg("target"), nb::arg("weights").none(), nb::arg("classes"), nb::arg("theta"),
      "[row] weight times p (1 - p) at theta, of two classes.");
  m.def(
      "logistic_leads",
      [](const nb::list& columns, Codes target, std::optional<Numbers> weights, int classes, Matrix theta,
         Matrix direction, double still) {
        const auto rows = rows_of(columns, target, weights, classes, theta);
        same(direction.shape(0), theta.shape(0));
        same(direction.shape(1), theta.shape(1));
        Leads leads;
        run_interruptible(4 * rows.terms.rows * theta.size(), [&](const StopFlag& stop) {
          leads = logistic_leads(rows, theta.data(), direction.data(), still, thread_count(), stop);
        });
        return nb::make_tuple(leads.least, leads.largest, leads.slope, leads.curvature);
      },
      nb::arg("columns"), nb::arg("target"), nb::arg("weights").none(), nb::arg("classes"), nb::arg("theta"),
      nb::arg("direction"), nb::arg("still"),
      "The least and the largest lead that a row's own class gains in a direction [vector, term]; slope and curvature "
      "of the rows that stay still.");
  m.def(
      "linear_scores",
      [](const nb::list& columns, std::size_t rows, Matrix weights) {
        const Terms terms = terms_of(columns, rows, static_cast<std::int32_t>(weights.shape(1)));
        const std::size_t vectors = weights.shape(0);
        auto scores = std::make_unique_for_overwrite<double[]>(rows * vectors);
        run_interruptible(rows * weights.size(), [&](const StopFlag& stop) {
          linear_scores(terms, weights.data(), vectors, scores.get(), thread_count(), stop);
        });
        return give_array(std::move(scores), {rows, vectors});
      },
      nb::arg("columns"), nb::arg("rows"), nb::arg("weights"), "[row, vector] the scores of weights [vector, term].");
  m.def(
      "linear_codes",
      [](const nb::list& columns, std::size_t rows, Matrix weights, const std::vector<std::int32_t>& vectors,
         const std::vector<double>& starts, const std::vector<std::int32_t>& codes) {
        const Terms terms = terms_of(columns, rows, static_cast<std::int32_t>(weights.shape(1)));
        if (vectors.empty() || vectors.size() != starts.size() || vectors.size() != codes.size())
          throw nb::value_error("A vector, a start and a code for each class.");
        std::vector<Called> called;
        for (std::size_t c = 0; c < vectors.size(); ++c) {
          if (vectors[c] < -1 || vectors[c] >= static_cast<std::int32_t>(weights.shape(0)))
            throw nb::value_error("No such vector of weights.");
          called.push_back({vectors[c], starts[c], codes[c]});
        }
        auto row_codes = std::make_unique_for_overwrite<std::int32_t[]>(rows);
        std::int64_t wrong = -1;
        run_interruptible(rows * weights.size(), [&](const StopFlag& stop) {
          wrong = linear_codes(terms, weights.data(), weights.shape(0), called, row_codes.get(), thread_count(), stop);
        });
        return nb::make_tuple(give_array(std::move(row_codes), {rows}), wrong);
      },
      nb::arg("columns"), nb::arg("rows"), nb::arg("weights"), nb::arg("vectors"), nb::arg("starts"), nb::arg("codes"),
      "int32 [row] the code of the largest score, and the first row whose scores are not finite, or -1.");
  m.def(
      "number_spreads",
      [](const nb::list& columns, std::size_t rows, std::optional<Numbers> weights) {
        std::vector<Column> numbers;
        for (const nb::handle each : columns) {
          const auto cells = nb::cast<AnyArray>(each);
          same(cells.shape(0), rows);
          numbers.push_back(column_of(cells, 0));
          if (!numbers.back().numeric()) throw nb::type_error("Means are of numbers.");
        }
        if (weights) same(weights->shape(0), rows);
        std::vector<Spread> column_spreads;
        run_interruptible(4 * rows * numbers.size(), [&](const StopFlag& stop) {
          column_spreads = spreads(numbers, rows, optional_data(weights, rows), thread_count(), stop);
        });
        std::vector<double> flat;
        for (const Spread& each : column_spreads)
          flat.insert(flat.end(), {each.weight, each.mean, each.squares, each.least, each.largest, each.empty});
        return give_array(std::move(flat), 6);
      },
      nb::arg("columns"), nb::arg("rows"), nb::arg("weights").none(),
      "[column, 6] weight, mean, squares about it, least, largest, empty cells.");
  m.def(
      "solve_symmetric",
      [](Square matrix, Numbers right, double least) -> nb::object {
        const std::size_t size = side(matrix);
        same(right.shape(0), size);
        std::vector<double> solution;
        run_interruptible(size * size * size / 4, [&](const StopFlag& stop) {
          const auto triangle = triangle_of(matrix, least, stop);
          if (!triangle.empty() || !size) solution = solve(triangle, right.data(), size);
        });
        return solution.empty() && size ? nb::none() : nb::cast(give_array(std::move(solution)));
      },
      nb::arg("matrix"), nb::arg("right"), nb::arg("least"), "x with matrix x = right, or None where it is singular.");
  m.def(
      "invert_symmetric",
      [](Square matrix, double least) -> nb::object {
        const std::size_t size = side(matrix);
        std::vector<double> inverted;
        run_interruptible(size * size * size, [&](const StopFlag& stop) {
          const auto triangle = triangle_of(matrix, least, stop);
          if (!triangle.empty()) inverted = inverse(triangle, size, stop);
        });
        return inverted.empty() && size ? nb::none() : nb::cast(give_array(std::move(inverted), size));
      },
      nb::arg("matrix"), nb::arg("least"), "The inverse, or None where the matrix is singular.");
  m.def(
      "dependence",
      [](Square gram, double least) {
        const std::size_t size = side(gram);
        Dependence dependent;
        run_interruptible(size * size * size / 4,
                          [&](const StopFlag& stop) { dependent = dependence(gram.data(), size, least, stop); });
        return nb::make_tuple(dependent.follows, give_array(std::move(dependent.how), size));
      },
      nb::arg("gram"), nb::arg("least"), "[column] does it follow from those before it, and [column, earlier] how.");
  m.def(
      "lasso",
      [](Square matrix, Numbers right, Numbers penalty, Numbers start, double tolerance, int most_rounds) {
        const std::size_t size = side(matrix);
        same(right.shape(0), size);
        same(penalty.shape(0), size);
        same(start.shape(0), size);
        std::vector<double> x(start.data(), start.data() + size);
        run_interruptible(1000 * size * size, [&](const StopFlag& stop) {
          lasso(matrix.data(), right.data(), penalty.data(), size, tolerance, most_rounds, x.data(), stop);
        });
        return give_array(std::move(x));
      },
      nb::arg("matrix"), nb::arg("right"), nb::arg("penalty"), nb::arg("start"), nb::arg("tolerance"),
      nb::arg("most_rounds"), "The x of least ½ x'Ax − b'x + Σ penalty |x|.");
}
