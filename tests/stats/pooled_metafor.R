# What R's metafor says of twenty data sets, a line each: n, tau2, I2, mean, se, interval, prediction
# interval, then estimates and variances. The sets are drawn by a generator that is written out, so
# that any version of R draws the same. Stored as pooled_metafor.txt.
suppressMessages(library(metafor))
state <- 20261126
draw <- function() { # Park & Miller; exact in doubles
  state <<- (state * 16807) %% 2147483647
  state / 2147483647
}
normal <- function() qnorm(draw())
for (set in 1:20) {
  n <- c(2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 30, 30, 40, 60, 3, 7, 30, 100)[set]
  tau <- c(0, 0.01, 0.05, 0.2, 1)[set %% 5 + 1]
  v <- sapply(1:n, function(i) (0.002 * 50^draw())^2)
  y <- round(sapply(1:n, function(i) 0.07 + tau * normal() + sqrt(v[i]) * normal()), 8)
  v <- signif(v, 8)
  fit <- rma(y, v, method = "PM", test = "knha", control = list(tol = 1e-12, maxiter = 1000))
  new <- predict(fit)
  cat(n, sprintf("%.10g", c(fit$tau2, fit$I2, fit$beta[1], fit$se, fit$ci.lb, fit$ci.ub,
                            new$pi.lb, new$pi.ub, y, v)), "\n")
}
