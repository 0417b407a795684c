// Wide registers where the machine has them: the same sums on every machine, since no multiplication is fused with an addition.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define CLEARWOOD_WIDE __attribute__((target_clones("avx2", "default")))
// Finite numbers only, and no signed zeros, let the compiler take a maximum in any order; neither changes a digit of it.
#define CLEARWOOD_WIDEST                                      \
  __attribute__((target_clones("avx512f", "avx2", "default"), \
                 optimize("O3", "finite-math-only", "no-signed-zeros", "no-trapping-math")))
#else
#define CLEARWOOD_WIDE
#define CLEARWOOD_WIDEST
#endif
