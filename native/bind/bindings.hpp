// Every file of bindings, one line each.
#pragma once
#include <nanobind/nanobind.h>

void bind_bayes(nanobind::module_& m);
void bind_fingerprint(nanobind::module_& m);
void bind_chaid(nanobind::module_& m);
void bind_logistic(nanobind::module_& m);
void bind_grow(nanobind::module_& m);
void bind_parallel(nanobind::module_& m);
void bind_special(nanobind::module_& m);
void bind_predict(nanobind::module_& m);
void bind_csv(nanobind::module_& m);
void bind_lines(nanobind::module_& m);
void bind_columns(nanobind::module_& m);
void bind_error_based(nanobind::module_& m);
void bind_covering(nanobind::module_& m);
void bind_mdl_cuts(nanobind::module_& m);
void bind_relieff(nanobind::module_& m);
void bind_c45_rules(nanobind::module_& m);
void bind_ila(nanobind::module_& m);
void bind_ripper(nanobind::module_& m);
void bind_matching(nanobind::module_& m);
void bind_words(nanobind::module_& m);
void bind_codes(nanobind::module_& m);
void bind_boosting(nanobind::module_& m);
void bind_histograms(nanobind::module_& m);
void bind_forest(nanobind::module_& m);
void bind_shap(nanobind::module_& m);
void bind_gam(nanobind::module_& m);
void bind_ensembles(nanobind::module_& m);
