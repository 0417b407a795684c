# rpart on many tables in one session: prints each tree's complexity table and frame as tab-separated lines.
# Arguments: a file with one line per tree: csv, method, minsplit, minbucket.
suppressMessages(library(rpart))
jobs <- read.csv(commandArgs(TRUE)[1], header = FALSE, stringsAsFactors = FALSE)
number <- function(x) formatC(x, digits = 15, format = "g", width = 1)
cat("version", as.character(packageVersion("rpart")), "\n", sep = "\t")
for (i in seq_len(nrow(jobs))) {
  data <- read.csv(jobs[i, 1], na.strings = "?", stringsAsFactors = FALSE)
  for (name in names(data)) if (is.character(data[[name]])) {
    letter <- substr(na.omit(data[[name]])[1], 1, 1)
    most <- max(as.integer(substring(na.omit(data[[name]]), 2)))
    data[[name]] <- factor(data[[name]], levels = paste0(letter, 0:most))
  }
  control <- rpart.control(minsplit = jobs[i, 3], minbucket = jobs[i, 4], cp = 0, xval = 0, maxcompete = 0)
  seconds <- system.time(fit <- rpart(y ~ ., data, method = jobs[i, 2], control = control, na.action = na.pass))[["elapsed"]]
  cat("tree", i, number(seconds), "\n", sep = "\t")
  for (row in seq_len(nrow(fit$cptable)))
    cat("cp", number(fit$cptable[row, "CP"]), fit$cptable[row, "nsplit"], number(fit$cptable[row, "rel error"]), "\n", sep = "\t")
  for (row in seq_len(nrow(fit$frame)))
    cat("node", rownames(fit$frame)[row], as.character(fit$frame$var[row]), fit$frame$n[row], number(fit$frame$dev[row]), "\n", sep = "\t")
}
