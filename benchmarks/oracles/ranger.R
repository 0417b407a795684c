# ranger on one table: accuracy over the folds given with the rows, and out-of-bag error, means over the repeats.
# Arguments: csv, number of trees, of folds, of repeats.
suppressMessages(library(ranger))
given <- commandArgs(TRUE)
trees <- as.integer(given[2]); folds <- as.integer(given[3]); repeats <- as.integer(given[4])
data <- read.csv(given[1], stringsAsFactors = TRUE)
inputs <- data[grepl("^[xy]", names(data))]
for (way in c("ignore", "order")) {
  accuracy <- error <- numeric(repeats)
  for (r in seq_len(repeats)) {
    fold <- data[[paste0("fold", r - 1)]]
    right <- logical(nrow(data))
    grow <- function(rows)
      ranger(y ~ ., inputs[rows, ], num.trees = trees, num.threads = 1, seed = r, verbose = FALSE,
             respect.unordered.factors = way)
    for (held in seq_len(folds) - 1) {
      test <- fold == held
      right[test] <- predict(grow(!test), inputs[test, ], num.threads = 1, verbose = FALSE)$predictions == inputs$y[test]
    }
    accuracy[r] <- mean(right)
    error[r] <- grow(rep(TRUE, nrow(data)))$prediction.error
  }
  name <- if (way == "ignore") "ranger" else "ranger order"
  cat(name, sprintf("%.6f\t%.6f", mean(accuracy), mean(error)), sep = "\t", fill = FALSE)
  cat("\n")
}
