// Threads: each job once, and the first fault reaches the caller.
#include <atomic>
#include <vector>

#include "core/numeric/parallel.hpp"
#include "tests/testing.hpp"

using namespace clearwood;

namespace {

TEST("every job runs exactly once, whatever the number of threads") {
  for (int threads : {1, 2, 7}) {
    std::vector<int> times(1000, 0);
    run_parallel(times.size(), threads, [&](std::size_t job, int) { ++times[job]; });
    for (const int each : times) CHECK(each == 1);
  }
}

TEST("a fault in a job is thrown again after all threads have ended") {
  std::atomic<int> running{0};
  bool thrown = false;
  try {
    run_parallel(100, 4, [&](std::size_t job, int) {
      ++running;
      --running;
      if (job == 50) throw std::runtime_error("fifty");
    });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  CHECK(thrown);
  CHECK(running == 0);
}

}  // namespace
