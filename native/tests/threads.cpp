// Threads: each job once, and the first fault reaches the caller.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
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

TEST("a team does step after step, by more threads or fewer, and steps within steps") {
  const Team team;
  const Team again;  // does nothing beside the first
  for (int step = 0; step < 300; ++step) {
    std::vector<int> times(64, 0);
    std::atomic<int> within{0};
    run_parallel(times.size(), 1 + step % 5, [&](std::size_t job, int) {
      ++times[job];
      if (job == 0) run_parallel(8, 2, [&](std::size_t, int) { ++within; });
    });
    for (const int each : times) CHECK(each == 1);
    CHECK(within == 8);
  }
}

TEST("a team whose threads fell asleep wakes for the next step, and outlives a fault") {
  const Team team;
  for (int step = 0; step < 5; ++step) {
    std::atomic<int> done{0};
    run_parallel(50, 3, [&](std::size_t, int) { ++done; });
    CHECK(done == 50);
    bool thrown = false;
    try {
      run_parallel(50, 3, [](std::size_t job, int) {
        if (job == 7) throw std::runtime_error("seven");
      });
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    CHECK(thrown);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace
