// Linear models: the sums over codes are those of the one-hot table, on any number of threads.
#include "core/linear/logistic.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/numeric/cholesky.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

const StopFlag never{false};

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b)); }

template <class T>
Column column_over(const std::vector<T>& cells, Column::Type type, std::int32_t values) {
  return {type, reinterpret_cast<const std::byte*>(cells.data()), sizeof(T), values};
}

// Two numbers (one with empty cells and a term for them), a column of codes, three classes; and the same written out.
struct Rows {
  std::vector<double> number;
  std::vector<float> gaps;
  std::vector<std::int32_t> codes, target;
  std::vector<double> weights;
  std::vector<std::vector<double>> values;  // [row][term]
  LogisticRows rows;

  explicit Rows(std::size_t count, bool weighed = true) {
    std::mt19937 random(7);
    const auto pick = [&](int below) { return static_cast<std::int32_t>(random() % static_cast<unsigned>(below)); };
    for (std::size_t i = 0; i < count; ++i) {
      number.push_back(static_cast<double>(pick(100)) / 10);
      gaps.push_back(pick(4) ? static_cast<float>(pick(50)) : std::numeric_limits<float>::quiet_NaN());
      codes.push_back(pick(6) - 2);
      target.push_back(pick(3));
      weights.push_back(1 + pick(3));
    }
    TermColumn one, two, three;
    one.cells = column_over(number, Column::Type::float64, 0);
    one.term = 1;
    one.centre = 5;
    one.scale = 2;
    two.cells = column_over(gaps, Column::Type::float32, 0);
    two.term = 3;
    two.missing = 2;
    three.cells = column_over(codes, Column::Type::codes, 4);
    three.place = {-1, 5, -1, 4, 5, 6};
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> row(7, 0.0);
      row[0] = 1;
      row[1] = (number[i] - 5) / 2;
      row[2] = std::isnan(gaps[i]);
      row[3] = std::isnan(gaps[i]) ? 0 : gaps[i];
      const std::int32_t place = three.place[static_cast<std::size_t>(codes[i] + 2)];
      if (place >= 0) row[static_cast<std::size_t>(place)] = 1;
      values.push_back(row);
    }
    rows.terms = {{one, two, three}, count, 7};
    rows.classes = 3;
    rows.vectors = 2;
    rows.target = target.data();
    rows.weights = weighed ? weights.data() : nullptr;
  }
};

const std::vector<double> theta{0.3, -0.2, 0.5, 0.01, 1.0, -0.4, 0.2, -0.1, 0.4, 0.0, -0.02, 0.3, 0.6, -1.0};

TEST("sums over codes are the sums over the table written out") {
  const Rows made(500);
  const auto sums = logistic_sums(made.rows, theta.data(), true, 2, never);
  double height = 0;
  std::vector<double> slope(14, 0.0), curve(3 * 49, 0.0);
  for (std::size_t i = 0; i < 500; ++i) {
    double score[3] = {0, 0, 0}, share[3], sum = 0;
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t t = 0; t < 7; ++t) score[c] += theta[c * 7 + t] * made.values[i][t];
    for (std::size_t c = 0; c < 3; ++c) sum += share[c] = std::exp(score[c]);
    for (double& each : share) each /= sum;
    const auto own = static_cast<std::size_t>(made.target[i]);
    height += made.weights[i] * std::log(share[own]);
    std::size_t pair = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t t = 0; t < 7; ++t)
        slope[c * 7 + t] += made.weights[i] * ((own == c) - share[c]) * made.values[i][t];
      for (std::size_t d = 0; d <= c; ++d, ++pair)
        for (std::size_t t = 0; t < 7; ++t)
          for (std::size_t u = 0; u < 7; ++u)
            curve[pair * 49 + t * 7 + u] +=
                made.weights[i] * share[c] * ((c == d) - share[d]) * made.values[i][t] * made.values[i][u];
    }
  }
  CHECK(close(sums.log_likelihood, height));
  for (std::size_t i = 0; i < slope.size(); ++i) CHECK(close(sums.slope[i], slope[i]));
  for (std::size_t i = 0; i < curve.size(); ++i) CHECK(close(sums.curvature[i], curve[i]));
  // The product with a direction is that of the matrix.
  const auto product = logistic_curve(made.rows, theta.data(), nullptr, slope.data(), 2, never);
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t t = 0; t < 7; ++t) {
      double sum = 0;
      for (std::size_t d = 0; d < 2; ++d)
        for (std::size_t u = 0; u < 7; ++u) sum += curve[(c == d ? 2 * c : 1) * 49 + t * 7 + u] * slope[d * 7 + u];
      CHECK(close(product[c * 7 + t], sum));
    }
}

