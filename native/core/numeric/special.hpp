// Special functions: the tails of chi-square, F and the hypergeometric, and the normal quantile.
// Relative error about 1e-13, also far out in the tails.
#pragma once

namespace clearwood {

double log_gamma(double x);                              // x > 0
double gamma_q(double a, double x);                     // upper regularised incomplete gamma, a > 0, x ≥ 0
double beta_i(double a, double b, double x, double y);  // lower regularised incomplete beta at x, with y = 1 − x
double chi2_sf(double statistic, double df);            // 1 where df ≤ 0
double f_sf(double statistic, double df, double rest);
double chi2_log_sf(double statistic, double df);        // the logarithms of these tails,
double f_log_sf(double statistic, double df, double rest);  // where the tails themselves would be 0
double normal_quantile(double p);                       // ∓inf at 0 and 1
double fisher_p(double a, double b, double c, double d);  // two-sided, of the table ((a, b), (c, d))

}  // namespace clearwood
