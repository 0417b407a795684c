#include "core/numeric/special.hpp"

#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"

namespace nb = nanobind;

namespace {
using Values = nb::ndarray<const double, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// function over arrays of one length, entry by entry
template <class Function, class... Arrays>
clearwood::Given<double> over(Function function, const Values& first, const Arrays&... more) {
  const std::size_t length = first.shape(0);
  if (((more.shape(0) != length) || ...)) throw std::invalid_argument("The arrays differ in length.");
  auto results = std::make_unique<double[]>(length);
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < length; ++i) results[i] = function(first.data()[i], more.data()[i]...);
  }
  return clearwood::give_array(std::move(results), {length});
}
}  // namespace

void bind_special(nb::module_& m) {
  m.def("chi2_sf", &clearwood::chi2_sf, nb::arg("statistic"), nb::arg("df"), "Upper tail of chi-square.");
  m.def("chi2_sf", [](const Values& x, const Values& df) { return over(clearwood::chi2_sf, x, df); },
        nb::arg("statistic"), nb::arg("df"));
  m.def("f_sf", &clearwood::f_sf, nb::arg("statistic"), nb::arg("df"), nb::arg("rest"), "Upper tail of F.");
  m.def("f_sf", [](const Values& x, const Values& df, const Values& rest) { return over(clearwood::f_sf, x, df, rest); },
        nb::arg("statistic"), nb::arg("df"), nb::arg("rest"));
  m.def("chi2_log_sf", [](const Values& x, const Values& df) { return over(clearwood::chi2_log_sf, x, df); },
        nb::arg("statistic"), nb::arg("df"), "Logarithm of the upper tail of chi-square.");
  m.def("f_log_sf",
        [](const Values& x, const Values& df, const Values& rest) { return over(clearwood::f_log_sf, x, df, rest); },
        nb::arg("statistic"), nb::arg("df"), nb::arg("rest"), "Logarithm of the upper tail of F.");
  m.def("xlog2x", [](const Values& x) { return over([](double each) { return each > 0 ? each * std::log2(each) : 0.0; }, x); },
        nb::arg("x"), "x log2 x, 0 where x is not positive.");
  m.def("xlogy",
        [](const Values& x, const Values& y) {
          return over([](double each, double of) { return each > 0 ? each * std::log(of) : 0.0; }, x, y);
        },
        nb::arg("x"), nb::arg("y"), "x ln y, 0 where x is not positive.");
  m.def("normal_quantile", &clearwood::normal_quantile, nb::arg("p"), "Inverse of the normal distribution function.");
  m.def("normal_quantile", [](const Values& p) { return over(clearwood::normal_quantile, p); }, nb::arg("p"));
  m.def("fisher_p", &clearwood::fisher_p, nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::arg("d"),
        "Fisher's exact two-sided p of ((a, b), (c, d)).");
  m.def("fisher_p",
        [](const Values& a, const Values& b, const Values& c, const Values& d) { return over(clearwood::fisher_p, a, b, c, d); },
        nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::arg("d"));
}