TEST("two classes have the same sums without weights as with equal ones") {
  Rows made(300, false);
  for (auto& each : made.target) each %= 2;
  made.rows.classes = 2;
  made.rows.vectors = 1;
  const auto sums = logistic_sums(made.rows, theta.data(), true, 1, never);
  for (auto& each : made.weights) each = 1;
  made.rows.weights = made.weights.data();
  const auto weighed = logistic_sums(made.rows, theta.data(), true, 1, never);
  CHECK(close(sums.log_likelihood, weighed.log_likelihood));
  CHECK(sums.slope == weighed.slope);
  CHECK(sums.curvature == weighed.curvature);
}

TEST("the sums do not depend on the number of threads, to the last bit") {
  const Rows made(30'000);
  const auto alone = logistic_sums(made.rows, theta.data(), true, 1, never);
  for (const int threads : {2, 7}) {
    const auto sums = logistic_sums(made.rows, theta.data(), true, threads, never);
    CHECK(sums.log_likelihood == alone.log_likelihood);
    CHECK(sums.slope == alone.slope);
    CHECK(sums.curvature == alone.curvature);
  }
}

TEST("codes, classes and terms outside their range are refused") {
  const auto refused = [](Rows& made) {
    try {
      logistic_sums(made.rows, theta.data(), true, 2, never);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  Rows code(20), low(20), target(20), term(20);
  code.codes[3] = 4;
  low.codes[3] = -3;
  target.target[3] = 3;
  term.rows.terms.columns[0].term = 7;
  CHECK(refused(code));
  CHECK(refused(low));
  CHECK(refused(target));
  CHECK(refused(term));
}

TEST("a matrix times its inverse is one, and a sum of columns is recognised as one") {
  const std::vector<double> matrix{4, 2, 0.6, 2, 5, 1, 0.6, 1, 3};
  const auto triangle = cholesky(matrix.data(), 3, 0, never);
  const auto inverted = inverse(triangle, 3, never);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += matrix[i * 3 + k] * inverted[k * 3 + j];
      CHECK(close(sum, i == j));
    }
  // the third column is the first plus twice the second
  const std::vector<double> gram{2, 1, 4, 1, 3, 7, 4, 7, 18};
  const auto dependent = dependence(gram.data(), 3, 1e-10, never);
  CHECK(!dependent.follows[0] && !dependent.follows[1] && dependent.follows[2]);
  CHECK(close(dependent.how[6], 1) && close(dependent.how[7], 2));
  CHECK(cholesky(gram.data(), 3, 1e-10, never).empty());
}

TEST("a lasso stops where no weight wants to move") {
  const std::vector<double> matrix{4, 2, 0.6, 2, 5, 1, 0.6, 1, 3}, right{3, -1, 0.2}, penalty{0.5, 0.5, 0.5};
  std::vector<double> x(3, 0.0);
  lasso(matrix.data(), right.data(), penalty.data(), 3, 1e-12, 1000, x.data(), never);
  for (std::size_t i = 0; i < 3; ++i) {
    double pull = right[i];
    for (std::size_t j = 0; j < 3; ++j) pull -= matrix[i * 3 + j] * x[j];
    CHECK(x[i] == 0 ? std::abs(pull) <= 0.5 : close(pull, std::copysign(0.5, x[i])));
  }
  CHECK(x[0] > 0 && x[2] == 0);
}

TEST("mean and spread are those of the known cells") {
  const Rows made(20'000);
  const auto spread = spreads({column_over(made.gaps, Column::Type::float32, 0)}, 20'000, made.weights.data(), 2, never);
  double weight = 0, sum = 0, squares = 0, empty = 0;
  for (std::size_t i = 0; i < 20'000; ++i) {
    if (std::isnan(made.gaps[i])) {
      empty += 1;
      continue;
    }
    weight += made.weights[i];
    sum += made.weights[i] * made.gaps[i];
  }
  for (std::size_t i = 0; i < 20'000; ++i)
    if (!std::isnan(made.gaps[i])) squares += made.weights[i] * std::pow(made.gaps[i] - sum / weight, 2);
  CHECK(spread[0].weight == weight && spread[0].empty == empty);
  CHECK(close(spread[0].mean, sum / weight) && close(spread[0].squares, squares));
  CHECK(spread[0].least == 0 && spread[0].largest == 49);
}

}  // namespace
