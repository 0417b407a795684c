// Wide registers where the machine has them: the same sums on every machine, since no multiplication is fused with an addition.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define CLEARWOOD_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define CLEARWOOD_WIDE
#endif
