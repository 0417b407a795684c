// The Python module: one line per file of bindings.
#include <nanobind/nanobind.h>

#include "bind/bindings.hpp"

NB_MODULE(_native, m) {
  m.doc() = "Clearwood's native routines: arrays in, arrays out.";
  bind_bayes(m);
  bind_fingerprint(m);
  bind_chaid(m);
  bind_logistic(m);
  bind_grow(m);
  bind_parallel(m);
  bind_special(m);
  bind_predict(m);
  bind_csv(m);
  bind_lines(m);
  bind_columns(m);
  bind_error_based(m);
  bind_covering(m);
  bind_mdl_cuts(m);
  bind_relieff(m);
  bind_c45_rules(m);
  bind_ila(m);
  bind_ripper(m);
  bind_matching(m);
  bind_words(m);
  bind_codes(m);
  bind_boosting(m);
  bind_histograms(m);
  bind_forest(m);
  bind_shap(m);
  bind_gam(m);
  bind_ensembles(m);
}
